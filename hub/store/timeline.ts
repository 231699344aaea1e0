// The timelines of channels. Entries that repeat each other within a short time become one, and the oldest entries of a
// channel that has too many are removed, so that a stream which fails all day neither fills the disk nor displaces what
// happened to other channels.
import {
  TIMELINE_DAYS,
  TIMELINE_EVENTS,
  TIMELINE_MAX,
  type TimelineEvent,
  type TimelineKind
} from '../../contract/stream/channel-timeline.ts'
import type { Database } from '../database/database.ts'
import type { LogAge } from './log-retention.ts'

/** The channel of entries about the hub, which are in the timeline of every channel. */
export const ALL_CHANNELS = 0

/** How often the same may happen within `REPEAT_TIME` before it is counted in one entry. */
const SINGLE_MAX = 3
/** Milliseconds between repetitions at most, and the longest time that one entry covers. */
const REPEAT_TIME = 600_000
const REPEAT_SPAN = 6 * 3_600_000
/** Entries of one kind and channel within an hour. Further ones are counted in one entry without details. */
const HOURLY_MAX = 120
const HOUR = 3_600_000
/** Entries removed at once. */
const REMOVED_AT_ONCE = 100

const KIND_OF = Object.fromEntries(
  Object.entries(TIMELINE_EVENTS).flatMap(([kind, events]) => events.map((event) => [event, kind]))
) as Readonly<Record<TimelineEvent, TimelineKind>>

/** What an entry says besides its event. Names and codes only: never a secret. */
export interface TimelineFacts {
  /** Name of the user who did it. */
  user?: string
  /** Name of the access token with which the user's program did it. */
  token?: string
  /** Name of an input or output. */
  name?: string
  /** Serial numbers of devices whose names or faults the entry contains. */
  devices?: readonly string[]
  /** Verdict on the channel, or on an input or output, with its numbers. */
  health?: Readonly<Record<string, string | number>>
  /** Reason code of the stream engine. */
  reason?: string
  /** Seconds for which the state before lasted. */
  seconds?: number
  /** Changed fields. */
  fields?: readonly string[]
  /** Names of inputs or outputs that were chosen, added or removed. */
  names?: readonly string[]
  /** Path of the call. */
  call?: string
  /** Address and protocol of a player. */
  address?: string
  protocol?: number
  version?: string
  /** The entry counts what is not listed one by one. */
  isSummary?: boolean
}

export interface NewTimelineEntry {
  /** ID of the channel, or `ALL_CHANNELS`. */
  channel: number
  /** Milliseconds since the epoch. */
  time: number
  /** Start of a gap, in milliseconds since the epoch. */
  since?: number
  event: TimelineEvent
  /** What tells the entry from others of the same event, for example the ID of an output and the cause. */
  subject?: string
  facts?: TimelineFacts
}

interface TimelineRow {
  id: number
  /** ID of the channel, or `ALL_CHANNELS`. */
  channel: number
  time: number
  last: number
  count: number
  kind: TimelineKind
  event: TimelineEvent
  facts: string
}

export interface StoredTimelineEntry extends Omit<TimelineRow, 'facts'> {
  facts: TimelineFacts
}

export interface TimelineFilter {
  /** Milliseconds since the epoch. */
  from?: number
  to?: number
  kinds?: readonly string[]
}

export class Timeline {
  readonly #database: Database
  readonly #age: Pick<LogAge, 'lineAdded' | 'now' | 'newestIdBefore'>
  #trimmedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, age: Pick<LogAge, 'lineAdded' | 'now' | 'newestIdBefore'>) {
    this.#database = database
    this.#age = age
  }

  /** Adds an entry, or counts it in one that it repeats. Call it in a transaction, or in batched work. */
  add({ channel, time, since = time, event, subject = '', facts = {} }: NewTimelineEntry): void {
    const kind = KIND_OF[event]
    const key = `${event} ${subject}`
    if (this.#repeat(channel, key, time)) return
    if (this.#isCrowded(channel, kind, time)) {
      const summaryKey = `${event} *`
      const { isSummary, user, ...rest } = { isSummary: true, ...facts }
      // Who changes a channel more often than people can is named even so.
      const summary = { isSummary, ...(kind === 'change' && user !== undefined && { user, call: rest.call ?? '' }) }
      if (!this.#repeat(channel, summaryKey, time, 1))
        this.#insert({ channel, time, since, event, facts: summary }, kind, summaryKey)
    } else this.#insert({ channel, time, since, event, facts }, kind, key)
    this.#age.lineAdded()
    this.#trim(channel)
  }

  /**
   * Counts an entry in the newest one with its key, if there are several already.
   * @returns whether it is counted
   */
  #repeat(channel: number, key: string, time: number, singles = SINGLE_MAX): boolean {
    const rows = this.#database.all<Pick<TimelineRow, 'id' | 'time' | 'last' | 'count'>>(
      `SELECT id, time, last, count FROM timeline WHERE channel_id = ? AND key = ? ORDER BY id DESC LIMIT ${SINGLE_MAX}`,
      channel,
      key
    )
    const [newest] = rows
    const recent = rows.filter(({ last }) => Math.abs(time - last) <= singles * REPEAT_TIME)
    if (!newest || (newest.count === 1 && recent.length < singles)) return false
    if (Math.abs(time - newest.last) > REPEAT_TIME || Math.abs(time - newest.time) > REPEAT_SPAN) return false
    this.#database.run('UPDATE timeline SET count = count + 1, last = max(last, ?) WHERE id = ?', time, newest.id)
    return true
  }

  #isCrowded(channel: number, kind: TimelineKind, time: number): boolean {
    const { n = 0 } =
      this.#database.get<{ n: number }>(
        'SELECT count(*) AS n FROM timeline WHERE channel_id = ? AND kind = ? AND time > ?',
        ...[channel, kind, time - HOUR]
      ) ?? {}
    return n >= HOURLY_MAX
  }

  #insert({ channel, time, since, event, facts }: NewTimelineEntry, kind: TimelineKind, key: string): void {
    this.#database.run(
      'INSERT INTO timeline (channel_id, time, last, count, kind, event, key, facts) VALUES (?, ?, ?, 1, ?, ?, ?, ?)',
      channel,
      since ?? time,
      ...[time, kind, event, key, JSON.stringify(facts)]
    )
  }

  #trim(channel: number): void {
    const excess = this.#count('WHERE channel_id = ?', channel) - TIMELINE_MAX.channel
    if (excess > 0) this.#removeOldest(channel, excess)
    // Hourly, because the whole table is counted.
    const now = this.#age.now()
    if (now - this.#trimmedAt < HOUR) return
    this.#trimmedAt = now
    this.trimAll()
  }

  /** Removes what is too old, and the oldest entries of the largest timelines if all have too many. */
  trimAll(): void {
    const tooOld = this.#age.newestIdBefore('timeline', TIMELINE_DAYS)
    if (tooOld > 0) this.#database.run('DELETE FROM timeline WHERE id <= ?', tooOld)
    for (let excess = this.#count(''); excess > TIMELINE_MAX.all; excess = this.#count('')) {
      const largest = this.#database.get<{ channel_id: number }>(
        'SELECT channel_id FROM timeline GROUP BY channel_id ORDER BY count(*) DESC LIMIT 1'
      )
      this.#removeOldest(largest?.channel_id ?? ALL_CHANNELS, Math.min(excess - TIMELINE_MAX.all, REMOVED_AT_ONCE))
    }
  }

  #count(where: string, ...values: number[]): number {
    return this.#database.get<{ n: number }>(`SELECT count(*) AS n FROM timeline ${where}`, ...values)?.n ?? 0
  }

  #removeOldest(channel: number, count: number): void {
    const oldest = `SELECT id FROM timeline WHERE channel_id = ?1 ORDER BY last, id LIMIT ${count}`
    this.#database.run(
      `INSERT INTO timeline_removed (channel_id, before)
         SELECT ?1, max(last) + 1 FROM timeline WHERE id IN (${oldest})
       ON CONFLICT (channel_id) DO UPDATE SET before = max(before, excluded.before)`,
      channel
    )
    this.#database.run(`DELETE FROM timeline WHERE id IN (${oldest})`, channel)
  }

  /** Time before which entries of channels, or about the hub, were removed; undefined if none was. */
  removedBefore(...channels: readonly number[]): number | undefined {
    const row = this.#database.get<{ before: number | null }>(
      'SELECT max(before) AS before FROM timeline_removed WHERE channel_id IN (SELECT value FROM json_each(?))',
      JSON.stringify([...channels, ALL_CHANNELS])
    )
    return row?.before ?? undefined
  }

  /** A page of the timelines of channels, newest first, and the number of all entries that match. */
  page(
    channels: number | readonly number[],
    filter: TimelineFilter,
    start: number,
    count: number
  ): { total: number; list: StoredTimelineEntry[] } {
    const { from = 0, to = Number.MAX_SAFE_INTEGER, kinds } = filter
    const ofChannels = 'channel_id IN (SELECT value FROM json_each(?1))'
    // The time before a channel was created does not belong to it.
    const where = `WHERE (${ofChannels} OR (channel_id = ${ALL_CHANNELS} AND last >= coalesce(
        (SELECT min(time) FROM timeline WHERE ${ofChannels} AND kind = 'change' AND event = 'created'), 0)))
      AND last >= ?2 AND time < ?3 AND (?4 = '' OR instr(?4, ',' || kind || ',') > 0)`
    const values = [JSON.stringify([channels].flat()), from, to, kinds ? `,${kinds.join(',')},` : ''] as const
    const { n: total = 0 } =
      this.#database.get<{ n: number }>(`SELECT count(*) AS n FROM timeline ${where}`, ...values) ?? {}
    if (count === 0 || start >= total) return { total, list: [] }
    const rows = this.#database.all<TimelineRow>(
      `SELECT id, channel_id AS channel, time, last, count, kind, event, facts FROM timeline ${where} ORDER BY last DESC, id DESC LIMIT ?5 OFFSET ?6`,
      ...values,
      count,
      start
    )
    return { total, list: rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) as TimelineFacts })) }
  }

  /** When the hub ran last, in milliseconds since the epoch; undefined before its first start. */
  lastAlive(): number | undefined {
    return this.#database.get<{ time: number }>('SELECT time FROM hub_alive')?.time
  }

  setAlive(time: number): void {
    this.#database.run('INSERT OR REPLACE INTO hub_alive (one, time) VALUES (1, ?)', time)
  }
}
