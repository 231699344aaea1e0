// Reports the rows of watched tables that statements write. Temporary triggers exist in one connection only, and are
// not stored in the file.
import type { DatabaseSync } from 'node:sqlite'

/**
 * Receives the row ID of a row that was written; none in a table without row IDs, and after a rollback that may have
 * restored rows.
 */
export type RowListener = (id?: number) => void

export class TableWatchers {
  readonly #connection: DatabaseSync
  readonly #listeners = new Map<string, RowListener[]>()
  /** Whether a watched table was written since the transaction, or the work in it, began. */
  #writtenInTransaction = false
  #writtenInWork = false

  constructor(connection: DatabaseSync) {
    this.#connection = connection
  }

  watch(table: string, onChange: RowListener): void {
    const known = this.#listeners.get(table)
    if (known) return void known.push(onChange)
    const listeners = [onChange]
    this.#listeners.set(table, listeners)
    const name = `touched_${table}`
    this.#connection.function(name, (id) => {
      this.#writtenInTransaction = true
      this.#writtenInWork = true
      for (const listener of listeners) listener(id === null ? undefined : Number(id))
      return null
    })
    const { wr: isWithoutRowid } = this.#connection.prepare('SELECT wr FROM pragma_table_list(?)').get(table) ?? {}
    for (const [verb, row] of Object.entries({ INSERT: 'NEW', UPDATE: 'NEW', DELETE: 'OLD' })) {
      const id = isWithoutRowid ? 'NULL' : `${row}.rowid`
      this.#connection.exec(
        `CREATE TEMP TRIGGER ${name}_${verb} AFTER ${verb} ON main.${table} BEGIN SELECT ${name}(${id}); END`
      )
    }
  }

  transactionBegins(): void {
    this.#writtenInTransaction = false
  }

  /** A part of a transaction begins, which can be rolled back alone. */
  workBegins(): void {
    this.#writtenInWork = false
  }

  transactionRolledBack(): void {
    if (this.#writtenInTransaction) this.#reportAll()
  }

  workRolledBack(): void {
    if (this.#writtenInWork) this.#reportAll()
  }

  #reportAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
  }
}
