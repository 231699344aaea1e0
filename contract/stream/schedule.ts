// Schedule: starts and stops a channel by the wall clock of a time zone, including daylight saving time.

/** All bits of `days`. */
export const EVERY_DAY = 127

export interface ScheduleRule {
  /** Mask of the days on which it starts: Monday 1, Tuesday 2 ... Sunday 64. */
  days: number
  /** `HH:MM`. When clocks change: a skipped time means the first minute after the gap, a repeated time its first occurrence. */
  start: string
  /** `HH:MM`; on the next day if it is not later than `start`. The same time as `start` means 24 hours. */
  stop: string
}

/** A single start and stop: local times of the zone, `YYYY-MM-DDTHH:MM`, with the same rule for changing clocks. */
export interface ScheduleEvent {
  start: string
  /** Later than `start`. */
  stop: string
}

export interface Schedule {
  /** IANA time zone, such as `Europe/Berlin`. */
  zone: string
  rules: ScheduleRule[]
  /** The hub removes an event when it has ended. Without rules and events there is no schedule. */
  events?: ScheduleEvent[]
}
