// Evaluates a channel schedule at a given time. Pure functions; times are milliseconds since the epoch.
import type { Schedule, ScheduleEvent, ScheduleRule } from '../../contract/stream/schedule.ts'

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
 * Converts a local time to a time. A local time that occurs twice (end of summer time) gives the first one; one that is
 * skipped (start of summer time) gives the end of the gap.
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

/** The periods of the rules around a time during which the channel should run, in order. */
function rulePeriods({ rules }: Schedule, now: number, clock: WallClock): Period[] {
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

/** The period of a single event. */
function eventPeriod({ start, stop }: ScheduleEvent, clock: WallClock): Period {
  const instant = (local: string) => instantOf(Date.parse(`${local}Z`), clock)
  return { from: instant(start), to: instant(stop) }
}

/** Overlapping and adjacent periods become one. */

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

/** The schedule without the events that have ended. */
export function removeEndedEvents(schedule: Schedule, now: number): Schedule {
  const { events, ...rest } = schedule
  if (!events) return schedule
  const clock = wallClock(schedule.zone)
  const remaining = events.filter((event) => eventPeriod(event, clock).to > now)
  return { ...rest, ...(remaining.length > 0 && { events: remaining }) }
}

/** The state that a schedule requires. */
export interface ScheduleState {
  enable: boolean
  /**
   * Whether the channel has to be in this state now. Before a single event, a schedule without rules leaves it as it
   * is, because it may have been started by hand.
   */
  isRequired: boolean
  /** Absent if the channel always runs, or if no event follows. */
  next?: ScheduleSwitch
  /** Time of the last switch. */
  last?: number
}

/** Evaluates a schedule. @returns undefined for a schedule without rules and events */
export function evaluateSchedule(schedule: Schedule, now: number): ScheduleState | undefined {
  const { rules, events = [], zone } = schedule
  if (rules.length + events.length === 0) return undefined
  const clock = wallClock(zone)
  const weekly = rulePeriods(schedule, now, clock)
  const single = events.map((event) => eventPeriod(event, clock)).filter(({ from, to }) => to > from)
  const periods = mergePeriods([...weekly, ...single])
  const current = periods.find(({ from, to }) => from <= now && now < to)
  const following = periods.find(({ from }) => from > now)
  const previous = periods.findLast(({ to }) => to <= now)
  if (!current)
    return {
      enable: false,
      isRequired: rules.length > 0 || single.some(({ to }) => to <= now),
      ...(following && { next: { time: following.from, enable: true } }),
      ...(previous && { last: previous.to })
    }
  // A period of the rules that lasts until the end of the evaluated days never ends.
  const lastOfRules = weekly.at(-1)
  const isEndless = lastOfRules && lastOfRules.from <= now && lastOfRules.to - now > (DAYS_AFTER - 2) * DAY
  return {
    enable: true,
    isRequired: true,
    ...(!isEndless && { next: { time: current.to, enable: false } }),
    last: current.from
  }
}

/** Whether a schedule that is stored now stops the channel at once. */
export function isStoppedBy(schedule: Schedule, now: number): boolean {
  const state = evaluateSchedule(removeEndedEvents(schedule, now), now)
  return state?.isRequired === true && !state.enable
}
