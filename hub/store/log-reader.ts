// Reads the logs. It needs no more than a read-only connection, so that a worker can do it.
import { SUCCESS } from '../../contract/codes.ts'
import { LOG_ERROR, LOG_INFO, type LogEntry } from '../../contract/log.ts'
import type { Database } from '../database/database.ts'
import { type LogVisibility, type ResolvedLogFilter, toSqlCondition } from './log-filter.ts'

/** Lines in a chunk of an export. */
export const LOG_CHUNK = 1000

type LogRow = Omit<LogEntry, 'level'> & { level?: number }

/** Table and columns of each log. */
const TABLES = {
  operation: { table: 'operation_log', columns: 'id, time, user, token, ip, event, detail, code' },
  system: { table: 'event_log', columns: 'id, time, level, event, detail' },
  device: { table: 'event_log', columns: 'id, time, level, event, detail, sn' }
} as const

/** A page of a log: some lines, and the number of all that match the filter. */
export interface LogPage {
  total: number
  list: LogEntry[]
}

export class LogReader {
  readonly #database: Pick<Database, 'all' | 'get'>

  constructor(database: Pick<Database, 'all' | 'get'>) {
    this.#database = database
  }

  /** A page of the lines that match a filter, newest first, and the number of all that match. */
  list(filter: ResolvedLogFilter, start: number, count: number, visibility?: LogVisibility): LogPage {
    const { table } = TABLES[filter.type]
    const { sql, values } = toSqlCondition(filter, visibility)
    const countRow = this.#database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${sql}`, ...values)
    const total = countRow?.n ?? 0
    if (count === 0 || start >= total) return { total, list: [] }
    return { total, list: this.#select(filter, visibility, 'ORDER BY id DESC LIMIT ? OFFSET ?', count, start) }
  }

  /**
   * The newest lines that match a filter, at most `LOG_CHUNK`. Fewer are the last chunk.
   * @param before only lines with a smaller ID
   */
  chunk(filter: ResolvedLogFilter, visibility?: LogVisibility, before = Number.MAX_SAFE_INTEGER): LogEntry[] {
    return this.#select(filter, visibility, 'AND id < ? ORDER BY id DESC LIMIT ?', before, LOG_CHUNK)
  }

  #select(
    filter: ResolvedLogFilter,
    visibility: LogVisibility | undefined,
    suffix: string,
    ...values: number[]
  ): LogEntry[] {
    const { table, columns } = TABLES[filter.type]
    const condition = toSqlCondition(filter, visibility)
    const sql = `SELECT ${columns} FROM ${table} WHERE ${condition.sql} ${suffix}`
    return this.#database.all<LogRow>(sql, ...condition.values, ...values).map(({ level, sn, token, ...line }) => ({
      ...line,
      level: level ?? (line.code === SUCCESS ? LOG_INFO : LOG_ERROR),
      ...(sn && { sn }),
      ...(token && { token })
    }))
  }
}
