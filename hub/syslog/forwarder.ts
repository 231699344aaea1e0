// Sends each new line of the operation log and of the event log to a syslog server, so that a copy exists that nobody
// on this machine can change. Lines are read from the database after their commit. While the server cannot be reached
// they wait there.
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOG_ERROR, LOG_INFO } from '../../contract/log.ts'
import type { SyslogTarget } from '../../contract/settings.ts'
import type { SyslogStatus } from '../../contract/syslog/status.ts'
import { logger } from '../../process-log/logger.ts'
import type { Store } from '../store/store.ts'
import { openConnection, REFUSAL_TIME, type SyslogConnection, sendOnce } from './connection.ts'
import { formatMessage, type SyslogLine, type SyslogSource } from './message.ts'

/** Lines read and sent at once. */
const BATCH = 100
/** Milliseconds in which new lines are collected. */
const COLLECT = 100
/** Milliseconds after a failure. They double up to the longest. */
const FIRST_RETRY = 1000
const LONGEST_RETRY = 60_000
/** Milliseconds between writes of the position: after a crash, lines of this time are sent twice. */
const POSITION_INTERVAL = 30_000

const QUERIES: Readonly<Record<SyslogSource, string>> = {
  operation: `SELECT id, time, CASE code WHEN 0 THEN 1 ELSE 3 END AS level, event, detail, user, nullif(token, '') AS token, ip, code, hash
    FROM operation_log WHERE id > ? ORDER BY id LIMIT ${BATCH}`,
  event: `SELECT id, time, level, event, detail, sn FROM event_log WHERE id > ? ORDER BY id LIMIT ${BATCH}`
}
const SOURCES: readonly SyslogSource[] = ['operation', 'event']

export class SyslogForwarder {
  readonly #store: Store
  readonly #unsubscribe: () => void
  /** ID of the last line of each log that was sent. */
  #position: Record<SyslogSource, number>
  #storedAt = performance.now()
  #connection: SyslogConnection | undefined
  /** The server as JSON; empty if none is set. */
  #target = ''
  #timer: NodeJS.Timeout | undefined
  #isSending = false
  #retry = FIRST_RETRY
  /** Why lines cannot be sent, and since when. */
  #failure: { error: Error; since: number } | undefined
  /** Since when lines can be sent, in milliseconds since the epoch. */
  #sendingSince: number | undefined
  #lastSent: number | undefined
  /** Why datagrams of the current round were refused. */
  #refusal: Error | undefined
  /** The position before the lines that may still be refused. */
  #round: { start: Record<SyslogSource, number>; sentAt: number } | undefined
  #isClosed = false

  constructor(store: Store) {
    this.#store = store
    this.#position = store.settings.get('syslog-position') ?? this.#newest()
    const target = store.settings.get('syslog')
    if (target.protocol !== 'off') this.#target = JSON.stringify(target)
    this.#unsubscribe = store.changes.subscribe((topic) => {
      if (topic === 'log' && !this.#failure) this.#schedule(COLLECT)
    })
    this.#schedule(COLLECT)
  }

  /** Another server was set, or none. */
  settingChanged(): void {
    this.#disconnect()
    if (!this.#target) this.#position = this.#newest()
    this.#failure = undefined
    this.#sendingSince = undefined
    this.#round = undefined
    this.#retry = FIRST_RETRY
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#schedule(0)
  }

  /** The state of the server, without words. */
  status(): Omit<SyslogStatus, 'error'> & { failure?: Error } {
    const { protocol } = this.#store.settings.get('syslog')
    if (protocol === 'off') return { state: 'off', queued: 0 }
    const sent = this.#lastSent === undefined ? {} : { 'last-sent': this.#lastSent }
    const queued = this.#countQueued()
    if (this.#failure) {
      const { error, since } = this.#failure
      return { state: 'failing', since, failure: error, queued, ...sent }
    }
    if (this.#sendingSince === undefined) return { state: 'connecting', queued, ...sent }
    return { state: protocol === 'tcp' ? 'connected' : 'sending', since: this.#sendingSince, queued, ...sent }
  }

  /** Sends a message over a connection of its own. @throws why it could not be sent */
  async sendTest(target: SyslogTarget, user: string): Promise<void> {
    const line = { id: 0, time: Date.now(), level: LOG_INFO, event: 'syslog-test', detail: '', user }
    await sendOnce(target, formatMessage('event', line, hostname()))
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    this.#disconnect()
    if (this.#target) this.#storePosition()
  }

  #schedule(delay: number): void {
    if (this.#isClosed || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#send()
    }, delay).unref()
  }

  async #send(): Promise<void> {
    if (this.#isSending) return this.#schedule(COLLECT)
    const target = this.#store.settings.get('syslog')
    if (target.protocol === 'off') {
      // A server that is set later gets the lines from then on.
      this.#position = this.#newest()
      this.#target = ''
      return
    }
    this.#isSending = true
    try {
      this.#refusal = undefined
      const before = { ...this.#position }
      if (!this.#recentRound()) this.#round = { start: before, sentAt: performance.now() }
      let hasMore = true
      while (hasMore && this.#isCurrent(target)) hasMore = await this.#sendBatch(target)
      if (!this.#isCurrent(target)) return this.#schedule(COLLECT)
      const hasSent = SOURCES.some((source) => this.#position[source] > before[source])
      if (target.protocol === 'udp' && this.#failure) {
        // Only datagrams without a refusal show that the server is back.
        if (!hasSent) return this.#scheduleRetry()
        await sleep(REFUSAL_TIME)
      }
      if (this.#refusal) throw this.#refusal
      this.#recordSuccess(target)
    } catch (error) {
      if (this.#isCurrent(target)) this.#recordFailure(target, error as Error)
      else this.#schedule(COLLECT)
    } finally {
      this.#isSending = false
    }
  }

  /** @returns whether there are more lines */
  async #sendBatch(target: SyslogTarget): Promise<boolean> {
    const text = JSON.stringify(target)
    if (text !== this.#target) this.#disconnect()
    this.#target = text
    const connection = this.#connection ?? (await this.#connect(target))
    if (!this.#isCurrent(target)) {
      connection.close()
      return false
    }
    this.#connection = connection
    let hasMore = false
    for (const source of SOURCES) {
      const lines = this.#store.database.all<SyslogLine & { id: number }>(QUERIES[source], this.#position[source])
      if (lines.length === 0) continue
      const host = hostname()
      await connection.send(lines.map((line) => formatMessage(source, line, host)))
      this.#position[source] = lines.at(-1)?.id ?? 0
      this.#lastSent = Date.now()
      hasMore ||= lines.length === BATCH
    }
    if (performance.now() - this.#storedAt > POSITION_INTERVAL) this.#storePosition()
    return hasMore
  }

  /** Whether lines are still to be sent to this server: another one may have been set while it was awaited. */
  #isCurrent(target: SyslogTarget): boolean {
    return !this.#isClosed && JSON.stringify(this.#store.settings.get('syslog')) === JSON.stringify(target)
  }

  #recordSuccess({ host }: SyslogTarget): void {
    this.#retry = FIRST_RETRY
    this.#sendingSince ??= Date.now()
    if (!this.#failure) return
    this.#failure = undefined
    this.#store.logEvent({ event: 'syslog-reached', detail: host })
  }

  #recordFailure({ protocol, host, port }: SyslogTarget, error: Error): void {
    this.#disconnect()
    logger.warn('Lines could not be sent to the syslog server', { host, port, error: error.message })
    this.#sendingSince = undefined
    const isNew = !this.#failure
    this.#failure = { error, since: this.#failure?.since ?? Date.now() }
    if (isNew) {
      this.#store.logEvent({ event: 'syslog-failed', detail: `${host}: ${error.message}`, level: LOG_ERROR })
    }
    // Refused datagrams are lost, so their lines are sent again.
    const start = this.#recentRound()
    if (protocol === 'udp' && start) this.#position = start
    this.#round = undefined
    this.#scheduleRetry()
  }

  #recentRound(): Record<SyslogSource, number> | undefined {
    return this.#round && performance.now() - this.#round.sentAt < 2 * REFUSAL_TIME ? this.#round.start : undefined
  }

  #scheduleRetry(): void {
    this.#schedule(this.#retry)
    this.#retry = Math.min(LONGEST_RETRY, this.#retry * 2)
  }

  async #connect(target: SyslogTarget): Promise<SyslogConnection> {
    const connection = await openConnection(target, (error) => {
      if (this.#connection !== connection || this.#isClosed) return
      if (this.#isSending) this.#refusal = error
      else this.#recordFailure(target, error)
    })
    return connection
  }

  /** Lines that were not sent. */
  #countQueued(): number {
    const { operation, event } = this.#position
    const countOf = (table: string, position: number) =>
      this.#store.database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE id > ?`, position)?.n ?? 0
    return countOf('operation_log', operation) + countOf('event_log', event)
  }

  #newest(): Record<SyslogSource, number> {
    const newestOf = (table: string) =>
      this.#store.database.get<{ id: number }>(`SELECT coalesce(max(id), 0) AS id FROM ${table}`)?.id ?? 0
    return { operation: newestOf('operation_log'), event: newestOf('event_log') }
  }

  #storePosition(): void {
    this.#storedAt = performance.now()
    const position = { ...this.#position }
    this.#store.database.runBatched(() => this.#store.settings.set('syslog-position', position))
  }

  #disconnect(): void {
    this.#connection?.close()
    this.#connection = undefined
  }
}
