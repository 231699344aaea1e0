// Rules for what a schedule holds (schedule.ts). They take text, as a form field gives it.

import type { Schedule } from '../stream/schedule.ts'
import type { Fault } from './rules.ts'

/** A time of day: 00:00 to 23:59. */
export function scheduleTime(value: string): Fault | undefined {
  if (value === '') return { name: 'required' }
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : { name: 'invalid' }
}

/** A time zone that this machine knows by name. Offsets as `+02:00` are none: they know no daylight saving. */
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

/** A schedule as a form holds it, whose times are those of a time field: whole, or empty. Each rule needs both, and a day. */
export function scheduleRules({ rules }: Schedule): Fault | undefined {
  return rules.every(({ days, start, stop }) => days && start && stop) ? undefined : { name: 'required' }
}
