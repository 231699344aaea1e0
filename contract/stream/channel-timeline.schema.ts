// Schemas of stream/channel-timeline.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_EXIST } from '../codes.ts'
import { listOf, own, page, queryId, queryNumber, since } from '../fields.schema.ts'
import { TIMELINE_EVENTS, TIMELINE_KINDS } from './channel-timeline.ts'

export const TimelineKind = z.enum(TIMELINE_KINDS)
export const TimelineEvent = z.enum(Object.values(TIMELINE_EVENTS).flat())

const time = queryNumber(0, Number.MAX_SAFE_INTEGER)

const kinds = z
  .string()
  .max(64)
  .refine((value) => value.split(',').every((kind) => TIMELINE_KINDS.some((name) => name === kind)))
  .optional()
  .describe('comma-separated kinds; default: all')

/** A time zone of the IANA database, as browsers name it. */
const zone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
    } catch {
      return false
    }
  })

const filter = {
  from: time.describe('milliseconds since the epoch: entries that end at this time or later'),
  to: time.describe('milliseconds since the epoch: entries that begin before this time'),
  kinds
}

export const TimelineEntry = z.object({
  id: z.int().meta(own('Number of the entry')),
  channel: z
    .int()
    .optional()
    .meta(own('ID of the channel, in a list of all channels. Absent: the entry is about the hub, and so about all')),
  'channel-name': z.string().optional().meta(own('Name of `channel`')),
  time: z
    .int()
    .meta(
      own('When it happened, in milliseconds since the epoch; of repeated entries the last time, of a gap its end')
    ),
  since: z.int().optional().meta(own('Of repeated entries the first time, of a gap its start')),
  count: z.int().optional().meta(own('How often it happened, if several are one entry')),
  kind: TimelineKind.meta(own('`state`, `input`, `output`, `change`, `viewer`, `system`')),
  event: TimelineEvent.meta(own('What happened (`TIMELINE_EVENTS` in `contract/stream/channel-timeline.ts`)')),
  severity: z.enum(['bad', 'warn', 'good', 'info']).meta(own('`bad`, `warn`, `good`, `info`')),
  text: z.string().meta(own('A sentence in the language of the request, without the time')),
  by: z.string().optional().meta(own('Name of the user, for callers who may read the operation log, and for the user'))
})

export type TimelineKind = z.infer<typeof TimelineKind>
export type TimelineEvent = z.infer<typeof TimelineEvent>
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const channelTimelineSchemas = {
  'GET /channel/timeline': {
    summary:
      'Lists what happened to a channel, or to all channels that the caller may see, in the last 90 days, newest first, with restarts of hub and stream engine. Names of devices that the caller may not see are left out.',
    request: z.object({
      id: queryNumber(0, Number.MAX_SAFE_INTEGER).describe('ID of the channel; default: all'),
      ...filter,
      ...page,
      since
    }),
    response: z.object({
      ...listOf(TimelineEntry).shape,
      'removed-before': z
        .int()
        .optional()
        .meta(own('Entries before this time were removed, because there were too many. Absent: none was'))
    }),
    responseNote:
      'list of entries, newest first; `removed-before`: entries before this time were removed, because a channel had more than 2000 or all channels more than 50 000',
    errors: { [NOT_EXIST]: 'unknown channel' },
    source: 'own',
    examples: [{}, { id: 1, from: 1, to: 2000000000000, kinds: 'state,output', start: 0, count: 10000, since: 0 }]
  },
  'GET /channel/timeline/file': {
    summary:
      'Exports the timeline of a channel as a file, oldest first. `csv`: a table; `txt`: one line per entry, to be sent to people.',
    request: z.object({
      id: queryId,
      ...filter,
      format: z.enum(['csv', 'txt']).describe('`csv`, `txt`'),
      zone: zone.optional().describe('time zone of the IANA database in which times are written; default: UTC')
    }),
    content: 'text/csv',
    responseNote: 'file with all matching entries',
    errors: { [INVALID_ARG]: '', [NOT_EXIST]: 'unknown channel' },
    source: 'own',
    examples: [
      { id: 1, format: 'csv' },
      { id: 1, from: 1, to: 2000000000000, kinds: 'state', format: 'txt', zone: 'Asia/Shanghai' }
    ]
  }
} satisfies CallSchemas
