// Schedule: starts and stops a channel by the wall clock of a time zone, including daylight saving time.

export type { Schedule, ScheduleEvent, ScheduleRule } from './schedule.schema.ts'

/** All bits of `days`. */
export const EVERY_DAY = 127
