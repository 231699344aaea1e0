// Rules for schedules. They take the text of a form field.

import type { Fault } from './rules.ts'

/** A weekly rule or a single event of a schedule; an event has no `days`. */
interface Slot {
  days?: number
  start: string
  stop: string
}

/** Time of day: 00:00 to 23:59. */
export function scheduleTime(value: string): Fault | undefined {
  if (value === '') return { name: 'required' }
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : { name: 'invalid' }
}

/** Local date and time: `2026-11-29T09:30`. The date must exist. */
export function scheduleDateTime(value: string): Fault | undefined {
  const [date = '', time = ''] = value.split('T')
  const day = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00Z`) : undefined
  const exists = day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
  return exists ? scheduleTime(time) : { name: value === '' ? 'required' : 'invalid' }
}

/** The stop of an event is later than its start. Both have the format of `scheduleDateTime`, which sorts as text. */
export const eventOrder = ({ start, stop }: Pick<Slot, 'start' | 'stop'>): Fault | undefined =>
  stop > start ? undefined : { name: 'order' }

/**
 * IANA time zone that the JavaScript runtime supports. Offsets such as `+02:00` are invalid because they have no
 * daylight saving time.
 */
export function timeZone(value: string): Fault | undefined {
  if (value === '') return { name: 'required' }
  if (!/^[A-Za-z]/.test(value)) return { name: 'invalid' }
  try {
    Intl.DateTimeFormat('en', { timeZone: value })
    return undefined
  } catch {
    return { name: 'invalid' }
  }
}

/**
 * The faults of a weekly rule or an event in a form, where times are valid or empty, by field. Both need a start and a
 * stop, a rule at least one day; an event stops later than it starts.
 */
export function slotFaults({ days, start, stop }: Slot): Partial<Record<keyof Slot, Fault>> {
  const missing: Fault = { name: 'required' }
  const order = days === undefined && start && stop ? eventOrder({ start, stop }) : undefined
  return {
    ...(days === 0 && { days: missing }),
    ...(!start && { start: missing }),
    ...(!stop && { stop: missing }),
    ...(order && { stop: order })
  }
}

/** The first fault of the rules and events of a schedule in a form. */
export const scheduleRules = ({ rules, events = [] }: { rules: Slot[]; events?: Slot[] | undefined }) =>
  [...rules, ...events].flatMap((slot) => Object.values(slotFaults(slot)))[0]
