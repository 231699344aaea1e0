// Changes of a schedule by moving entries of the week. Times are local, in milliseconds as if they were UTC.
import type { Schedule, ScheduleEvent, ScheduleRule } from '../../../contract/stream/schedule.ts'
import { DAY, type Period, type SchedulePeriod, weekdayOf } from '../../../contract/stream/schedule-periods.ts'
import { calendarTime } from '../../text/dates.ts'

const MINUTE = 60_000
/** Steps of a drag, and of the arrow keys. */
export const STEP = 15 * MINUTE
export const FINE_STEP = 5 * MINUTE

/** A rule or an event by its place in the schedule. */
export type Slot = Pick<SchedulePeriod, 'rule' | 'event'>

/** What is moved: the whole entry, its start or its end. */
export type Edge = 'both' | 'start' | 'stop'

/** An entry after a move. @param delta milliseconds @param step to which the moved time is rounded */
export function movedPeriod({ from, to }: Period, edge: Edge, delta: number, step: number): Period {
  const moved = (time: number) => Math.round((time + delta) / step) * step
  // A rule lasts at most a day. Nobody drags an event beyond it.
  if (edge === 'start') return { from: Math.min(Math.max(moved(from), Math.min(from, to - DAY)), to - step), to }
  if (edge === 'stop') return { from, to: Math.max(Math.min(moved(to), Math.max(to, from + DAY)), from + step) }
  return { from: moved(from), to: moved(from) + to - from }
}

const localMinute = (local: number) => new Date(local).toISOString().slice(0, 16)

const dayBit = (local: number) => 1 << weekdayOf(local)

/**
 * Moves the occurrence of a rule or an event that begins on a day. Of a rule with several days, only this day changes,
 * but the times of all.
 */
export function moveSlot(schedule: Schedule, { rule, event }: Slot, day: number, { from, to }: Period): Schedule {
  const [start, stop] = [calendarTime(from), calendarTime(to)]
  return {
    ...schedule,
    rules: schedule.rules.map((each, index) =>
      index === rule ? { days: (each.days & ~dayBit(day)) | dayBit(from), start, stop } : each
    ),
    ...(schedule.events && {
      events: schedule.events.map((each, index) =>
        index === event ? { start: localMinute(from), stop: localMinute(to) } : each
      )
    })
  }
}

/** The schedule with another weekly time, in a zone. */
export function addRule(schedule: Schedule, zone: string, { from, to }: Period): Schedule {
  const rule = { days: dayBit(from), start: calendarTime(from), stop: calendarTime(to) }
  return { ...schedule, zone, rules: [...schedule.rules, rule] }
}

/** Replaces a rule or an event. @param next removes it if undefined */
export function replaceSlot(schedule: Schedule, slot: Slot, next?: ScheduleRule | ScheduleEvent): Schedule {
  const replaced = <Each>(list: readonly Each[], index?: number): Each[] =>
    index === undefined ? [...list] : list.toSpliced(index, 1, ...(next ? [next as Each] : []))
  const { events } = schedule
  return {
    ...schedule,
    rules: replaced(schedule.rules, slot.rule),
    ...(events && { events: replaced(events, slot.event) })
  }
}
