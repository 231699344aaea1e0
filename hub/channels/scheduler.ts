// Starts and stops channels as their schedules say. Between two edges a channel is left as it is, so that what was done by hand holds.
import { LOG_WARNING } from '../../contract/log.ts'
import type { Schedule } from '../../contract/stream/schedule.ts'
import { type ChannelRow, lifeOf } from '../store/channels.ts'
import { licenseExcess, licenseUsage } from '../store/license-usage.ts'
import type { Store } from '../store/store.ts'
import { type Edge, scheduled } from './schedule.ts'

/** Milliseconds after which the clock is looked at even if nothing is due: it may have been set. */
const LOOK = 30_000
/** Milliseconds for which a schedule without a next edge is taken to have none. */
const DAY = 86_400_000

export interface SchedulerOptions {
  store: Pick<Store, 'database' | 'channels' | 'settings' | 'note'>
  /** A channel has passed an edge of its schedule: it may have been started or stopped, and has another next edge. */
  edge(id: number): void
  /** Milliseconds since the epoch. */
  clock?: () => number
}

export interface Scheduler {
  /** Brings all channels to what their schedules say now, and keeps them there. Tells nobody of these first changes. */
  start(): void
  /** A channel's schedule is another one now: it takes over at once. Call it when that is kept. */
  changed(id: number): void
  /** When a channel is started or stopped next. */
  next(row: ChannelRow): Edge | undefined
  /** Looks at the clock. It does so by itself. */
  look(): void
  close(): void
}

interface Known {
  /** The schedule as it is stored. */
  text: string
  /** When this was found out. */
  at: number
  enable: boolean
  next: Edge | undefined
}

export function createScheduler({ store, edge, clock = Date.now }: SchedulerOptions): Scheduler {
  const { channels, database, settings } = store
  const known = new Map<number, Known>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  /** What a channel's schedule says now; undefined for one without. It is worked out anew only when it can have changed. */
  function said({ id, schedule: text }: ChannelRow): Known | undefined {
    const now = clock()
    const before = known.get(id)
    if (before?.text === text && now >= before.at && now < (before.next?.at ?? before.at + DAY)) return before
    const state = text === '' ? undefined : scheduled(JSON.parse(text) as Schedule, now)
    if (!state) {
      known.delete(id)
      return undefined
    }
    const fresh = { text, at: now, enable: state.enable, next: state.next }
    known.set(id, fresh)
    return fresh
  }

  /** @returns whether the channel was switched */
  function bring(row: ChannelRow, enable: boolean): boolean {
    if ((row.enable === 1) === enable) return false
    return database.transaction(() => {
      const before = licenseUsage(database)
      channels.setEnable(row.id, enable)
      if (licenseExcess(settings.get('license-limits'), before, licenseUsage(database))) {
        channels.setEnable(row.id, false)
        store.note({ event: 'schedule-refused', detail: row.name, level: LOG_WARNING })
        return false
      }
      store.note({ event: enable ? 'schedule-start' : 'schedule-stop', detail: row.name })
      return true
    })
  }

  function look(): void {
    if (closed) return
    clearTimeout(timer)
    let wait = LOOK
    const rows = channels.all()
    for (const row of rows) {
      const due = known.get(row.id)?.next
      const state = said(row)
      if (state && due && clock() >= due.at) {
        bring(row, state.enable)
        edge(row.id)
      }
      const next = state?.next
      if (next) wait = Math.min(wait, Math.max(next.at - clock(), 0))
    }
    for (const id of known.keys()) if (!rows.some((row) => row.id === id)) known.delete(id)
    timer = setTimeout(look, wait)
  }

  return {
    start() {
      for (const row of channels.all()) {
        const state = said(row)
        if (state) bring(row, state.enable)
      }
      look()
    },
    changed(id) {
      const row = channels.byId(id)
      const state = row && said(row)
      if (state && bring(row, state.enable)) edge(id)
      look()
    },
    next(row) {
      return lifeOf(row).schedule.rules.length > 0 ? said(row)?.next : undefined
    },
    look,
    close() {
      closed = true
      clearTimeout(timer)
    }
  }
}
