// Removes the oldest lines of a log when it exceeds the configured number of lines or days.
import type { LogType } from '../../contract/log.ts'
import type { Database } from './database.ts'

/** Limits of each log. */
export interface LogRetention {
  'max-lines': number
  'max-days': number
}

/** Stored as the object of lines about refused requests without a session. */
export const ANONYMOUS_OBJECT = 'nobody'

/** SQL condition for the lines of a log that clients without an account can cause. They take at most a tenth of the log. */
const ANONYMOUS_LINES: Readonly<Partial<Record<LogType, string>>> = {
  operation: `objects = ' ${ANONYMOUS_OBJECT} '`,
  device: "kind = 'device' AND event = 'device-refused'"
}
const ANONYMOUS_SHARE = 10

const DAY = 86_400_000
const HOUR = 3_600_000
/** Lines removed at once, so that no write takes long. The next writes remove the rest. */
const TRIM_MAX = 2000

/** When a log is trimmed next: after so many lines, after an hour, or when the settings changed. */
interface TrimState {
  linesLeft: number
  trimmedAt: number
  settings: string
}

export class LogTrimmer {
  readonly #database: Database
  readonly #retention: () => LogRetention
  readonly #now: () => number
  readonly #states: Record<LogType, TrimState> = {
    operation: { linesLeft: 0, trimmedAt: 0, settings: '' },
    system: { linesLeft: 0, trimmedAt: 0, settings: '' },
    device: { linesLeft: 0, trimmedAt: 0, settings: '' }
  }

  /** @param retention reads the settings */
  constructor(database: Database, retention: () => LogRetention, now: () => number) {
    this.#database = database
    this.#retention = retention
    this.#now = now
  }

  /** Called for each new line. Trims once per hundredth of the log, once an hour, and when the settings changed. */
  lineAdded(type: LogType): void {
    const now = this.#now()
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
    let isIncomplete = this.#remove(table, `${ofType} AND time < ?`, this.#now() - maxDays * DAY)
    isIncomplete = this.#keepNewest(table, ofType, maxLines) || isIncomplete
    const anonymous = ANONYMOUS_LINES[type]
    if (!anonymous) return isIncomplete
    return this.#keepNewest(table, anonymous, Math.floor(maxLines / ANONYMOUS_SHARE)) || isIncomplete
  }

  /** Removes all lines that match but the newest `count`. @returns whether lines to remove are left */
  #keepNewest(table: string, where: string, count: number): boolean {
    const newestToRemove =
      this.#database.get<{ id: number }>(
        `SELECT id FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT 1 OFFSET ?`,
        Math.max(0, count)
      )?.id ?? 0
    return this.#remove(table, `${where} AND id <= ?`, newestToRemove)
  }

  /** Removes the oldest lines that match, at most `TRIM_MAX`. @returns whether lines to remove are left */
  #remove(table: string, where: string, value: number): boolean {
    const oldest = `SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT ${TRIM_MAX}`
    return this.#database.run(`DELETE FROM ${table} WHERE id IN (${oldest})`, value).changes === TRIM_MAX
  }
}
