// The operation log (what users did) and the event log (what the hub and the devices did). Each keeps its newest lines.
import { LOG_ERROR, LOG_INFO, type LogLine } from '../../contract/log.ts'
import type { Database } from './database.ts'

/** Lines kept of each log. */
const KEPT = 10_000

interface OperationRow {
  id: number
  time: number
  user: string
  ip: string
  event: string
  detail: string
  code: number
}

interface EventRow {
  id: number
  time: number
  level: number
  event: string
  detail: string
  sn: string
}

export function logs(database: Database) {
  const trim = (table: 'operation_log' | 'event_log', newest: number) => {
    if (newest % 100 === 0) database.run(`DELETE FROM ${table} WHERE id <= ?`, newest - KEPT)
  }
  return {
    addOperation(line: Omit<OperationRow, 'id'>): void {
      const { id } = database.run(
        'INSERT INTO operation_log (time, user, ip, event, detail, code) VALUES (?, ?, ?, ?, ?, ?)',
        line.time,
        line.user,
        line.ip,
        line.event,
        line.detail,
        line.code
      )
      trim('operation_log', id)
    },
    addEvent(kind: 'system' | 'device', line: Omit<EventRow, 'id'>): void {
      const { id } = database.run(
        'INSERT INTO event_log (time, level, kind, event, detail, sn) VALUES (?, ?, ?, ?, ?, ?)',
        line.time,
        line.level,
        kind,
        line.event,
        line.detail,
        line.sn
      )
      trim('event_log', id)
    },
    /** Newest first. */
    list(type: LogRequestType, start: number, count: number): { total: number; list: LogLine[] } {
      if (type === 'operation') {
        const total = database.get<{ n: number }>('SELECT count(*) AS n FROM operation_log')?.n ?? 0
        const rows = database.all<OperationRow>(
          'SELECT * FROM operation_log ORDER BY id DESC LIMIT ? OFFSET ?',
          count,
          start
        )
        return { total, list: rows.map((row) => ({ ...row, level: row.code === 0 ? LOG_INFO : LOG_ERROR })) }
      }
      const total = database.get<{ n: number }>('SELECT count(*) AS n FROM event_log WHERE kind = ?', type)?.n ?? 0
      const rows = database.all<EventRow>(
        'SELECT id, time, level, event, detail, sn FROM event_log WHERE kind = ? ORDER BY id DESC LIMIT ? OFFSET ?',
        type,
        count,
        start
      )
      return { total, list: rows.map(({ sn, ...row }) => (sn ? { ...row, sn } : row)) }
    }
  }
}

type LogRequestType = 'operation' | 'system' | 'device'

export type Logs = ReturnType<typeof logs>
