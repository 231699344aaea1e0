// Schemas of log.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { INVALID_ARG, TRY_AGAIN } from './codes.ts'
import { emptyRequest, listOf, own, page, queryNumber, serial, since, text } from './fields.schema.ts'

export const type = z.enum(['operation', 'system', 'device']).describe('`operation`, `system`, `device`')

const time = queryNumber(0, Number.MAX_SAFE_INTEGER)

const filter = {
  type,
  from: time,
  to: time,
  user: text.optional(),
  level: queryNumber(1, 3),
  outcome: z.enum(['ok', 'failed']).optional().describe('`ok`, `failed`'),
  key: text.optional(),
  sn: serial.optional(),
  channel: queryNumber(1, Number.MAX_SAFE_INTEGER)
}

/** The fields of `exportLog`. */
export const exportLogFields = { ...filter, format: z.enum(['csv', 'json']).describe('`csv`, `json`') }

export const LogEntry = z.object({
  id: z.int().meta(own('Number of the entry; later entries have higher ones')),
  time: z.int().meta(own('When it was written, in milliseconds since the epoch')),
  level: z.number().meta(own('1 information, 2 warning, 3 error')),
  event: z.string().meta(own('Name of the event; in the operation log the path of the call')),
  detail: z
    .string()
    .meta(
      own(
        'Names, numbers and addresses, without secrets. Tags at the end: `#field=<path>`, `#changed=<fields>`, `#on`, `#off`, `#none`, `#everyone`, `#inherited`, `#unknown`, `#token=<name>`, `#more`'
      )
    ),
  text: z.string().optional().meta(own('Event and detail as a sentence in the language of the request')),
  user: z.string().optional().meta(own('Operation log: name of the user')),
  token: z
    .string()
    .optional()
    .meta(
      own(
        'Operation log: name of the access token with which a program of `user` called; absent for sessions. `user` is the owner of the token'
      )
    ),
  ip: z.string().optional().meta(own('Operation log: IP address of the client')),
  code: z.int().optional().meta(own('Operation log: result code of the call')),
  outcome: z
    .string()
    .optional()
    .meta(
      own(
        'Operation log: `code` as a sentence in the language of the request. With code 0 only if the call failed for some of its devices'
      )
    ),
  sn: z.string().optional().meta(own('Device log: serial number of the device'))
})
/** Somebody has cleared a log. */
export const LogClearing = z.object({
  time: z.int().describe('When, in milliseconds since the epoch'),
  user: z.string().describe('Name of the user'),
  ip: z.string().describe('IP address of the client'),
  log: type
})
export const LogCheck = z.object({
  lines: z.number().describe('Number of checked entries'),
  intact: z.boolean(),
  'broken-id': z
    .int()
    .optional()
    .describe('ID of the first entry that does not follow from the one before it; 0 if entries at the end are missing'),
  cleared: z
    .array(LogClearing)
    .describe('When logs were cleared, and by whom: the newest 100, newest first. Clearing a log does not remove them')
})

export type LogEntry = z.infer<typeof LogEntry>
export type LogCheck = z.infer<typeof LogCheck>

export const logSchemas = {
  'GET /log/list': {
    summary: 'Lists entries, newest first. Entries of devices that the caller may not see are omitted.',
    request: z.object({
      ...page,
      ...filter,
      upto: queryNumber(0, Number.MAX_SAFE_INTEGER).describe('id of the newest entry to return'),
      since
    }),
    response: listOf(LogEntry),
    responseNote: 'list of entries, newest first',
    errors: { [INVALID_ARG]: '', [TRY_AGAIN]: 'more than 20 searches of the session, or of 100 sessions, wait' },
    source: 'own',
    examples: [
      { type: 'operation' },
      {
        start: 0,
        count: 10000,
        from: 1,
        to: 2000000000000,
        user: '演播室',
        level: 3,
        outcome: 'failed',
        key: '50% [x]',
        sn: 'A406230419001',
        channel: 100001,
        type: 'device',
        upto: 7,
        since: 0
      }
    ]
  },
  'GET /log/export': {
    summary:
      'Exports all entries that match a filter as a file, newest first. CSV cells that a spreadsheet would read as a formula start with an apostrophe.',
    request: z.object(exportLogFields),
    content: 'text/csv',
    responseNote: 'file with all matching entries',
    errors: { [INVALID_ARG]: '', [TRY_AGAIN]: '' },
    source: 'own',
    examples: [
      { type: 'system', format: 'csv' },
      {
        from: 1,
        to: 2000000000000,
        user: '演播室',
        level: 3,
        outcome: 'failed',
        key: '50% [x]',
        sn: 'A406230419001',
        channel: 100001,
        type: 'device',
        format: 'json'
      }
    ]
  },
  'GET /log/check': {
    summary:
      'Checks the hash chain of the operation log: whether entries were changed or removed other than by retention and `clearLog`.',
    request: emptyRequest,
    response: LogCheck,
    responseNote:
      '`lines`: checked entries of the operation log; `intact`; `broken-id`: the first entry that does not follow from the one before it, 0 if entries at the end are missing; `cleared`: the newest 100 clearings of logs, newest first, of `time` (ms), `user`, `ip`, `log`',

    source: 'own',
    examples: [{}]
  },
  'POST /log/clear': {
    summary:
      'Clears a log. The operation log keeps the entries about this call, also those of earlier clearings, until they are older than the retention. `sn`: clears only the entries of that device, in the device log.',
    operation: ['Clear log', '清空日志'],
    request: z.object({ type, sn: serial.optional().describe('entries of this device only') }),
    requestNote: 'the operation log keeps the entries about this call',
    errors: { [INVALID_ARG]: '' },
    source: 'own',
    examples: [{ type: 'operation' }, { type: 'device', sn: 'A406230419001' }]
  }
} satisfies CallSchemas
