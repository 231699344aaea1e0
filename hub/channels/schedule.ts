// Evaluates a channel schedule at a given time. Pure functions; times are milliseconds since the epoch.
import type { Schedule, ScheduleRule } from '../../contract/stream/schedule.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Days before and after today whose rules are evaluated: a week, and one more for periods that cross midnight. */
const DAYS_BEFORE = 2
const DAYS_AFTER = 9

/** A time at which a schedule starts or stops a channel. */
export interface ScheduleSwitch {
  time: number
  enable: boolean
}

interface Period {
  from: number
  to: number
}

/** Converts a time to the local time of a zone, as if that were UTC. */
type WallClock = (time: number) => number

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

/**
 * Converts a local time to a time. A local time that occurs twice (end of summer time) gives the first one; one that is skipped (start of
 * summer time) gives the end of the gap.
 */
function instantOf(local: number, clock: WallClock): number {
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

/** The periods around a time during which the channel should run, in order. Overlapping and adjacent periods are merged. */
function activePeriods({ rules }: Schedule, now: number, clock: WallClock): Period[] {
  const today = Math.floor(clock(now) / DAY) * DAY
  const periods: Period[] = []
  for (let day = -DAYS_BEFORE; day <= DAYS_AFTER; day++) {
    const date = today + day * DAY
    for (const rule of rules) {
      if ((rule.days & weekdayBit(date)) === 0) continue
      const { start, stop } = ruleMinutes(rule)
      const from = instantOf(date + start * MINUTE, clock)
      const to = instantOf(date + stop * MINUTE, clock)
      if (to > from) periods.push({ from, to })
    }
  }
  return mergePeriods(periods)
}

function mergePeriods(periods: readonly Period[]): Period[] {
  const merged: Period[] = []
  for (const period of periods.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && period.from <= last.to) last.to = Math.max(last.to, period.to)
    else merged.push(period)
  }
  return merged
}

/** Start and stop of a rule in minutes since midnight of the first day; the stop is later than the start. */
function ruleMinutes({ start, stop }: ScheduleRule): { start: number; stop: number } {
  const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const [from, to] = [toMinutes(start), toMinutes(stop)]
  return { start: from, stop: to > from ? to : to + 24 * 60 }
}

/** Bit of the weekday of a date, Monday first. 1970-01-01 was a Thursday. */
const weekdayBit = (date: number) => 1 << ((date / DAY + 3) % 7)

/**
 * Evaluates a schedule.
 * @returns whether the channel should run now, the next switch, and the time of the last one. Undefined for a schedule without rules;
 * without `next` if the channel always runs.
 */
export function evaluateSchedule(
  schedule: Schedule,
  now: number
): { enable: boolean; next?: ScheduleSwitch; last?: number } | undefined {
  if (schedule.rules.length === 0) return undefined
  const periods = activePeriods(schedule, now, wallClock(schedule.zone))
  const current = periods.find(({ from, to }) => from <= now && now < to)
  const following = periods.find(({ from }) => from > now)
  const previous = periods.findLast(({ to }) => to <= now)
  if (!current)
    return {
      enable: false,
      ...(following && { next: { time: following.from, enable: true } }),
      ...(previous && { last: previous.to })
    }
  // A period that lasts until the end of the evaluated days never ends.
  const isEndless = current === periods.at(-1) && current.to - now > (DAYS_AFTER - 2) * DAY
  return { enable: true, ...(!isEndless && { next: { time: current.to, enable: false } }), last: current.from }
}
