// The periods of a schedule, by the wall clock of its time zone, including daylight saving time. Pure functions; times
// are milliseconds since the epoch.
import type { Schedule, ScheduleEvent, ScheduleRule } from './schedule.ts'

const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

export interface Period {
  from: number
  to: number
}

/** An occurrence of a weekly rule or of a single event, by its place in the schedule. */
export interface SchedulePeriod extends Period {
  rule?: number
  event?: number
}

/** Converts a time to the local time of a zone, as if that were UTC. */
export type WallClock = (time: number) => number

export function wallClock(zone: string): WallClock {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  })
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  }
}

const QUARTER = 15 * MINUTE

/**
 * The same for many times: it remembers the distance of the zone from UTC in each quarter of an hour. Since 1972, no
 * zone has changed its clocks within one.
 */
export function cachedClock(zone: string): WallClock {
  const clock = wallClock(zone)
  const offsets = new Map<number, number>()
  return (time) => {
    const quarter = Math.floor(time / QUARTER) * QUARTER
    const offset = offsets.get(quarter) ?? clock(quarter) - quarter
    offsets.set(quarter, offset)
    return Math.floor(time / 1000) * 1000 + offset
  }
}

/**
 * Converts a local time to a time. A local time that occurs twice (end of summer time) gives the first one; one that is
 * skipped (start of summer time) gives the end of the gap.
 */
export function instantOf(local: number, clock: WallClock): number {
  const offsets = [-DAY, DAY].map((distance) => clock(local + distance) - (local + distance))
  const [early, late] = offsets.map((offset) => local - offset).sort((a, b) => a - b) as [number, number]
  for (const time of [early, late]) if (clock(time) === local) return time
  // The local time is skipped: finds the end of the gap between both candidates by bisection.
  let [before, after] = [early, late]
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE
    if (clock(middle) < local) before = middle
    else after = middle
  }
  return after
}

/** Start and stop of a rule in minutes since midnight of the first day; the stop is later than the start. */
function ruleMinutes({ start, stop }: ScheduleRule): { start: number; stop: number } {
  const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const [from, to] = [toMinutes(start), toMinutes(stop)]
  return { start: from, stop: to > from ? to : to + 24 * 60 }
}

/** The weekday of a local time, as if that were UTC: 0 is Monday. 1970-01-01 was a Thursday. */
export const weekdayOf = (local: number): number => (Math.floor(local / DAY) + 3) % 7

/** The periods of the weekly rules that begin on these local days, which are midnights as if they were UTC. */
export function rulePeriods(rules: readonly ScheduleRule[], first: number, last: number, clock: WallClock) {
  const periods: SchedulePeriod[] = []
  for (let date = first; date <= last; date += DAY) {
    for (const [index, rule] of rules.entries()) {
      if ((rule.days & (1 << weekdayOf(date))) === 0) continue
      const { start, stop } = ruleMinutes(rule)
      const from = instantOf(date + start * MINUTE, clock)
      const to = instantOf(date + stop * MINUTE, clock)
      if (to > from) periods.push({ from, to, rule: index })
    }
  }
  return periods
}

/** The period of a single event. */
export function eventPeriod({ start, stop }: ScheduleEvent, clock: WallClock): Period {
  const instant = (local: string) => instantOf(Date.parse(`${local}Z`), clock)
  return { from: instant(start), to: instant(stop) }
}

/** Overlapping and adjacent periods become one. */
export function mergePeriods(periods: readonly Period[]): Period[] {
  const merged: Period[] = []
  for (const { from, to } of periods.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** Midnight of the local day of a time, as if that were UTC. */
export const localDay = (time: number, clock: WallClock): number => Math.floor(clock(time) / DAY) * DAY

/** The occurrences of a schedule that overlap a range of time, in the order of their starts. */
export function schedulePeriods(
  { zone, rules, events = [] }: Schedule,
  from: number,
  to: number,
  clock = wallClock(zone)
): SchedulePeriod[] {
  // A period that crosses midnight begins up to a day earlier.
  const weekly = rulePeriods(rules, localDay(from, clock) - DAY, localDay(to, clock), clock)
  const single = events.map((event, index) => ({ ...eventPeriod(event, clock), event: index }))
  return [...weekly, ...single]
    .filter((period) => period.to > period.from && period.from < to && period.to > from)
    .sort((a, b) => a.from - b.from || a.to - b.to)
}
