// The lock of a data folder: one hub at a time. It is a POSIX lock that SQLite holds on an empty file, so the kernel
// releases it when the process ends in any way, and no stale lock can remain. No other code may open `hub.lock`:
// closing any handle of a file releases all POSIX locks that the process has on it.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { replaceFile } from '../../data-files/fsync.ts'

export const LOCK_FILE = 'hub.lock'
/** Names the process that has the lock. */
export const LOCK_HOLDER_FILE = 'hub.lock.json'

/** Result code of SQLite. */
const SQLITE_BUSY = 5

interface LockHolder {
  pid: number
  host: string
  /** What the process does with the folder, for example `hub`. */
  what: string
  /** ISO 8601. */
  since: string
}

/** Another process has the lock of the data folder. */
export class DataInUseError extends Error {
  constructor(data: string, holder: LockHolder | undefined) {
    const who = holder
      ? `${holder.what}, process ${holder.pid} on ${holder.host}, since ${holder.since}`
      : 'another hub'
    super(`the data folder ${data} is in use by ${who}`)
  }
}

export interface DataLock {
  /** Releases the lock. */
  release(): void
}

/** Connections that hold a lock. The reference prevents their garbage collection, which would release the lock. */
const heldLocks = new Set<DatabaseSync>()

function readHolder(data: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(data, LOCK_HOLDER_FILE), 'utf8')) as LockHolder
  } catch {
    return undefined
  }
}

/** The lock holds without this file, so a full disk does not prevent the start. */
function writeHolder(data: string, holder: LockHolder): void {
  const path = join(data, LOCK_HOLDER_FILE)
  try {
    replaceFile(path, JSON.stringify(holder))
  } catch {
    rmSync(path, { force: true })
  }
}

/**
 * Locks a data folder for this process. The folder is created if it does not exist.
 * @param what the name of the program, for the error message of other processes
 * @throws DataInUseError if another process, or this one, has the lock
 */
export function lockDataFolder(data: string, what: string): DataLock {
  if (!existsSync(data)) mkdirSync(data, { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(join(data, LOCK_FILE))
  try {
    // Without a journal file, so that a full disk does not prevent the start.
    connection.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new DataInUseError(data, readHolder(data))
    throw error
  }
  heldLocks.add(connection)
  writeHolder(data, { pid: process.pid, host: hostname(), what, since: new Date().toISOString() })
  return {
    release() {
      if (!heldLocks.delete(connection)) return
      rmSync(join(data, LOCK_HOLDER_FILE), { force: true })
      connection.close()
    }
  }
}
