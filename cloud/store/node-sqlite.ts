// SQLite of Node as the database of Kysely's dialect, which expects the interface of better-sqlite3.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'

/** Error code of SQLite: another process has the database open. */
const SQLITE_BUSY = 5

/** @param path of the file, or `:memory:`. @throws if another process uses it */
export function openNodeSqlite(path: string): SqliteDatabase {
  const database = new DatabaseSync(path)
  try {
    // Only one process can open the file. A commit is on the disk when it returns, so a power cut does not lose it.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full')
    database.exec('pragma foreign_keys = on')
  } catch (error) {
    database.close()
    throw (error as { errcode?: number }).errcode === SQLITE_BUSY ? new Error(`another node uses ${path}`) : error
  }
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[]))
      }
    }
  }
}
