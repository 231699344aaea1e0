// Schemas of problem.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { NOT_EXIST } from './codes.ts'
import { emptyRequest, own } from './fields.schema.ts'
import { HealthNumbers, HealthReason, NextStep } from './health.schema.ts'
import { PROBLEM_NOTE_MAX } from './limits.ts'
import { PROBLEM_KINDS } from './problem.ts'

export const ProblemKind = z.enum(PROBLEM_KINDS)
export const Acknowledgement = z.object({
  by: z.string().describe('Name of the user'),
  at: z.int().describe('When it was acknowledged, in milliseconds since the epoch'),
  note: z.string().describe('Note of the user, at most 200 characters; may be empty')
})
export const Problem = z.object({
  ...HealthNumbers.shape,
  id: z
    .string()
    .meta(
      own(
        'Unique while the problem lasts: `channel-3`, `output-3-12` (channel and output), `device-<sn>`, `port-srt`, `port-rtmp`, `port-https`, `disk`, `engine`, `certificate`, `backup`, `processor`, `checks`, `memory`, `recording-3` (channel), `recording-space`'
      )
    ),
  kind: ProblemKind.meta(
    own('`channel`, `output`, `device`, `port`, `disk`, `engine`, `certificate`, `backup`, `machine`')
  ),
  severity: z
    .enum(['bad', 'warn'])
    .meta(
      own(
        '`bad`: nothing is on air, or a device is offline, a port closed, or the hub cannot work; `warn`: something is degraded'
      )
    ),
  name: z
    .string()
    .optional()
    .meta(own('Name of the channel, output, device or port; empty for a device that the caller may not see')),
  since: z.int().meta(own("When the problem began, in milliseconds since the epoch by the hub's clock")),
  reason: HealthReason.meta(own('As in [Health](#health)')),
  'next-step': NextStep.optional().meta(own('As in [Health](#health)')),
  message: z.string().optional().meta(own('As in [Health](#health)')),
  channel: z.number().optional().meta(own('Id of the channel, also of the channel of an output')),
  'channel-name': z.string().optional().meta(own('Of an output: name of its channel')),
  output: z.number().optional().meta(own('Id of the output')),
  sn: z.string().optional().meta(own('Serial number of the device, also of a device that is an output')),
  maintenance: z
    .int()
    .optional()
    .meta(
      own('When its [maintenance](#maintenance) ends, in milliseconds since the epoch: no notifications until then')
    ),
  ack: Acknowledgement.optional().meta(own('Acknowledgement: `by` (name of the user), `at` (ms), `note`'))
})

export type ProblemKind = z.infer<typeof ProblemKind>
export type Acknowledgement = z.infer<typeof Acknowledgement>
export type Problem = z.infer<typeof Problem>

export const problemSchemas = {
  'GET /problem/list': {
    summary: 'The problems that the caller may see: worst first, of equal ones the newest first.',
    request: emptyRequest,
    response: z.object({
      total: z.int(),
      list: z.array(Problem).describe('worst first')
    }),
    responseNote: '`list`: worst first, of equal ones the newest first; `total`',

    source: 'own',
    examples: [{}]
  },
  'POST /problem/acknowledge': {
    summary: 'Acknowledges problems until they end.',
    operation: ['Acknowledge problems', '确认问题'],
    request: z.object({
      id: z
        .array(z.string().regex(/^[\w-]{1,96}$/))
        .min(1)
        .max(1000)
        .describe('list'),
      note: z
        .string()
        .max(PROBLEM_NOTE_MAX)
        .regex(/^\P{Cc}*$/u)
        .optional()
        .describe('at most 200 characters'),
      undo: z.boolean().optional().describe('`true`: withdraws it')
    }),
    errors: { [NOT_EXIST]: 'it has ended, or the caller may not see it' },
    source: 'own',
    examples: [{ id: ['channel-3'] }, { id: ['device-a_1', 'disk'], note: 'x'.repeat(200), undo: true }]
  }
} satisfies CallSchemas
