// The one SQLite file. WAL with `synchronous=FULL`: what a transaction committed survives power loss.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'

/** Milliseconds for which `soon` gathers: a device that came or went is a write, and thousands do at once. */
const GATHER = 100

/** A row as SQLite gives it. */
export type Row = Record<string, SQLInputValue>

/** The database with its statements prepared once each. */
export interface Database {
  all<T>(sql: string, ...values: SQLInputValue[]): T[]
  get<T>(sql: string, ...values: SQLInputValue[]): T | undefined
  /** @returns rows changed, and the id of the last row inserted */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number }
  /** Runs `work` in one transaction: all of it is kept, or none. What is kept is on disk when it returns. Not nested. */
  transaction<T>(work: () => T): T
  /**
   * Runs `work` now, in a transaction with what else is written in the next moment: for what comes in thousands and nobody waits for.
   * All of `work` is kept, or none. From `GATHER` later on it survives the end of the hub, and from the next `transaction` on, before
   * which it is kept, a power cut: the disk is not waited for. Inside a transaction it is part of it.
   */
  soon<T>(work: () => T): T
  /**
   * Tells of each row of a table that any statement writes or removes, as it does; and without an id when rows may have been put
   * back as they were.
   */
  follow(table: string, touched: (id?: number) => void): void
  /** Calls `lost` when what `soon` had run could not be kept. */
  onLost(lost: () => void): void
  close(): void
}

/**
 * Makes the file where there is none, and closes it to others before anything is in it, together with what a hub that was killed left beside
 * it: stream keys and passphrases stand in all of them as they are used. Journals that SQLite makes later take the mode of the file.
 */
function keepPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  for (const each of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(each)) chmodSync(each, 0o600)
}

/**
 * Opens the database and brings it to the newest version.
 * @param file path, or `:memory:`
 * @throws when the file was written by a newer version of the hub
 */
export function openDatabase(file: string): Database {
  if (file !== ':memory:') keepPrivate(file)
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string) => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = connection.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  const followers: ((id?: number) => void)[] = []
  const losers: (() => void)[] = []
  /** Runs while the transaction of `soon` is open. */
  let gathering: NodeJS.Timeout | undefined
  /** `soon` is running its work. */
  let inWork = false
  /** A followed table was written since the last transaction began. */
  let written = false

  function tookBack(): void {
    if (written) for (const touched of followers) touched()
    written = false
  }

  function lost(error: unknown): void {
    clearTimeout(gathering)
    gathering = undefined
    if (connection.isTransaction) connection.exec('ROLLBACK')
    connection.exec('PRAGMA synchronous=FULL')
    tookBack()
    console.error('gathered writes were lost:', error)
    for (const tell of losers) tell()
  }

  /** Begins the transaction of `soon`. */
  function gather(): void {
    connection.exec('PRAGMA synchronous=NORMAL')
    try {
      connection.exec('BEGIN IMMEDIATE')
    } catch (error) {
      connection.exec('PRAGMA synchronous=FULL')
      throw error
    }
    written = false
    gathering = setTimeout(settle, GATHER)
  }

  /** Ends the transaction of `soon`. */
  function settle(): void {
    if (!gathering) return
    try {
      connection.exec('COMMIT; PRAGMA synchronous=FULL')
      clearTimeout(gathering)
      gathering = undefined
    } catch (error) {
      lost(error)
    }
  }

  const database: Database = {
    all: <T>(sql: string, ...values: SQLInputValue[]) => prepared(sql).all(...values) as T[],
    get: <T>(sql: string, ...values: SQLInputValue[]) => prepared(sql).get(...values) as T | undefined,
    run(sql, ...values) {
      // A write of its own is on disk at once, as ever.
      if (!inWork) settle()
      const { changes, lastInsertRowid } = prepared(sql).run(...values)
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    },
    transaction(work) {
      settle()
      connection.exec('BEGIN IMMEDIATE')
      written = false
      try {
        const result = work()
        connection.exec('COMMIT')
        return result
      } catch (error) {
        if (connection.isTransaction) connection.exec('ROLLBACK')
        tookBack()
        throw error
      }
    },
    soon(work) {
      if (inWork || (connection.isTransaction && !gathering)) return work()
      if (!gathering) gather()
      connection.exec('SAVEPOINT work')
      inWork = true
      try {
        const result = work()
        connection.exec('RELEASE work')
        return result
      } catch (error) {
        // A full disk ends the whole transaction.
        if (!connection.isTransaction) lost(error)
        else {
          connection.exec('ROLLBACK TO work; RELEASE work')
          tookBack()
        }
        throw error
      } finally {
        inWork = false
      }
    },
    follow(table, touched) {
      followers.push(touched)
      const name = `touched_${table}`
      connection.function(name, (id) => {
        written = true
        touched(Number(id))
        return null
      })
      // Triggers of this connection alone: they are no part of the file.
      for (const [verb, row] of Object.entries({ INSERT: 'NEW', UPDATE: 'NEW', DELETE: 'OLD' }))
        connection.exec(
          `CREATE TEMP TRIGGER ${name}_${verb} AFTER ${verb} ON main.${table} BEGIN SELECT ${name}(${row}.id); END`
        )
    },
    onLost: (tell) => void losers.push(tell),
    close() {
      settle()
      connection.close()
    }
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
