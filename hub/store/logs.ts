// The operation log (what users did) and the event log (what the hub and the devices did), each kept as long as the settings say.
import type { ChangedBy } from '../../contract/call.ts'
import { LOG_ERROR, LOG_INFO, LOG_MORE, type LogLine, type LogType } from '../../contract/log.ts'
import type { Database } from './database.ts'
import { conditionOf, type LogSight, type Sought } from './log-filter.ts'
import { createFlood } from './rate-limit.ts'

/** Lines a minute about attempts of people who are nobody: of one address, and of all. The last one says that more follow unwritten. */
export const NOBODY_LINES = { each: 60, all: 600 }
/** Lines a minute about refused attempts of devices: of one serial, and of all. */
export const REFUSED_LINES = { each: 6, all: 120 }

/**
 * Lines a minute about the coming and going of one device. Of a whole fleet that goes at once each line is written; one whose cable is
 * loose must not push out what the others said.
 */
export const PRESENCE_LINES = { each: 12, all: Number.POSITIVE_INFINITY }
const PRESENCE = new Set(['device-online', 'device-offline'])

/** Marks what nobody did. */
const NOBODY = 'nobody'

/** Lines that anybody can cause, by log. They take a tenth of it at most, so that a flood pushes out only its own. */
const ANYBODYS: Readonly<Partial<Record<LogType, string>>> = {
  operation: `objects = ' ${NOBODY} '`,
  device: "kind = 'device' AND event = 'device-refused'"
}
const ANYBODYS_SHARE = 10

const DAY = 86_400_000
const HOUR = 3_600_000
/** Lines removed at once, so that no write waits long: what is left goes with the next ones. */
const TRIM_MAX = 2000
/** Newest lines looked through for who changed an object. */
const LOOK_BACK = 20_000
/** Lines read at once for a file. */
const CHUNK = 1000

/** Objects of a line that are written: the last ones. Of a line about several devices enough are left to tell that it is one. */
const OBJECTS_MAX = 100

/** How much is kept of each log. */
export interface Kept {
  'max-lines': number
  'max-days': number
}

export interface OperationLine {
  time: number
  user: string
  ip: string
  /** Path of the call. */
  event: string
  detail: string
  code: number
  /** What it is about, as 'channel:100001'. */
  objects?: readonly string[]
  /** Whoever calls is not signed in, and was refused. */
  nobody?: boolean
}

interface EventLine {
  time: number
  level: number
  event: string
  detail: string
  sn: string
}

type Shown = Omit<LogLine, 'level'> & { level?: number }

/** What is read of each log, and how a row becomes a line. */
const TABLES = {
  operation: { table: 'operation_log', columns: 'id, time, user, ip, event, detail, code' },
  system: { table: 'event_log', columns: 'id, time, level, event, detail' },
  device: { table: 'event_log', columns: 'id, time, level, event, detail, sn' }
} as const

/** @param keep what the settings say */
export function logs(database: Database, keep: () => Kept, now: () => number = Date.now) {
  const nobody = createFlood(NOBODY_LINES.each, NOBODY_LINES.all, now)
  const refused = createFlood(REFUSED_LINES.each, REFUSED_LINES.all, now)
  const presence = createFlood(PRESENCE_LINES.each, PRESENCE_LINES.all, now)

  /** Lines still to be written of each log until it is trimmed, when that was last done, and under which settings. */
  const due: Record<LogType, { after: number; at: number; kept: string }> = {
    operation: { after: 0, at: 0, kept: '' },
    system: { after: 0, at: 0, kept: '' },
    device: { after: 0, at: 0, kept: '' }
  }

  /** Removes the oldest of the lines that `where` holds for; `id` is the newest to go. @returns whether some are left over */
  function remove(table: string, where: string, ...values: (string | number)[]): boolean {
    const sql = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT ${TRIM_MAX})`
    return database.run(sql, ...values).changes === TRIM_MAX
  }

  /** Called with each line; does something with each hundredth part of the log that is new, each hour, and when the settings changed. */
  function trim(type: LogType): void {
    const settings = keep()
    const kept = `${settings['max-lines']} ${settings['max-days']}`
    const mine = due[type]
    if (--mine.after > 0 && now() - mine.at < HOUR && mine.kept === kept) return
    const { table } = TABLES[type]
    const kind = type === 'operation' ? '1' : `kind = '${type}'`
    // The line after the newest `count` of those for which `where` holds: it goes, and all before it.
    const beyond = (where: string, count: number) =>
      database.get<{ id: number }>(
        `SELECT id FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT 1 OFFSET ?`,
        Math.max(0, count)
      )?.id ?? 0
    let left = remove(table, `${kind} AND time < ?`, now() - settings['max-days'] * DAY)
    left = remove(table, `${kind} AND id <= ?`, beyond(kind, settings['max-lines'])) || left
    const where = ANYBODYS[type]
    const share = Math.floor(settings['max-lines'] / ANYBODYS_SHARE)
    if (where) left = remove(table, `${where} AND id <= ?`, beyond(where, share)) || left
    due[type] = { after: left ? 1 : Math.ceil(settings['max-lines'] / 100), at: now(), kept }
  }

  function select(filter: Sought, sight: LogSight | undefined, rest: string, ...values: number[]): LogLine[] {
    const { table, columns } = TABLES[filter.type]
    const condition = conditionOf(filter, sight)
    const sql = `SELECT ${columns} FROM ${table} WHERE ${condition.sql} ${rest}`
    return database.all<Shown>(sql, ...condition.values, ...values).map(({ level, sn, ...line }) => ({
      ...line,
      level: level ?? (line.code === 0 ? LOG_INFO : LOG_ERROR),
      ...(sn && { sn })
    }))
  }

  return {
    /**
     * Writes a line of the operation log.
     * @returns false when it was left out: too many attempts of nobody from this address within the minute
     */
    addOperation(line: OperationLine): boolean {
      const pace = line.nobody ? nobody.take(line.ip) : 'write'
      if (pace === 'drop') return false
      const objects = line.nobody ? [NOBODY] : (line.objects ?? []).slice(-OBJECTS_MAX)
      database.run(
        'INSERT INTO operation_log (time, user, ip, event, detail, code, objects) VALUES (?, ?, ?, ?, ?, ?, ?)',
        line.time,
        line.user,
        line.ip,
        line.event,
        pace === 'last' ? `${line.detail} ${LOG_MORE}`.trim() : line.detail,
        line.code,
        objects.length > 0 ? ` ${objects.join(' ')} ` : ''
      )
      trim('operation')
      return true
    },
    /** Writes a line of the event log. @returns false when it was left out: too many of its kind from this device */
    addEvent(kind: 'system' | 'device', line: EventLine): boolean {
      const flood = line.event === 'device-refused' ? refused : PRESENCE.has(line.event) ? presence : undefined
      if (flood?.take(line.sn) === 'drop') return false
      database.run(
        'INSERT INTO event_log (time, level, kind, event, detail, sn) VALUES (?, ?, ?, ?, ?, ?)',
        line.time,
        line.level,
        kind,
        line.event,
        line.detail,
        line.sn
      )
      trim(kind)
      return true
    },
    /** A page of the lines that a filter lets through, newest first, and how many there are. */
    list(filter: Sought, start: number, count: number, sight?: LogSight): { total: number; list: LogLine[] } {
      const { table } = TABLES[filter.type]
      const { sql, values } = conditionOf(filter, sight)
      const total = database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${sql}`, ...values)?.n ?? 0
      if (count === 0 || start >= total) return { total, list: [] }
      return { total, list: select(filter, sight, 'ORDER BY id DESC LIMIT ? OFFSET ?', count, start) }
    },
    /** All lines that a filter lets through now, newest first, read a few at a time: what is written meanwhile is not among them. */
    all(filter: Sought, sight?: LogSight): Generator<LogLine[]> {
      const { table } = TABLES[filter.type]
      const newest = database.get<{ id: number }>(`SELECT coalesce(max(id), 0) AS id FROM ${table}`)?.id ?? 0
      return (function* () {
        let before = newest + 1
        for (;;) {
          const lines = select(filter, sight, 'AND id < ? ORDER BY id DESC LIMIT ?', before, CHUNK)
          if (lines.length > 0) yield lines
          if (lines.length < CHUNK) return
          before = lines.at(-1)?.id ?? 0
        }
      })()
    },
    /** Empties a log, or takes one device's lines out of the device log. */
    clear(type: LogType, sn?: string): void {
      if (type === 'operation') database.run('DELETE FROM operation_log')
      else if (type === 'device' && sn) database.run('DELETE FROM event_log WHERE kind = ? AND sn = ?', type, sn)
      else database.run('DELETE FROM event_log WHERE kind = ?', type)
    },
    /** Who last changed an object, as far as the newest lines tell. */
    changedBy(object: string): ChangedBy | undefined {
      return database.get<ChangedBy>(
        `SELECT user AS name, time, event FROM operation_log
         WHERE id > (SELECT coalesce(max(id), 0) FROM operation_log) - ${LOOK_BACK} AND code = 0 AND instr(objects, ?) > 0
         ORDER BY id DESC LIMIT 1`,
        ` ${object} `
      )
    }
  }
}

export type Logs = ReturnType<typeof logs>
