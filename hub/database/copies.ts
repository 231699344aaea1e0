// Copies of the database beside it, in the folder `copies`: one before each migration, and one a day. They protect
// against a damaged database, not against a lost disk: that is what `make backup` is for.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { replaceFile, syncPath } from '../../data-files/fsync.ts'
import { COPIES_FOLDER, LAST_BACKUP_FILE } from '../data-folder/entries.ts'
import { DatabaseRefusedError, inspectDatabase } from './inspect.ts'

/** Why a copy was made. Copies of each kind are counted separately. */
export type CopyKind = 'migration' | 'daily'

/** Copies kept of each kind: the newest. */
export const COPIES_KEPT: Readonly<Record<CopyKind, number>> = { migration: 5, daily: 3 }

/** `20261122T175001Z-migration-v12-7.sqlite`: the seventh copy. Those of former versions have no number. */
const NAME = /^\d{8}T\d{6}Z-(migration|daily)-v\d+(?:-(\d{1,15}))?\.sqlite$/

const numberOf = (path: string): number => Number(NAME.exec(basename(path))?.[2] ?? 0)

/** A time for file names, in UTC: `20261122T175001Z`. */
export const fileTime = (time = Date.now()) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')

/**
 * Writes a consistent, compact copy of a database to a new file, readable for its owner only. The copy appears under
 * its name when it is complete and on disk. The database may be in use.
 * @param connection of the database, not in a transaction
 * @throws when the copy cannot be written; nothing is left then
 */
export function copyDatabase(connection: DatabaseSync, target: string): void {
  const part = `${target}.part`
  rmSync(part, { force: true })
  try {
    connection.prepare('VACUUM INTO ?').run(part)
    chmodSync(part, 0o600)
    syncPath(part)
    renameSync(part, target)
    syncPath(dirname(target))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Paths of the copies of a data folder, newest first, by number: the clock may have been set meanwhile. */
export function listCopies(data: string, kind?: CopyKind): string[] {
  const folder = join(data, COPIES_FOLDER)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => {
    const found = NAME.exec(name)?.[1]
    return found !== undefined && (kind === undefined || found === kind)
  })
  return names.sort((a, b) => numberOf(b) - numberOf(a) || (a < b ? 1 : -1)).map((name) => join(folder, name))
}

/**
 * Adds a copy of the database of a data folder, and removes the oldest ones of its kind.
 * @param version of the schema
 * @returns path of the copy
 * @throws when the copy cannot be written
 */
export function addCopy(connection: DatabaseSync, data: string, kind: CopyKind, version: number): string {
  const folder = join(data, COPIES_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const number = 1 + Math.max(0, ...listCopies(data).map(numberOf))
  const path = join(folder, `${fileTime()}-${kind}-v${version}-${number}.sqlite`)
  copyDatabase(connection, path)
  for (const old of listCopies(data, kind).slice(COPIES_KEPT[kind])) rmSync(old, { force: true })
  return path
}

/**
 * Records the last backup, so that a hub whose database is damaged can name it. The backup is complete without this
 * note.
 */
export function noteBackup(data: string, path: string): void {
  try {
    replaceFile(join(data, LAST_BACKUP_FILE), JSON.stringify({ path, created: fileTime() }))
  } catch {}
}

function lastBackup(data: string): { path: string; created: string } | undefined {
  try {
    const note = JSON.parse(readFileSync(join(data, LAST_BACKUP_FILE), 'utf8'))
    return existsSync(note.path) ? note : undefined
  } catch {
    return undefined
  }
}

/**
 * The newest copy that is undamaged and that this hub can read, or the last backup if it is newer. The backup is not
 * read: the restore checks it.
 */
export function findGoodCopy(data: string): string | undefined {
  const backup = lastBackup(data)
  const copy = listCopies(data).find((path) => {
    try {
      inspectDatabase(path)
      return true
    } catch (error) {
      if (error instanceof DatabaseRefusedError) return false
      throw error
    }
  })
  if (!backup || !copy) return copy ?? backup?.path
  return backup.created > basename(copy).slice(0, backup.created.length) ? backup.path : copy
}
