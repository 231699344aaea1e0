// Schemas of the calls about all hubs at once, from their digests (`digest.ts`).
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NOT_PERMITTED } from '../codes.ts'
import { listOf, page, queryNumber } from '../fields.schema.ts'
import { HealthReason } from '../health.schema.ts'
import { CHANNEL_VERDICTS } from '../health.ts'
import { Problem, ProblemKind } from '../problem.schema.ts'

/** Items of a response, if the request has no `count`, and at most. */
export const ALL_HUBS_COUNT = { byDefault: 500, max: 2000 }

/** Verdicts on a hub in the cloud. `unknown`: it is connected, and has sent no digest, or none for a while. */
export const HUB_STATES = ['offline', 'warning', 'unknown', 'online'] as const

const count = z.int().min(0)

/** What the digest of a hub says of it as a whole. */
export const HubSummary = z.object({
  verdict: z.enum(HUB_STATES).describe('`warning`: a part of the hub itself does not work'),
  reason: HealthReason.optional().describe('Why the verdict is `warning`'),
  since: z.number().optional().describe('When the verdict began, in milliseconds since the epoch'),
  received: z.number().optional().describe('When the hub confirmed the numbers last; absent: it has sent none'),
  confirmed: z.boolean().describe('The numbers are current. Else they are the last that the cloud knows'),
  partial: z.boolean().optional().describe('Not all channels and problems are listed'),
  verdicts: z
    .partialRecord(z.enum(CHANNEL_VERDICTS), count)
    .optional()
    .describe('Channels by their verdicts, with CHANNEL_VIEW'),
  devices: count.optional(),
  'devices-offline': count.optional(),
  bad: count.optional().describe('Problems with severity `bad`'),
  warn: count.optional()
})

/** The hub of a problem or channel, and whether the hub has confirmed it. */
const ofHub = {
  hub: z.string().describe('Serial number of the hub'),
  'hub-name': z.string(),
  'catalog-id': z.int().describe('Group of the hub; 0 = none'),
  online: z.boolean().describe('The hub is connected'),
  confirmed: z.boolean().describe('The hub is connected and has said so within the last minutes')
}

/** A problem of a hub, or a hub that is itself the problem. */
export const CloudProblem = z.object({
  ...Problem.omit({ message: true, reason: true, kind: true }).shape,
  kind: z.enum([...ProblemKind.options, 'hub']).describe('as of a hub; `hub`: the cloud gets no digest of the hub'),
  reason: z
    .enum([...HealthReason.options, 'hub-offline', 'hub-silent'])
    .describe('as of a hub; `hub-offline`: it is not connected; `hub-silent`: it is, and sends no digest'),
  ...ofHub
})

/** A channel of a hub. */
export const CloudChannel = z.object({
  id: z.int(),
  name: z.string(),
  health: z.object({ verdict: z.enum(CHANNEL_VERDICTS), since: z.number().optional() }),
  ...ofHub
})

/** A device behind a hub. */
export const CloudDevice = z.object({
  sn: z.string(),
  name: z.string(),
  online: z.boolean(),
  hub: z.string().describe('Serial number of the hub'),
  'hub-name': z.string()
})

export type CloudDevice = z.infer<typeof CloudDevice>
export type HubSummary = z.infer<typeof HubSummary>
export type CloudProblem = z.infer<typeof CloudProblem>
export type CloudChannel = z.infer<typeof CloudChannel>

const key = z.string().max(256).optional().describe('text that the name of the object or of the hub contains')
const filters = {
  ...page,
  count: queryNumber(0, ALL_HUBS_COUNT.max),
  key,
  sn: z.string().max(64).optional().describe('serial number of a hub'),
  catalog: queryNumber(0, 1e9).describe('group of hubs; 0 = those without one')
}

/** Items of each kind that a search returns. */
export const SEARCH_MAX = 50

/** How many are not in any list, because a digest has the worst ones only. */
const unlisted = z.int().describe('those that hubs have not listed, because there are too many')

export const ALL_HUBS_SCHEMAS = {
  'GET /problem/list': {
    summary: 'The problems of all hubs that the caller may see: worst first, of equal ones the newest first.',
    request: z.object({ ...filters, severity: Problem.shape.severity.optional() }),
    response: z.object({ ...listOf(CloudProblem).shape, unlisted }),
    source: 'own',
    examples: [{}, { severity: 'bad', catalog: 3, key: 'studio' }]
  },
  'GET /channel/list': {
    summary: 'The channels of all hubs that the caller may see, the worst verdicts first.',
    request: z.object({ ...filters, verdict: z.enum(CHANNEL_VERDICTS).optional() }),
    response: z.object({ ...listOf(CloudChannel).shape, unlisted }),
    errors: { [NOT_PERMITTED]: 'the caller may not see hubs' },
    source: 'own',
    examples: [{}, { verdict: 'down', sn: 'HUB-0A1B2C3D4E5F', start: 0, count: 100 }]
  },
  'GET /search': {
    summary:
      'Searches all hubs that the caller may see for names and serial numbers: hubs and channels in what the cloud knows, devices by asking the connected hubs. At most 50 of each kind.',
    request: z.object({
      key: z
        .string()
        .trim()
        .min(1)
        .max(64)
        .regex(/^\P{Cc}*$/u)
    }),
    response: z.object({
      hubs: z.array(z.object({ sn: z.string(), name: z.string(), online: z.boolean() })),
      channels: z.array(CloudChannel),
      devices: z.array(CloudDevice),
      unanswered: z
        .array(z.object({ hub: z.string(), 'hub-name': z.string() }))
        .describe('hubs whose devices were not searched: they are not connected, or have not answered in time')
    }),
    source: 'own',
    examples: [{ key: 'studio' }]
  }
} satisfies CallSchemas
