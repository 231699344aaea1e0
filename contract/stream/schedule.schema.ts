// Schemas of stream/schedule.
import * as z from 'zod'

export const ScheduleRule = z.object({
  days: z.number().describe('Mask of the days on which it starts: Monday 1, Tuesday 2 ... Sunday 64'),
  start: z
    .string()
    .describe(
      '`HH:MM`. When clocks change: a skipped time means the first minute after the gap, a repeated time its first occurrence'
    ),
  stop: z
    .string()
    .describe('`HH:MM`; on the next day if it is not later than `start`. The same time as `start` means 24 hours')
})
/** A single start and stop: local times of the zone, `YYYY-MM-DDTHH:MM`, with the same rule for changing clocks. */
export const ScheduleEvent = z.object({
  start: z.string(),
  stop: z.string().describe('Later than `start`')
})
export const Schedule = z.object({
  zone: z.string().describe('IANA time zone, such as `Europe/Berlin`'),
  rules: z.array(ScheduleRule),
  events: z
    .array(ScheduleEvent)
    .optional()
    .describe('The hub removes an event when it has ended. Without rules and events there is no schedule')
})

export type ScheduleRule = z.infer<typeof ScheduleRule>
export type ScheduleEvent = z.infer<typeof ScheduleEvent>
export type Schedule = z.infer<typeof Schedule>
