// The one SQLite file. WAL with `synchronous=FULL`: what a transaction committed survives power loss.
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'

/** A row as SQLite gives it. */
export type Row = Record<string, SQLInputValue>

/** The database with its statements prepared once each. */
export interface Database {
  all<T>(sql: string, ...values: SQLInputValue[]): T[]
  get<T>(sql: string, ...values: SQLInputValue[]): T | undefined
  /** @returns rows changed, and the id of the last row inserted */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number }
  /** Runs `work` in one transaction: all of it is kept, or none. Not nested. */
  transaction<T>(work: () => T): T
  close(): void
}

/**
 * Opens the database and brings it to the newest version.
 * @param file path, or `:memory:`
 * @throws when the file was written by a newer version of the hub
 */
export function openDatabase(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
  if (file !== ':memory:') chmodSync(file, 0o600)
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string) => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = connection.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  const database: Database = {
    all: <T>(sql: string, ...values: SQLInputValue[]) => prepared(sql).all(...values) as T[],
    get: <T>(sql: string, ...values: SQLInputValue[]) => prepared(sql).get(...values) as T | undefined,
    run(sql, ...values) {
      const { changes, lastInsertRowid } = prepared(sql).run(...values)
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    },
    transaction(work) {
      connection.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        connection.exec('COMMIT')
        return result
      } catch (error) {
        if (connection.isTransaction) connection.exec('ROLLBACK')
        throw error
      }
    },
    close: () => connection.close()
  }
  try {
    migrate(connection, database)
  } catch (error) {
    connection.close()
    throw error
  }
  return database
}

function migrate(connection: DatabaseSync, database: Database): void {
  const version = Number(database.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0)
  if (version > MIGRATIONS.length)
    throw new Error(
      `the database is of a newer hub: it has version ${version}, this hub knows ${MIGRATIONS.length} at most`
    )
  MIGRATIONS.slice(version).forEach((step, index) => {
    database.transaction(() => {
      connection.exec(step)
      connection.exec(`PRAGMA user_version=${version + index + 1}`)
    })
  })
}
