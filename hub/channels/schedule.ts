// What a schedule says of an instant: on or off, and when that changes next. Pure: instants are milliseconds since the epoch.
import type { Schedule, ScheduleRule } from '../../contract/stream/schedule.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Days around the present one whose rules are looked at: a week on, and one more for what runs past midnight. */
const DAYS_BACK = 2
const DAYS_ON = 9

/** A change of what a schedule wants. */
export interface Edge {
  at: number
  enable: boolean
}

/** Says what the clocks of a zone show: that time as if it were UTC. */
export type WallClock = (at: number) => number

export function wallClock(zone: string): WallClock {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' }
  })
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  }
}

/** The instant at which clocks show `shown`: the first when they show it twice, the end of the gap when they skip it. */
export function instantOf(shown: number, clock: WallClock): number {
  const offsets = [-DAY, DAY].map((away) => clock(shown + away) - (shown + away))
  const [early, late] = offsets.map((offset) => shown - offset).sort((a, b) => a - b) as [number, number]
  for (const at of [early, late]) if (clock(at) === shown) return at
  // Skipped: the clocks jump somewhere between the two readings of it.
  let [before, after] = [early, late]
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE
    if (clock(middle) < shown) before = middle
    else after = middle
  }
  return after
}

/** When the rules hold around an instant, in order; what touches or overlaps is one. */
function spans({ rules }: Schedule, now: number, clock: WallClock): { from: number; to: number }[] {
  const today = Math.floor(clock(now) / DAY) * DAY
  const all: { from: number; to: number }[] = []
  for (let day = -DAYS_BACK; day <= DAYS_ON; day++) {
    const date = today + day * DAY
    for (const rule of rules) {
      if ((rule.days & dayBit(date)) === 0) continue
      const { start, stop } = minutes(rule)
      const from = instantOf(date + start * MINUTE, clock)
      const to = instantOf(date + stop * MINUTE, clock)
      if (to > from) all.push({ from, to })
    }
  }
  all.sort((a, b) => a.from - b.from)
  const merged: typeof all = []
  for (const span of all) {
    const last = merged.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else merged.push(span)
  }
  return merged
}

/** Since midnight of the day on which it begins; the stop is later than the start. */
function minutes({ start, stop }: ScheduleRule): { start: number; stop: number } {
  const [from, to] = [start, stop].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) as [
    number,
    number
  ]
  return { start: from, stop: to > from ? to : to + 24 * 60 }
}

/** 1970 began on a Thursday. */
const dayBit = (date: number) => 1 << ((date / DAY + 3) % 7)

/**
 * What a schedule says at `now`: whether the channel is to run, the next change, and the last one.
 * @returns undefined for one without rules; no `next` where it never changes
 */
export function scheduled(
  schedule: Schedule,
  now: number
): { enable: boolean; next?: Edge; last?: number } | undefined {
  if (schedule.rules.length === 0) return undefined
  const all = spans(schedule, now, wallClock(schedule.zone))
  const present = all.find(({ from, to }) => from <= now && now < to)
  const coming = all.find(({ from }) => from > now)
  const past = all.findLast(({ to }) => to <= now)
  if (!present)
    return {
      enable: false,
      ...(coming && { next: { at: coming.from, enable: true } }),
      ...(past && { last: past.to })
    }
  // One that reaches the end of what was looked at goes on for ever.
  const endless = present === all.at(-1) && present.to - now > (DAYS_ON - 2) * DAY
  return { enable: true, ...(!endless && { next: { at: present.to, enable: false } }), last: present.from }
}
