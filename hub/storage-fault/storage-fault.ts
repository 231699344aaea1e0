// Faults of the storage: the disk is full, read-only, or fails. They are recognized in errors of SQLite and of the file
// system.

import type { StorageFault } from '../../contract/system.ts'

/**
 * A write failed because of the storage, or was not tried because the storage is known to have a fault. Nothing was
 * written.
 */
export class StorageFaultError extends Error {
  readonly fault: StorageFault
  constructor(fault: StorageFault, cause?: unknown) {
    super(`storage fault: ${fault}`, { cause })
    this.fault = fault
  }
}

/** Extended result code of SQLite: the shared memory file of the WAL cannot get its size. */
const SQLITE_IOERR_SHMSIZE = 4874

/** Primary result codes of SQLite. */
const SQLITE_FAULTS: Readonly<Record<number, StorageFault>> = {
  8: 'read-only',
  10: 'failed',
  13: 'full',
  14: 'failed'
}

const FILE_FAULTS: Readonly<Record<string, StorageFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'failed'
}

/** The storage fault that an error reports; undefined if it has another cause. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  if (error instanceof StorageFaultError) return error.fault
  const { errcode, code = '' } = (error ?? {}) as { errcode?: number; code?: string }
  if (errcode === SQLITE_IOERR_SHMSIZE) return 'full'
  // The low byte of an extended result code is the primary one.
  return errcode === undefined ? FILE_FAULTS[code] : SQLITE_FAULTS[errcode & 0xff]
}
