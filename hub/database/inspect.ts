// Inspects a database file without changing it: is it whole, is it a hub's, and can this hub read it?
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { storageFaultOf } from '../storage-fault/storage-fault.ts'
import { MIGRATIONS } from './migrations.ts'

/** `PRAGMA application_id` of a hub's database: 'HEAD'. Databases of hubs before this number was introduced have 0. */
export const APPLICATION_ID = 0x48454144

/** Tables of the first version of the schema, which every hub's database has. */
const FIRST_TABLES = ['user', 'user_group', 'setting', 'device', 'channel']

/** The database cannot be used. The message says why, as the predicate of a sentence about the file. */
export class DatabaseRefusedError extends Error {
  /** What an operator can do, one sentence a line; empty if nothing is known. */
  readonly advice: readonly string[]
  constructor(message: string, advice: readonly string[] = []) {
    super(message)
    this.advice = advice
  }
}

function readNumber(connection: DatabaseSync, pragma: string): number {
  return Number(Object.values(connection.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
}

function requireOwnTables(connection: DatabaseSync): void {
  const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const names = new Set(tables.map(({ name }) => name))
  if (!FIRST_TABLES.every((name) => names.has(name))) throw new DatabaseRefusedError('is a database of another program')
}

function requireUndamaged(connection: DatabaseSync, check: 'quick_check' | 'integrity_check'): void {
  const [line] = Object.values(connection.prepare(`PRAGMA ${check}(1)`).get() ?? {})
  if (line !== 'ok') throw new DatabaseRefusedError(`is damaged (${String(line).replaceAll('\n', ' ')})`)
}

function requireUsable(connection: DatabaseSync, check: 'quick_check' | 'integrity_check'): number {
  const applicationId = readNumber(connection, 'application_id')
  const version = readNumber(connection, 'user_version')
  if (applicationId !== APPLICATION_ID && (applicationId !== 0 || version === 0))
    throw new DatabaseRefusedError('is a database of another program')
  requireUndamaged(connection, check)
  requireOwnTables(connection)
  if (version > MIGRATIONS.length)
    throw new DatabaseRefusedError(
      `was written by a newer hub: its version is ${version}, this hub supports up to ${MIGRATIONS.length}`
    )
  return version
}

/**
 * Inspects a database file.
 * @param check `integrity_check` also compares every index with its table, and takes several times as long
 * @returns the version of its schema
 * @throws DatabaseRefusedError if the file is empty, truncated, damaged, of another program, or of a newer hub
 *   Errors of a full disk are passed on.
 */
export function inspectDatabase(file: string, check: 'quick_check' | 'integrity_check' = 'quick_check'): number {
  if (!existsSync(file)) throw new DatabaseRefusedError('does not exist')
  if (statSync(file).size === 0) throw new DatabaseRefusedError('is empty (0 bytes)')
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(file, { readOnly: true })
    return requireUsable(connection, check)
  } catch (error) {
    if (error instanceof DatabaseRefusedError || storageFaultOf(error) === 'full') throw error
    // For example "file is not a database" and "database disk image is malformed".
    throw new DatabaseRefusedError(`cannot be read (${(error as Error).message})`)
  } finally {
    connection?.close()
  }
}
