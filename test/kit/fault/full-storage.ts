// A hub whose storage is full.

import type { Database } from '../../../hub/database/database.ts'
import { StorageFaultError } from '../../../hub/storage-fault/storage-fault.ts'

/** Makes all writes to a database fail. @returns a function that makes them succeed again */
export function fillStorage(database: Database): () => void {
  const { run, transaction } = database
  const fail = () => {
    throw new StorageFaultError('full')
  }
  Object.assign(database, { run: fail, transaction: fail })
  return () => void Object.assign(database, { run, transaction })
}
