// Schemas of stream/channel-calendar.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG } from '../codes.ts'
import { own, queryNumber } from '../fields.schema.ts'
import { CALENDAR_DAYS_MAX, CALENDAR_ENTRIES_MAX } from '../limits.ts'

const time = queryNumber(0, Number.MAX_SAFE_INTEGER)

const period = {
  from: z.int().meta(own('Start in milliseconds since the epoch')),
  to: z.int().meta(own('End in milliseconds since the epoch'))
}

export const CalendarEntry = z.object({
  channel: z.int().meta(own('Id of the channel')),
  name: z.string().meta(own('Its name')),
  ...period,
  rule: z.int().optional().meta(own('Place of the weekly rule in `schedule.rules`')),
  event: z.int().optional().meta(own('Place of the single event in `schedule.events`')),
  manual: z
    .enum(['start', 'stop'])
    .optional()
    .meta(
      own(
        '`start`: the channel was started by hand and runs until its schedule starts it, else to the end of the range. `stop`: it does not run at this time of its schedule, because it was stopped by hand or its start was refused'
      )
    )
})

export const CalendarConflict = z.object({
  kind: z.enum(['input', 'device', 'ndi', 'decoder']).meta(own('`input`, `device`, `ndi`, `decoder`')),
  name: z.string().optional().meta(own('Name of the source or decoder. Absent if the caller may not see it')),
  ...period,
  channels: z
    .array(z.object({ id: z.int(), name: z.string() }))
    .meta(own('The channels that use it then and that the caller may see, each with `id` and `name`')),
  hidden: z.int().optional().meta(own('Number of further channels that use it'))
})

export type CalendarEntry = z.infer<typeof CalendarEntry>
export type CalendarConflict = z.infer<typeof CalendarConflict>

export const channelCalendarSchemas = {
  'GET /channel/calendar': {
    summary:
      'Lists when schedules run the channels, with the conflicts: a source or a decoder that several channels use at the same time. A started channel without a schedule uses its sources and decoders all the time; one that was started or stopped by hand, until the next change by its schedule.',
    request: z.object({
      from: time.describe('milliseconds since the epoch; default: now'),
      to: time.describe(
        `milliseconds since the epoch, at most ${CALENDAR_DAYS_MAX} days after \`from\`; default: 7 days after it`
      ),
      channel: queryNumber(0, Number.MAX_SAFE_INTEGER).describe(
        'id of a channel: the response concerns this channel alone, and has `uses`'
      )
    }),
    requestNote: `Each list has at most ${CALENDAR_ENTRIES_MAX} entries, the earliest ones`,
    response: z.object({
      zone: z.string().meta(own('Time zone of the hub, as in the IANA database')),
      list: z.array(CalendarEntry),
      more: z.int().optional().meta(own('Number of further entries of `list`')),
      conflicts: z.array(CalendarConflict),
      'more-conflicts': z.int().optional().meta(own('Number of further conflicts')),
      uses: z
        .array(CalendarConflict)
        .optional()
        .meta(
          own('With `channel`: when each other channel uses a source or decoder of this one, whatever its schedule is')
        ),
      'more-uses': z.int().optional().meta(own('Number of further entries of `uses`'))
    }),
    errors: { [INVALID_ARG]: '`to` is not after `from`, or too far' },
    source: 'own',
    examples: [{}, { from: 1795392000000, to: 1795996800000, channel: 3 }]
  }
} satisfies CallSchemas
