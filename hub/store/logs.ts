// The operation log (actions of users) and the event log (events of the hub and the devices).
import type { LastChange } from '../../contract/call.ts'
import { LOG_MORE, type LogType } from '../../contract/log.ts'
import { createRateLimit, type RateLimit } from '../../process-log/rate-limit.ts'
import { ANONYMOUS_RATE } from '../../web-server/anonymous-rate.ts'
import type { Database } from '../database/database.ts'
import { type ChainCheck, LogChain } from './log-chain.ts'
import { type LogPage, LogReader } from './log-reader.ts'
import {
  ANONYMOUS_OBJECT,
  LogAge,
  type LogClocks,
  type LogRetention,
  LogTrimmer,
  PANEL_OBJECT
} from './log-retention.ts'

/** Lines a minute about refused devices: per serial number, and in total. */
export const REFUSED_DEVICE_RATE = { each: 6, all: 120 }
/**
 * Lines a minute about one device coming online and going offline. There is no total limit: when a whole site goes
 * offline, each device is logged. A device with a loose cable must not displace the lines of the others.
 */
export const PRESENCE_RATE = { each: 12, all: Number.POSITIVE_INFINITY }
const PRESENCE_EVENTS = new Set(['device-online', 'device-offline'])

/** Newest lines searched for the user who changed an object. */
const CHANGED_BY_DEPTH = 20_000
/** Objects stored per line: the last ones. A line with more than one device shows that it is a bulk operation. */
const OBJECTS_MAX = 100

interface OperationLine {
  time: number
  user: string
  /** Name of the access token with which the user's program made the change. */
  token?: string | undefined
  ip: string
  /** Path of the call. */
  event: string
  detail: string
  code: number
  /** Objects of the call, for instance `channel:100001`. */
  objects?: readonly string[]
  /** Whether the caller is not signed in and was refused. */
  anonymous?: boolean
  /** Whether a panel of the NDI router made the change, which is not signed in. */
  panel?: boolean
}

interface EventLine {
  time: number
  level: number
  event: string
  detail: string
  sn: string
  /** ID of the channel that the line is about. */
  channel?: number | undefined
}

/** Value of the column `channel` of lines that are not about a channel. */
const NO_CHANNEL = 0

const SYSTEM_CLOCKS: LogClocks = { now: Date.now, monotonic: () => performance.now() }

export class Logs {
  readonly reader: LogReader
  /** The clock by which lines grow old. */
  readonly age: LogAge
  readonly #database: Database
  readonly #trimmer: LogTrimmer
  readonly #chain: LogChain
  readonly #anonymousRate: RateLimit
  readonly #refusedDeviceRate: RateLimit
  readonly #presenceRate: RateLimit

  /** @param retention reads the settings */
  constructor(database: Database, retention: () => LogRetention, clocks: LogClocks = SYSTEM_CLOCKS) {
    const now = () => clocks.now()
    this.#database = database
    this.reader = new LogReader(database)
    this.age = new LogAge(database, clocks)
    this.#trimmer = new LogTrimmer(database, retention, this.age)
    this.#chain = new LogChain(database)
    this.#anonymousRate = createRateLimit(ANONYMOUS_RATE.each, ANONYMOUS_RATE.all, now)
    this.#refusedDeviceRate = createRateLimit(REFUSED_DEVICE_RATE.each, REFUSED_DEVICE_RATE.all, now)
    this.#presenceRate = createRateLimit(PRESENCE_RATE.each, PRESENCE_RATE.all, now)
  }

  /**
   * Writes a line to the operation log.
   * @returns false if the line was dropped, because of too many anonymous lines within the minute
   */
  addOperation(line: OperationLine): boolean {
    const verdict = line.anonymous ? this.#anonymousRate.take(line.ip) : 'write'
    if (verdict === 'drop') return false
    const objects = line.anonymous ? [ANONYMOUS_OBJECT] : (line.objects ?? []).slice(-OBJECTS_MAX)
    if (line.panel) objects.unshift(PANEL_OBJECT)
    const { time, user, token = '', ip, event, code } = line
    const stored = {
      time,
      user,
      token,
      ip,
      event,
      code,
      detail: verdict === 'last' ? `${line.detail} ${LOG_MORE}`.trim() : line.detail,
      objects: objects.length > 0 ? ` ${objects.join(' ')} ` : ''
    }
    // Lines of anonymous clients and of panels are removed out of their order.
    const isChained = !line.anonymous && !line.panel
    const { hash, previous } = isChained ? this.#chain.append(stored) : { hash: '', previous: '' }
    this.#database.run(
      `INSERT INTO operation_log (time, user, token, ip, event, detail, code, objects, hash, previous)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[time, user, token, ip, event, stored.detail, code, stored.objects, hash, previous]
    )
    this.#trimmer.lineAdded('operation')
    return true
  }

  /**
   * Writes a line to the event log. @returns false if the line was dropped, because of too many lines about this device
   */
  addEvent(kind: 'system' | 'device', line: EventLine): boolean {
    if (this.#rateLimitOf(line.event)?.take(line.sn) === 'drop') return false
    this.#database.run(
      'INSERT INTO event_log (time, level, kind, event, detail, sn, channel) VALUES (?, ?, ?, ?, ?, ?, ?)',
      line.time,
      line.level,
      kind,
      line.event,
      line.detail,
      line.sn,
      line.channel ?? NO_CHANNEL
    )
    this.#trimmer.lineAdded(kind)
    return true
  }

  #rateLimitOf(event: string): RateLimit | undefined {
    if (event === 'device-refused') return this.#refusedDeviceRate
    return PRESENCE_EVENTS.has(event) ? this.#presenceRate : undefined
  }

  /** `LogReader.list` in this thread. */
  list(...args: Parameters<LogReader['list']>): LogPage {
    return this.reader.list(...args)
  }

  /**
   * Clears a log, or removes the lines of one device from the device log. The operation log keeps the lines about
   * cleared logs.
   */
  clear(type: LogType, sn?: string): void {
    if (type === 'operation') this.#chain.clear()
    else if (type === 'device' && sn) this.#database.run('DELETE FROM event_log WHERE kind = ? AND sn = ?', type, sn)
    else this.#database.run('DELETE FROM event_log WHERE kind = ?', type)
  }

  /** Checks whether lines of the operation log were changed or removed outside the hub. */
  checkChain(): ChainCheck {
    return this.#chain.check()
  }

  /** The user who last changed an object, if one of the newest lines shows it. */
  changedBy(object: string): LastChange | undefined {
    const row = this.#database.get<Omit<LastChange, 'token'> & { token: string | null }>(
      `SELECT user AS name, token, time, event FROM operation_log
       WHERE id > (SELECT coalesce(max(id), 0) FROM operation_log) - ${CHANGED_BY_DEPTH} AND code = 0 AND instr(objects, ?) > 0
       ORDER BY id DESC LIMIT 1`,
      ` ${object} `
    )
    if (!row) return undefined
    const { token, ...change } = row
    return { ...change, ...(token && { token }) }
  }
}
