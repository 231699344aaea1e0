// Removes the oldest lines of a log when it exceeds the configured number of lines or days. The age of a line does not
// depend on the system clock: a clock that jumps forward by a year would otherwise make all lines too old at once.
// The operation log keeps the lines of its last 90 days even if fewer lines are configured: it shows who configured so.
import { LOG_DAYS, LOG_LINES } from '../../contract/limits.ts'
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

/** Column of `log_day` with the newest ID of a table. */
const DAY_COLUMNS = { operation_log: 'operation_id', event_log: 'event_id', timeline: 'timeline_id' } as const

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
export class LogAge {
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
      `INSERT OR REPLACE INTO log_day (time, wall, operation_id, event_id, timeline_id) VALUES (?, ?,
         (SELECT coalesce(max(id), 0) FROM operation_log), (SELECT coalesce(max(id), 0) FROM event_log),
         (SELECT coalesce(max(id), 0) FROM timeline))`,
      now,
      this.#clocks.now()
    )
  }

  /**
   * The newest ID of a table whose line is known to be older than `days`; 0 if there is none. With few lines, it may be
   * some days older.
   */
  newestIdBefore(table: keyof typeof DAY_COLUMNS, days: number): number {
    return this.#newestBefore(table, days)?.id ?? 0
  }

  /** Forgets which lines are older than more days than these. */
  forgetBefore(days: number): void {
    const row = this.#newestBefore('operation_log', days)
    if (row) this.#database.run('DELETE FROM log_day WHERE time < ?', row.time)
  }

  #newestBefore(table: keyof typeof DAY_COLUMNS, days: number): { id: number; time: number } | undefined {
    const column = DAY_COLUMNS[table]
    return this.#database.get<{ id: number; time: number }>(
      `SELECT ${column} AS id, time FROM log_day WHERE time <= ? ORDER BY time DESC LIMIT 1`,
      this.now() - days * DAY
    )
  }
}

/** When a log is trimmed next: after so many lines, after an hour, or when the settings changed. */
interface TrimState {
  linesLeft: number
  trimmedAt: number
  settings: string
}

/**
 * The number of lines of which the limited ones have their shares, and with which a log may grow before it is trimmed
 * again. In the operation log, a small number in the settings removes no lines of clients without an account.
 */
const linesToKeep = (type: LogType, { 'max-lines': maxLines }: LogRetention): number =>
  type === 'operation' ? Math.max(maxLines, LOG_LINES.default) : maxLines

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
  constructor(database: Database, retention: () => LogRetention, age: LogAge) {
    this.#database = database
    this.#retention = retention
    this.#age = age
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
    const linesLeft = isIncomplete ? 1 : Math.ceil(linesToKeep(type, retention) / 100)
    this.#states[type] = { linesLeft, trimmedAt: now, settings }
  }

  /** @returns whether lines to remove are left */
  #trim(type: LogType, retention: LogRetention): boolean {
    const { 'max-lines': maxLines, 'max-days': maxDays } = retention
    const table = type === 'operation' ? 'operation_log' : 'event_log'
    const ofType = type === 'operation' ? '1' : `kind = '${type}'`
    const tooOld = this.#age.newestIdBefore(table, maxDays)
    this.#age.forgetBefore(maxDays)
    let isIncomplete = this.#remove(table, `${ofType} AND id <= ?`, tooOld)
    isIncomplete =
      (type === 'operation' ? this.#trimOperations(maxLines) : this.#keepNewest(table, ofType, maxLines)) ||
      isIncomplete
    for (const { where, share } of LIMITED_LINES[type] ?? [])
      isIncomplete = this.#keepNewest(table, where, Math.floor(linesToKeep(type, retention) / share)) || isIncomplete
    return isIncomplete
  }

  /** Removes the lines beyond `maxLines` that are older than 90 days. @returns whether lines to remove are left */
  #trimOperations(maxLines: number): boolean {
    const oldEnough = this.#age.newestIdBefore('operation_log', LOG_DAYS.min)
    const isIncomplete = oldEnough > 0 && this.#keepNewest('operation_log', '1', maxLines, oldEnough)
    // IDs count the lines faster than the database does.
    const { n = 0 } = this.#database.get<{ n: number | null }>('SELECT max(id) - min(id) AS n FROM operation_log') ?? {}
    if ((n ?? 0) < LOG_LINES.max) return isIncomplete
    return this.#keepNewest('operation_log', '1', LOG_LINES.max) || isIncomplete
  }

  /**
   * Removes all lines that match but the newest `count`.
   * @param upTo ID of the newest line that may be removed
   * @returns whether lines to remove are left
   */
  #keepNewest(table: LogTable, where: string, count: number, upTo = Number.MAX_SAFE_INTEGER): boolean {
    const newestToRemove =
      this.#database.get<{ id: number }>(
        `SELECT id FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT 1 OFFSET ?`,
        Math.max(0, count)
      )?.id ?? 0
    return this.#remove(table, `${where} AND id <= ?`, Math.min(newestToRemove, upTo))
  }

  /** Removes the oldest lines that match, at most `TRIM_MAX`. @returns whether lines to remove are left */
  #remove(table: LogTable, where: string, value: number): boolean {
    const oldest = `SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT ${TRIM_MAX}`
    return this.#database.run(`DELETE FROM ${table} WHERE id IN (${oldest})`, value).changes === TRIM_MAX
  }
}
