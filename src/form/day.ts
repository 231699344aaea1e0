// Values of date fields in the browser's time zone.
import type { Fault } from '../../contract/rules/rules.ts'
import { hubNow } from '../ui/clock.ts'

/** The end of a day: milliseconds since the epoch. */
export const endOfDay = (day: string): number => new Date(`${day}T23:59:59.999`).getTime()

/** The value of a field with a time of day: YYYY-MM-DDTHH:MM. @param time milliseconds since the epoch */
export const minuteOf = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** The day of a time: YYYY-MM-DD. */
export const dayOf = (time: number): string => minuteOf(time).slice(0, 10)

/** A day that has not passed, or none. */
export const futureDay = (day: string): Fault | undefined =>
  day && endOfDay(day) <= hubNow() ? { name: 'invalid' } : undefined
