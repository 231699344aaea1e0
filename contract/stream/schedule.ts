// When a channel starts and stops by itself: by the wall clock of a time zone, whatever that clock does in spring and autumn.

/** Bits of `days`: Monday is the first, Sunday the last. */
export const EVERY_DAY = 127

export interface ScheduleRule {
  /** Mask of the days on which it begins: Monday 1, Tuesday 2 ... Sunday 64. */
  days: number
  /** `HH:MM`. A time that a night skips is the first minute after the gap; one that comes twice is the first of the two. */
  start: string
  /** `HH:MM`: of the next day when it is not later than `start`, so that the same time twice is a whole day. */
  stop: string
}

export interface Schedule {
  /** Name of the IANA data base, as `Europe/Berlin`. */
  zone: string
  /** None: the channel is started and stopped by hand alone. */
  rules: ScheduleRule[]
}
