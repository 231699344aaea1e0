// Writes of the database that need no further space, or give some back.
import type { DatabaseSync } from 'node:sqlite'

/** Pages given back to the file system at once: 1 MiB. */
const STEP = 256

/** Writes a page that exists already. Throws if the storage cannot be written. */
export function probeWrite(connection: DatabaseSync): void {
  const version = connection.prepare('PRAGMA user_version').get()?.user_version
  connection.exec(`BEGIN IMMEDIATE; PRAGMA user_version=${version}; COMMIT`)
}

function reclaimPages(connection: DatabaseSync): void {
  const countFreePages = () => Number(connection.prepare('PRAGMA freelist_count').get()?.freelist_count)
  for (let pages = countFreePages(), before = pages + 1; pages > 0 && pages < before; ) {
    connection.exec(`PRAGMA incremental_vacuum(${STEP}); PRAGMA wal_checkpoint(PASSIVE)`)
    before = pages
    pages = countFreePages()
  }
  // Without a time limit the checkpoint would wait for readers.
  connection.exec('PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout=5000')
}

/**
 * Gives unused pages back to the file system, in steps that need little space themselves. `onError` gets the error of a
 * step that failed.
 */
export function reclaimSpace(connection: DatabaseSync, onError: (error: unknown) => void): void {
  try {
    reclaimPages(connection)
  } catch (error) {
    onError(error)
  }
}
