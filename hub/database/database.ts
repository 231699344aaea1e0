// The SQLite database: one file in WAL mode with `synchronous=FULL`, so that committed transactions survive a power
// cut.

import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { StorageFault } from '../../contract/system.ts'
import { logger } from '../../process-log/logger.ts'
import { DeferredWork } from '../storage-fault/deferred-work.ts'
import { probeWrite, reclaimSpace } from '../storage-fault/free-pages.ts'
import { StorageGuard } from '../storage-fault/guard.ts'
import { StorageFaultError } from '../storage-fault/storage-fault.ts'
import { openDatabaseFile } from './open.ts'
import { type RowListener, TableWatchers } from './table-watchers.ts'

/** Milliseconds for which `runBatched` collects writes: thousands of devices may come online or go offline at once. */
const BATCH_TIME = 100

/** The database. Each statement is prepared once. */
export interface Database {
  all<T>(sql: string, ...values: SQLInputValue[]): T[]
  get<T>(sql: string, ...values: SQLInputValue[]): T | undefined
  /** @returns the number of changed rows, and the ID of the last inserted row */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number }
  /**
   * Runs `work` in one transaction, which is on disk when this returns. If `work` throws, the transaction is rolled
   * back. Not nested.
   * @throws StorageFaultError while the storage has a fault
   */
  transaction<T>(work: () => T): T
  /**
   * Like `transaction`, for a record of something that has happened and cannot be refused. During a storage fault
   * `work` is deferred: it runs when the fault ends, unless the process ends first.
   * @returns undefined if `work` was deferred
   */
  transactionOrLater<T>(work: () => T): T | undefined
  /**
   * Like `transaction`, for work that frees space or must be possible when the disk is full: it then runs again with
   * the space of the disk reserve, and unused pages are given back to the file system.
   * @throws StorageFaultError if that does not help either
   */
  essentialTransaction<T>(work: () => T): T
  /**
   * Runs `work` now, in one transaction with the other writes of the next 100 ms: for frequent writes whose commit no
   * caller waits for. If `work` throws, only its own writes are rolled back. The writes survive the end of the process
   * after those 100 ms, and a power cut after the next `transaction`. Inside a transaction `work` is part of it. During
   * a storage fault `work` is deferred like that of `transactionOrLater`.
   * @returns undefined if `work` was deferred
   */
  runBatched<T>(work: () => T): T | undefined
  /** Commits the writes of `runBatched` now, so that other connections see them. */
  commitBatch(): void
  /**
   * Calls `onChange` with the row ID of each row of a table that a statement inserts, updates or deletes, and without
   * an ID after a rollback that may have restored rows.
   */
  watchTable(table: string, onChange: RowListener): void
  /** Calls `listener` when the writes of a batch could not be committed. */
  onBatchLost(listener: () => void): void
  /** @throws StorageFaultError during a storage fault */
  requireWritable(): void
  /** The fault of the storage; undefined while writes are possible. */
  readonly storageFault: StorageFault | undefined
  /** Takes note of an error of any write to the data folder. @returns the storage fault that it reports, if any */
  noteStorageFault(error: unknown): StorageFault | undefined
  /** Calls `listener` when a storage fault begins or ends. */
  onStorageFault(listener: (fault: StorageFault | undefined) => void): void
  close(): void
}

/**
 * Opens the database and migrates it to the newest version.
 * @param file path, or `:memory:`
 * @throws DatabaseRefusedError when it is damaged, missing beside other data, of another program or of a newer hub
 */
export function openDatabase(file: string): Database {
  const guard = new StorageGuard(file === ':memory:' ? undefined : dirname(file))
  return new SqliteDatabase(openDatabaseFile(file, guard), guard)
}

class SqliteDatabase implements Database {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #watchers: TableWatchers
  readonly #lossListeners: (() => void)[] = []
  readonly #faultListeners: ((fault: StorageFault | undefined) => void)[] = []
  readonly #guard: StorageGuard
  /** Work of the open batch, which is repeated if the batch is lost because of a storage fault. */
  #batchWork: (() => unknown)[] = []
  readonly #deferred = new DeferredWork()
  /** Set while the transaction of a batch is open. */
  #batchTimer: NodeJS.Timeout | undefined
  /** Whether `runBatched` is running its work. */
  #inBatchedWork = false

  constructor(connection: DatabaseSync, guard: StorageGuard) {
    this.#connection = connection
    this.#watchers = new TableWatchers(connection)
    this.#guard = guard
    guard.start({ probe: () => probeWrite(connection), onChange: (fault) => this.#faultChanged(fault) })
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
    if (!this.#inBatchedWork) this.commitBatch()
    this.requireWritable()
    try {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...values)
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    } catch (error) {
      throw this.#translate(error)
    }
  }

  transaction<T>(work: () => T): T {
    const connection = this.#connection
    this.commitBatch()
    this.requireWritable()
    try {
      connection.exec('BEGIN IMMEDIATE')
      this.#watchers.transactionBegins()
      const result = work()
      connection.exec('COMMIT')
      return result
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK')
      this.#watchers.transactionRolledBack()
      throw this.#translate(error)
    }
  }

  transactionOrLater<T>(work: () => T): T | undefined {
    try {
      return this.transaction(work)
    } catch (error) {
      if (!(error instanceof StorageFaultError)) throw error
      this.#deferred.add(work)
      return undefined
    }
  }

  essentialTransaction<T>(work: () => T): T {
    try {
      return this.transaction(work)
    } catch (error) {
      if (!(error instanceof StorageFaultError)) throw error
    }
    return this.#guard.useReserve(() => {
      const result = this.transaction(work)
      reclaimSpace(this.#connection, (error) => this.#guard.report(error))
      return result
    })
  }

  runBatched<T>(work: () => T): T | undefined {
    const connection = this.#connection
    if (this.#inBatchedWork || (connection.isTransaction && !this.#batchTimer)) return work()
    if (!this.#guard.isWritable) return this.#deferred.add(work)
    try {
      if (!this.#batchTimer) this.#beginBatch()
      connection.exec('SAVEPOINT work')
      this.#watchers.workBegins()
      this.#inBatchedWork = true
      const result = work()
      connection.exec('RELEASE work')
      this.#batchWork.push(work)
      return result
    } catch (error) {
      // SQLite ends the whole transaction when the disk is full.
      if (this.#batchTimer && !connection.isTransaction) this.#loseBatch(error)
      else if (this.#inBatchedWork) {
        connection.exec('ROLLBACK TO work; RELEASE work')
        this.#watchers.workRolledBack()
      }
      const translated = this.#translate(error)
      if (translated instanceof StorageFaultError) return this.#deferred.add(work)
      throw translated
    } finally {
      this.#inBatchedWork = false
    }
  }

  noteStorageFault(error: unknown): StorageFault | undefined {
    return this.#guard.report(error)
  }

  get storageFault(): StorageFault | undefined {
    return this.#guard.fault
  }

  onStorageFault(listener: (fault: StorageFault | undefined) => void): void {
    this.#faultListeners.push(listener)
  }

  watchTable(table: string, onChange: RowListener): void {
    this.#watchers.watch(table, onChange)
  }

  onBatchLost(listener: () => void): void {
    this.#lossListeners.push(listener)
  }

  close(): void {
    this.commitBatch()
    this.#guard.close()
    this.#connection.close()
  }

  requireWritable(): void {
    if (this.#guard.fault && !this.#guard.isWritable) throw new StorageFaultError(this.#guard.fault)
  }

  /** An error of a write, as callers get it. */
  #translate(error: unknown): unknown {
    if (error instanceof StorageFaultError) return error
    const fault = this.#guard.report(error)
    return fault ? new StorageFaultError(fault, error) : error
  }

  #faultChanged(fault: StorageFault | undefined): void {
    if (fault) logger.error('The storage has a fault: changes are refused', undefined, { fault })
    else {
      logger.info('The storage can be written again')
      this.#deferred.run((work) => this.runBatched(work))
    }
    for (const listener of this.#faultListeners) listener(fault)
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
    this.#watchers.transactionBegins()
    this.#batchTimer = setTimeout(() => this.commitBatch(), BATCH_TIME)
  }

  commitBatch(): void {
    if (!this.#batchTimer) return
    try {
      this.#connection.exec('COMMIT; PRAGMA synchronous=FULL')
      this.#endBatch()
    } catch (error) {
      this.#loseBatch(error)
    }
  }

  #loseBatch(error: unknown): void {
    const lostWork = this.#batchWork
    this.#endBatch()
    if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
    this.#connection.exec('PRAGMA synchronous=FULL')
    this.#watchers.transactionRolledBack()
    if (this.#guard.report(error)) this.#deferred.add(...lostWork)
    else logger.error('Batched writes could not be committed', error)
    for (const listener of this.#lossListeners) listener()
  }

  #endBatch(): void {
    clearTimeout(this.#batchTimer)
    this.#batchTimer = undefined
    this.#batchWork = []
  }
}
