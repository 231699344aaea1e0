// Schemas of event.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { TRY_AGAIN } from './codes.ts'
import { EVENT_KINDS, EVENTS_MAX } from './event.ts'
import { listOf, own, queryNumber, serial, since, text } from './fields.schema.ts'

export const EventKind = z.enum(EVENT_KINDS)

const time = queryNumber(0, Number.MAX_SAFE_INTEGER)

const filter = {
  from: time.describe('milliseconds since the epoch'),
  to: time.describe('milliseconds since the epoch: entries before this time'),
  kinds: z
    .string()
    .max(96)
    .refine((value) => value.split(',').every((kind) => EVENT_KINDS.some((name) => name === kind)))
    .optional()
    .describe('comma-separated kinds; default: all'),
  level: queryNumber(1, 3),
  key: text.optional().describe('part of an entry'),
  user: text.optional().describe('name of a user or access token'),
  channel: queryNumber(1, Number.MAX_SAFE_INTEGER).describe('ID: entries about this channel'),
  sn: serial.optional().describe('entries about this device')
}

export const EventEntry = z.object({
  id: z.string().meta(own('Names the entry: its list and its number there')),
  time: z.int().meta(own('When it happened, in milliseconds since the epoch; of repeated entries the last time')),
  since: z.int().optional().meta(own('Of repeated entries the first time, of a gap its start')),
  count: z.int().optional().meta(own('How often it happened, if several are one entry')),
  kind: EventKind.meta(
    own(
      'Of a timeline `state`, `input`, `output`, `change`, `viewer`, `system`; `operation`, `log` and `device` for the operation, system and device log'
    )
  ),
  level: z.int().meta(own('1 information, 2 warning, 3 error')),
  text: z.string().meta(own('A sentence in the language of the request')),
  channel: z.int().optional().meta(own('ID of the channel of a timeline')),
  'channel-name': z.string().optional().meta(own('Name of `channel`')),
  sn: z.string().optional().meta(own('Device log: serial number of the device')),
  user: z.string().optional().meta(own('Name of the user who did it')),
  token: z
    .string()
    .optional()
    .meta(own('Name of the access token with which a program of `user` called; absent for sessions')),
  outcome: z.string().optional().meta(own('Of a call that failed, or failed for some devices: a sentence'))
})

export type EventKind = z.infer<typeof EventKind>
export type EventEntry = z.infer<typeof EventEntry>

const scope =
  'With CHANNEL_VIEW the timelines of the channels that the caller may see, with SYSTEM_CONFIG_VIEW the entries of the logs. A call that is in both is one entry.'

export const eventSchemas = {
  'GET /event/list': {
    summary: `Lists what happened to channels, and the entries of the logs, newest first. ${scope}`,
    request: z.object({ ...filter, count: queryNumber(1, EVENTS_MAX), since }),
    response: z.object({
      ...listOf(EventEntry).shape,
      total: z.int().meta(own('Number of entries in a whole response, one more if there are older ones'))
    }),
    responseNote: 'list of entries, newest first',
    errors: { [TRY_AGAIN]: 'as for `GET /log/list`' },
    source: 'own',
    examples: [
      {},
      {
        ...{ from: 1, to: 2000000000000, kinds: 'state,operation', level: 3, key: '50% [x]', user: '演播室' },
        ...{ channel: 100001, sn: 'A406230419001', count: 10000, since: 0 }
      }
    ]
  },
  'GET /event/file': {
    summary: `Exports the newest 10 000 entries that match a filter as CSV, newest first. ${scope}`,
    request: z.object(filter),
    content: 'text/csv',
    responseNote: 'file with the matching entries',
    errors: { [TRY_AGAIN]: 'as for `GET /log/list`' },
    source: 'own',
    examples: [{}, { from: 1, to: 2000000000000, kinds: 'log', level: 2, key: 'x', user: 'Ann', channel: 1, sn: 'A1' }]
  }
} satisfies CallSchemas
