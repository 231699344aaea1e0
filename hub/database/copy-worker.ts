// The worker that makes the daily copy of the database, because copying takes long and SQLite is synchronous.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { DATABASE_FILE } from '../data-folder/entries.ts'
import { addCopy } from './copies.ts'

const data = workerData as string
const connection = new DatabaseSync(join(data, DATABASE_FILE), { readOnly: true, timeout: 5000 })
try {
  const version = Number(connection.prepare('PRAGMA user_version').get()?.user_version)
  parentPort?.postMessage(addCopy(connection, data, 'daily', version))
} finally {
  connection.close()
}
