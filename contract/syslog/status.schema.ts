// Schemas of syslog/status.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NO_RESPONSE, WRONG_STATE } from '../codes.ts'
import { emptyRequest } from '../fields.schema.ts'
import { SYSLOG_STATES } from './status.ts'

export const SyslogStatus = z.object({
  state: z.enum(SYSLOG_STATES),
  since: z.int().optional().describe('Since when, in milliseconds since the epoch; absent with `off` and `connecting`'),
  error: z.string().optional().describe('With `failing`: why, as a sentence in the language of the request'),
  queued: z.number().describe('Lines that wait to be sent. They are kept as long as the log keeps them'),
  'last-sent': z
    .int()
    .optional()
    .describe('When the last line was sent, in milliseconds since the epoch; absent if none was since the hub started')
})

export type SyslogStatus = z.infer<typeof SyslogStatus>

export const syslogStatusSchemas = {
  'GET /syslog/status': {
    summary: 'Returns the state of the syslog server that gets a copy of every log line.',
    request: emptyRequest,
    response: SyslogStatus,
    responseNote:
      'of the syslog server ([Settings](#settings)): `state` (`off`, `connecting`, `connected`: TCP, `sending`: UDP, which nobody confirms, `failing`), `since`, `error` (sentence), `queued` (lines that wait), `last-sent` (ms; since the start of the hub)',

    source: 'own',
    examples: [{}]
  },
  'POST /syslog/test': {
    summary:
      'Sends a test message to the server that is set, over a connection of its own. Over UDP, 0 only says that no refusal came back.',
    operation: ['Send test message to syslog server', '向 Syslog 服务器发送测试消息'],
    request: emptyRequest,
    errors: {
      [WRONG_STATE]: 'no server is set',
      [NO_RESPONSE]:
        'with `message`: the test message could not be sent. Over UDP, 0 only says that no refusal came back'
    },
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
