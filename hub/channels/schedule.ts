// Evaluates a channel schedule at a given time. Pure functions; times are milliseconds since the epoch.
import type { Schedule } from '../../contract/stream/schedule.ts'
import {
  DAY,
  eventPeriod,
  localDay,
  mergePeriods,
  type Period,
  rulePeriods,
  type WallClock,
  wallClock
} from '../../contract/stream/schedule-periods.ts'

/** Days before and after today whose rules are evaluated: a week, and one more for periods that cross midnight. */
const DAYS_BEFORE = 2
const DAYS_AFTER = 9

/** A time at which a schedule starts or stops a channel. */
export interface ScheduleSwitch {
  time: number
  enable: boolean
}

/** The periods of the rules around a time during which the channel should run, in order. */
function weeklyPeriods({ rules }: Schedule, now: number, clock: WallClock): Period[] {
  const today = localDay(now, clock)
  return mergePeriods(rulePeriods(rules, today - DAYS_BEFORE * DAY, today + DAYS_AFTER * DAY, clock))
}

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
  const weekly = weeklyPeriods(schedule, now, clock)
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

/** Whether a channel that keeps to a schedule has to be stopped at a time. */
export function isStoppedBy(schedule: Schedule, now: number): boolean {
  const state = evaluateSchedule(removeEndedEvents(schedule, now), now)
  return state?.isRequired === true && !state.enable
}

/**
 * Whether a schedule stops a channel when the clock is set: its next start or stop has passed at the new time. Before
 * that, a channel that was started by hand goes on.
 */
export function isStoppedByClock(schedule: Schedule, now: number, time: number): boolean {
  const next = evaluateSchedule(schedule, now)?.next
  return next !== undefined && next.time <= time && evaluateSchedule(schedule, time)?.enable === false
}

/**
 * Whether a changed schedule stops a running channel at once. One that was started by hand, and not by the schedule
 * before, runs until the next scheduled stop.
 */
export const isStoppedByChange = (previous: Schedule, schedule: Schedule, now: number): boolean =>
  evaluateSchedule(previous, now)?.enable === true && isStoppedBy(schedule, now)
