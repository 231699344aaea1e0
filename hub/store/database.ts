// The SQLite database: one file in WAL mode with `synchronous=FULL`, so that committed transactions survive a power cut.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { logger } from '../../process-log/logger.ts'
import { openDatabaseFile } from '../storage/open.ts'

/** Milliseconds for which `runBatched` collects writes: thousands of devices may come online or go offline at once. */
const BATCH_TIME = 100

/** The database. Each statement is prepared once. */
export interface Database {
  all<T>(sql: string, ...values: SQLInputValue[]): T[]
  get<T>(sql: string, ...values: SQLInputValue[]): T | undefined
  /** @returns the number of changed rows, and the ID of the last inserted row */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number }
  /** Runs `work` in one transaction, which is on disk when this returns. If `work` throws, the transaction is rolled back. Not nested. */
  transaction<T>(work: () => T): T
  /**
   * Runs `work` now, in one transaction with the other writes of the next 100 ms: for frequent writes whose commit no caller waits for. If
   * `work` throws, only its own writes are rolled back. The writes survive the end of the process after those 100 ms, and a power cut
   * after the next `transaction`. Inside a transaction `work` is part of it.
   */
  runBatched<T>(work: () => T): T
  /**
   * Calls `onChange` with the ID of each row of a table that a statement inserts, updates or deletes, and without an ID after a rollback
   * that may have restored rows.
   */
  watchTable(table: string, onChange: (id?: number) => void): void
  /** Calls `listener` when the writes of a batch could not be committed. */
  onBatchLost(listener: () => void): void
  close(): void
}

/**
 * Opens the database and migrates it to the newest version.
 * @param file path, or `:memory:`
 * @throws DatabaseRefusedError when it is damaged, missing beside other data, of another program or of a newer hub
 */
export function openDatabase(file: string): Database {
  return new SqliteDatabase(openDatabaseFile(file))
}

class SqliteDatabase implements Database {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #tableWatchers: ((id?: number) => void)[] = []
  readonly #lossListeners: (() => void)[] = []
  /** Set while the transaction of a batch is open. */
  #batchTimer: NodeJS.Timeout | undefined
  /** Whether `runBatched` is running its work. */
  #inBatchedWork = false
  /** Whether a watched table was written since the last transaction began. */
  #watchedTableWritten = false

  constructor(connection: DatabaseSync) {
    this.#connection = connection
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  all<T>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#prepare(sql).all(...values) as T[]
  }

  get<T>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    // A single write outside a transaction is on disk when it returns.
    if (!this.#inBatchedWork) this.#commitBatch()
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values)
    return { changes: Number(changes), id: Number(lastInsertRowid) }
  }

  transaction<T>(work: () => T): T {
    const connection = this.#connection
    this.#commitBatch()
    connection.exec('BEGIN IMMEDIATE')
    this.#watchedTableWritten = false
    try {
      const result = work()
      connection.exec('COMMIT')
      return result
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK')
      this.#reportRollback()
      throw error
    }
  }

  runBatched<T>(work: () => T): T {
    const connection = this.#connection
    if (this.#inBatchedWork || (connection.isTransaction && !this.#batchTimer)) return work()
    if (!this.#batchTimer) this.#beginBatch()
    connection.exec('SAVEPOINT work')
    this.#inBatchedWork = true
    try {
      const result = work()
      connection.exec('RELEASE work')
      return result
    } catch (error) {
      // SQLite ends the whole transaction when the disk is full.
      if (!connection.isTransaction) this.#loseBatch(error)
      else {
        connection.exec('ROLLBACK TO work; RELEASE work')
        this.#reportRollback()
      }
      throw error
    } finally {
      this.#inBatchedWork = false
    }
  }

  watchTable(table: string, onChange: (id?: number) => void): void {
    this.#tableWatchers.push(onChange)
    const name = `touched_${table}`
    this.#connection.function(name, (id) => {
      this.#watchedTableWritten = true
      onChange(Number(id))
      return null
    })
    // Temporary triggers exist in this connection only, and are not stored in the file.
    for (const [verb, row] of Object.entries({ INSERT: 'NEW', UPDATE: 'NEW', DELETE: 'OLD' }))
      this.#connection.exec(
        `CREATE TEMP TRIGGER ${name}_${verb} AFTER ${verb} ON main.${table} BEGIN SELECT ${name}(${row}.id); END`
      )
  }

  onBatchLost(listener: () => void): void {
    this.#lossListeners.push(listener)
  }

  close(): void {
    this.#commitBatch()
    this.#connection.close()
  }

  #reportRollback(): void {
    if (this.#watchedTableWritten) for (const onChange of this.#tableWatchers) onChange()
    this.#watchedTableWritten = false
  }

  #beginBatch(): void {
    const connection = this.#connection
    connection.exec('PRAGMA synchronous=NORMAL')
    try {
      connection.exec('BEGIN IMMEDIATE')
    } catch (error) {
      connection.exec('PRAGMA synchronous=FULL')
      throw error
    }
    this.#watchedTableWritten = false
    this.#batchTimer = setTimeout(() => this.#commitBatch(), BATCH_TIME)
  }

  #commitBatch(): void {
    if (!this.#batchTimer) return
    try {
      this.#connection.exec('COMMIT; PRAGMA synchronous=FULL')
      this.#endBatch()
    } catch (error) {
      this.#loseBatch(error)
    }
  }

  #loseBatch(error: unknown): void {
    this.#endBatch()
    if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
    this.#connection.exec('PRAGMA synchronous=FULL')
    this.#reportRollback()
    logger.error('Batched writes could not be committed', error)
    for (const listener of this.#lossListeners) listener()
  }

  #endBatch(): void {
    clearTimeout(this.#batchTimer)
    this.#batchTimer = undefined
  }
}
