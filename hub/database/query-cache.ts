// Remembers rows that nearly every request reads. Database triggers drop them when a statement writes to one of their
// tables, whatever statement that is, so a remembered row is never older than the database.
import type { RowListener } from './table-watchers.ts'

/** The part of the database that a cache needs. */
interface WatchedDatabase {
  watchTable(table: string, onChange: RowListener): void
}

/** Rows that are remembered by one cache. */
const ROWS_MAX = 2000

/**
 * @param tables all tables that `read` reads
 * @param read reads a row. A row that does not exist is not remembered, because clients can ask for any number of
 * these.
 * @returns `read` with a memory. Its rows are frozen, because callers share them.
 */
export function createQueryCache<Key, Row extends object>(
  database: WatchedDatabase,
  tables: readonly string[],
  read: (key: Key) => Row | undefined
): (key: Key) => Row | undefined {
  const rows = new Map<Key, Row>()
  for (const table of tables) database.watchTable(table, () => rows.clear())
  return (key) => {
    const known = rows.get(key)
    if (known) return known
    const row = read(key)
    if (!row) return undefined
    if (rows.size >= ROWS_MAX) rows.clear()
    rows.set(key, deepFreeze(row))
    return row
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
