// Rules for schedules. They take the text of a form field.

import type { Schedule } from '../stream/schedule.ts'
import type { Fault } from './rules.ts'

/** Time of day: 00:00 to 23:59. */
export function scheduleTime(value: string): Fault | undefined {
  if (value === '') return { name: 'required' }
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : { name: 'invalid' }
}

/** IANA time zone that the JavaScript runtime supports. Offsets such as `+02:00` are invalid because they have no daylight saving time. */
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

/** A schedule in a form, where times are valid or empty. Every rule needs at least one day, a start and a stop time. */
export function scheduleRules({ rules }: Schedule): Fault | undefined {
  return rules.every(({ days, start, stop }) => days && start && stop) ? undefined : { name: 'required' }
}
