// Removes the oldest lines of a log when it exceeds the configured number of lines or days. The age of a line does not
// depend on the system clock: a clock that jumps forward by a year would otherwise make all lines too old at once.
import type { LogType } from '../../contract/log.ts'
import type { Database } from '../database/database.ts'

/** Limits of each log. */
export interface LogRetention {
  'max-lines': number
  'max-days': number
}

/** Stored as the object of lines about refused requests without a session. */
export const ANONYMOUS_OBJECT = 'nobody'

/** Stored as the first object of lines about panels of the NDI router, which have no session. */
export const PANEL_OBJECT = 'panel'

/**
 * SQL conditions for the lines of a log that clients without an account can cause, and the part of the log that they
 * take at most: refused requests a tenth, and what panels do a quarter.
 */
const LIMITED_LINES: Readonly<Partial<Record<LogType, readonly { where: string; share: number }[]>>> = {
  operation: [
    { where: `objects = ' ${ANONYMOUS_OBJECT} '`, share: 10 },
    { where: `objects GLOB ' ${PANEL_OBJECT} *'`, share: 4 }
  ],
  device: [{ where: "kind = 'device' AND event = 'device-refused'", share: 10 }]
}

const DAY = 86_400_000
const HOUR = 3_600_000
/** Lines removed at once, so that no write takes long. The next writes remove the rest. */
const TRIM_MAX = 2000

/**
 * The longest pause of the hub, in milliseconds, that counts in full for the age of lines. How long the hub was stopped
 * is known from the system clock only, which may be wrong. After a longer pause, lines are kept longer.
 */
const PAUSE_MAX = 7 * DAY

type LogTable = 'operation_log' | 'event_log'

/** The clocks from which the age of lines is computed, in milliseconds. */
export interface LogClocks {
  /** The system clock, since the epoch. */
  now(): number
  /** Time that has passed, for example `performance.now`. It never jumps. */
  monotonic(): number
}

/**
 * The clock of the logs. It advances while the hub runs, at most by `PAUSE_MAX` while it does not, and never backwards.
 * Once a day it stores its time with the newest ID of each log, from which follows which lines are older than some
 * days.
 */
class LogAge {
  readonly #database: Database
  readonly #clocks: LogClocks
  readonly #startTime: number
  readonly #startedAt: number
  #recorded: number

  constructor(database: Database, clocks: LogClocks) {
    this.#database = database
    this.#clocks = clocks
    const last = database.get<{ time: number; wall: number }>(
      'SELECT time, wall FROM log_day ORDER BY time DESC LIMIT 1'
    )
    const pause = last ? Math.min(Math.max(0, clocks.now() - last.wall), PAUSE_MAX) : 0
    this.#startTime = (last?.time ?? 0) + Math.floor(pause)
    this.#startedAt = clocks.monotonic()
    this.#recorded = last?.time ?? Number.NEGATIVE_INFINITY
  }

  /** Milliseconds since the first line. */
  now(): number {
    return this.#startTime + Math.floor(this.#clocks.monotonic() - this.#startedAt)
  }

  /** Called after each new line. Stores the newest IDs once a day. */
  lineAdded(): void {
    const now = this.now()
    if (now - this.#recorded < DAY) return
    this.#recorded = now
    this.#database.run(
      `INSERT OR REPLACE INTO log_day (time, wall, operation_id, event_id) VALUES (?, ?,
         (SELECT coalesce(max(id), 0) FROM operation_log), (SELECT coalesce(max(id), 0) FROM event_log))`,
      now,
      this.#clocks.now()
    )
  }

  /**
   * The newest ID of a table whose line is known to be older than `days`; 0 if there is none. With few lines, it may be
   * some days older.
   */
  newestIdBefore(table: LogTable, days: number): number {
    const column = table === 'operation_log' ? 'operation_id' : 'event_id'
    const row = this.#database.get<{ id: number; time: number }>(
      `SELECT ${column} AS id, time FROM log_day WHERE time <= ? ORDER BY time DESC LIMIT 1`,
      this.now() - days * DAY
    )
    if (row) this.#database.run('DELETE FROM log_day WHERE time < ?', row.time)
    return row?.id ?? 0
  }
}

/** When a log is trimmed next: after so many lines, after an hour, or when the settings changed. */
interface TrimState {
  linesLeft: number
  trimmedAt: number
  settings: string
}

export class LogTrimmer {
  readonly #database: Database
  readonly #retention: () => LogRetention
  readonly #age: LogAge
  readonly #states: Record<LogType, TrimState> = {
    operation: { linesLeft: 0, trimmedAt: 0, settings: '' },
    system: { linesLeft: 0, trimmedAt: 0, settings: '' },
    device: { linesLeft: 0, trimmedAt: 0, settings: '' }
  }

  /** @param retention reads the settings */
  constructor(database: Database, retention: () => LogRetention, clocks: LogClocks) {
    this.#database = database
    this.#retention = retention
    this.#age = new LogAge(database, clocks)
  }

  /** Called for each new line. Trims once per hundredth of the log, once an hour, and when the settings changed. */
  lineAdded(type: LogType): void {
    this.#age.lineAdded()
    const now = this.#age.now()
    const retention = this.#retention()
    const settings = `${retention['max-lines']} ${retention['max-days']}`
    const state = this.#states[type]
    if (--state.linesLeft > 0 && now - state.trimmedAt < HOUR && state.settings === settings) return
    const isIncomplete = this.#trim(type, retention)
    const linesLeft = isIncomplete ? 1 : Math.ceil(retention['max-lines'] / 100)
    this.#states[type] = { linesLeft, trimmedAt: now, settings }
  }

  /** @returns whether lines to remove are left */
  #trim(type: LogType, { 'max-lines': maxLines, 'max-days': maxDays }: LogRetention): boolean {
    const table = type === 'operation' ? 'operation_log' : 'event_log'
    const ofType = type === 'operation' ? '1' : `kind = '${type}'`
    const tooOld = this.#age.newestIdBefore(table, maxDays)
    let isIncomplete = this.#remove(table, `${ofType} AND id <= ?`, tooOld)
    isIncomplete = this.#keepNewest(table, ofType, maxLines) || isIncomplete
    for (const { where, share } of LIMITED_LINES[type] ?? [])
      isIncomplete = this.#keepNewest(table, where, Math.floor(maxLines / share)) || isIncomplete
    return isIncomplete
  }

  /** Removes all lines that match but the newest `count`. @returns whether lines to remove are left */
  #keepNewest(table: LogTable, where: string, count: number): boolean {
    const newestToRemove =
      this.#database.get<{ id: number }>(
        `SELECT id FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT 1 OFFSET ?`,
        Math.max(0, count)
      )?.id ?? 0
    return this.#remove(table, `${where} AND id <= ?`, newestToRemove)
  }

  /** Removes the oldest lines that match, at most `TRIM_MAX`. @returns whether lines to remove are left */
  #remove(table: LogTable, where: string, value: number): boolean {
    const oldest = `SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT ${TRIM_MAX}`
    return this.#database.run(`DELETE FROM ${table} WHERE id IN (${oldest})`, value).changes === TRIM_MAX
  }
}
