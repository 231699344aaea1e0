// Days as values of a date field: YYYY-MM-DD in the browser's time zone.
import type { Fault } from '../../contract/rules/rules.ts'
import { hubNow } from '../ui/clock.ts'

/** The end of a day: milliseconds since the epoch. */
export const endOfDay = (day: string): number => new Date(`${day}T23:59:59.999`).getTime()

/** The day of a time. */
export const dayOf = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

/** A day that has not passed, or none. */
export const futureDay = (day: string): Fault | undefined =>
  day && endOfDay(day) <= hubNow() ? { name: 'invalid' } : undefined
