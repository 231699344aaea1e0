// The database during the trial of a release. The release on trial runs on the database of the hub; what it was before
// is kept in a copy, which comes back if the trial fails. What the hub itself has recorded during the trial is then
// carried back. Each function may be interrupted at any point, and repeated.
import { existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { syncPath } from '../../../data-files/fsync.ts'
import { logger } from '../../../process-log/logger.ts'
import { DATABASE_FILE } from '../../data-folder/entries.ts'
import { copyDatabase } from '../../database/copies.ts'
import type { UpgradeFiles } from './trial-files.ts'

/** The database before the trial, that of a trial that failed, and that of the release before. */
const BEFORE = 'before.sqlite'
const FAILED = 'failed.sqlite'
const FORMER = 'former.sqlite'
/** A copy of the last one, which becomes the database of the hub. */
const REVERTED = 'reverted.sqlite'
const SUFFIXES = ['', '-wal', '-shm'] as const

/**
 * Tables that the hub writes by itself, without a call that changes something. `replace`: all rows are those of the
 * trial; `merge`: rows are added and changed, none is removed; `add`: new rows are added.
 */
const OWN_TABLES: Readonly<Record<string, 'replace' | 'merge' | 'add'>> = {
  operation_log: 'merge',
  operation_log_head: 'replace',
  event_log: 'merge',
  log_day: 'merge',
  timeline: 'merge',
  hub_alive: 'replace',
  verdict: 'replace',
  problem: 'replace',
  session: 'replace',
  node: 'add',
  device: 'add'
}

/** Bytes of the database with its log. */
export function databaseSize(data: string): number {
  const sizes = SUFFIXES.map((suffix) => join(data, DATABASE_FILE + suffix)).map((path) =>
    existsSync(path) ? statSync(path).size : 0
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Keeps a copy of the database. */
export function keepDatabase(data: string, files: UpgradeFiles): void {
  files.open()
  files.remove(BEFORE)
  const connection = new DatabaseSync(join(data, DATABASE_FILE), { timeout: 5000 })
  try {
    copyDatabase(connection, files.pathOf(BEFORE))
  } finally {
    connection.close()
  }
}

/** Replaces the database by that of the release before, which stays. */
export function replaceByFormer(data: string, files: UpgradeFiles): void {
  const database = join(data, DATABASE_FILE)
  const former = new DatabaseSync(files.pathOf(FORMER), { readOnly: true })
  try {
    copyDatabase(former, files.pathOf(REVERTED))
  } finally {
    former.close()
  }
  settleDatabase(database)
  renameSync(files.pathOf(REVERTED), database)
  syncPath(data)
}

/** Whether the database of the release before is kept. */
export const hasFormerDatabase = (files: UpgradeFiles): boolean => existsSync(files.pathOf(FORMER))

/** The trial has succeeded: the copy is now that of the release before. */
export function keepFormer(files: UpgradeFiles): void {
  if (existsSync(files.pathOf(BEFORE))) renameSync(files.pathOf(BEFORE), files.pathOf(FORMER))
  files.remove(FAILED)
}

/** Puts the copy back, with what the hub has recorded since. @param revert the trial had the data of an earlier time */
export function restoreDatabase(data: string, files: UpgradeFiles, revert: boolean): void {
  const database = join(data, DATABASE_FILE)
  if (existsSync(files.pathOf(BEFORE))) {
    moveAway(database, files.pathOf(FAILED))
    renameSync(files.pathOf(BEFORE), database)
    syncPath(data)
    syncPath(files.open())
  }
  // The data of an earlier time continued another history.
  if (!revert && existsSync(files.pathOf(FAILED))) {
    try {
      carryBack(database, files.pathOf(FAILED))
    } catch (error) {
      // The trial may have failed because of the database. What users have changed is in the copy.
      logger.error('What the hub recorded during the trial could not be kept', error)
    }
  }
  files.remove(...SUFFIXES.map((suffix) => FAILED + suffix))
}

/**
 * Writes the log of a database into it and removes the log, so that the database is one file.
 * @throws when the database cannot be opened
 */
function settleDatabase(database: string): void {
  const connection = new DatabaseSync(database, { timeout: 5000 })
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE')
  } finally {
    connection.close()
  }
}

/** Moves the database of a trial away, with its log if it could not be settled. Nobody opens it in between. */
function moveAway(database: string, target: string): void {
  if (!existsSync(target)) {
    try {
      if (existsSync(database)) settleDatabase(database)
    } catch (error) {
      logger.error('The database of the trial cannot be opened', error)
    }
  }
  for (const suffix of SUFFIXES) if (existsSync(database + suffix)) renameSync(database + suffix, target + suffix)
}

/** Copies rows of the tables that the hub writes by itself from the database of the trial. */
function carryBack(database: string, trial: string): void {
  const connection = new DatabaseSync(database)
  try {
    connection.exec('PRAGMA foreign_keys=OFF; PRAGMA synchronous=FULL')
    connection.prepare('ATTACH ? AS trial').run(trial)
    connection.exec('BEGIN IMMEDIATE')
    for (const [table, mode] of Object.entries(OWN_TABLES)) carryTable(connection, table, mode)
    connection.exec('COMMIT')
  } finally {
    connection.close()
  }
}

function carryTable(connection: DatabaseSync, table: string, mode: 'replace' | 'merge' | 'add'): void {
  const columnsOf = (schema: string) =>
    connection
      .prepare(`SELECT name FROM pragma_table_info(?, ?)`)
      .all(table, schema)
      .map(({ name }) => String(name))
  const known = columnsOf('main')
  // A later release may have changed the table.
  const columns = columnsOf('trial').filter((name) => known.includes(name))
  if (columns.length === 0) return
  const list = columns.map((name) => `"${name}"`).join(', ')
  if (mode === 'replace') connection.exec(`DELETE FROM main.${table}`)
  connection.exec(
    `INSERT OR ${mode === 'add' ? 'IGNORE' : 'REPLACE'} INTO main.${table} (${list}) SELECT ${list} FROM trial.${table}`
  )
}
