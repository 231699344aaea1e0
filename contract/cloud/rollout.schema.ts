// Schemas of rollouts: updates of many hubs in waves, with the hubs' own upgrade (docs/architecture/cloud.md).
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { DEVICE_BUSY, NOT_EXIST, NOT_PERMITTED, REAUTHENTICATION_REQUIRED, TOO_MANY, WRONG_STATE } from '../codes.ts'
import { SerialResults } from '../device/device.schema.ts'
import { id, listOf, page, queryId, serial, wholeNumber } from '../fields.schema.ts'
import { ROLLOUT_CHECK_MAX, ROLLOUT_DEFAULTS, ROLLOUTS_MAX } from './rollout.ts'

/**
 * - `running`
 * - `paused` by a user, or `stopped` by the cloud, for `cause`: started hubs continue, no further hub starts until the
 *   rollout is resumed
 * - `done`: every hub has finished, successfully or not; `cancelled`: the same, and some hubs were cancelled
 */
export const RolloutState = z.enum(['running', 'paused', 'stopped', 'done', 'cancelled'])

/** Why a rollout was stopped. */
export const RolloutCause = z.enum(['failures', 'user', 'approval'])

export const RolloutHubState = z.enum(['waiting', 'active', 'done', 'failed', 'skipped', 'cancelled'])

/** What an active hub does, as it said last. `starting`: it has not answered the first call yet. */
export const RolloutStep = z.enum(['starting', 'downloading', 'installing', 'trial'])

/** Why a hub was skipped before its update started, or why its update failed. */
export const RolloutHubCause = z.enum([
  'offline',
  'unknown',
  'role',
  'old',
  'no-releases',
  'no-keys',
  'no-server',
  'not-offered',
  'up-to-date',
  'newer',
  'busy',
  'no-answer',
  'refused',
  'interrupts',
  'download',
  'install',
  'rollback',
  'lost',
  'stuck',
  'unhealthy',
  'user'
])

const DEFAULTS = ROLLOUT_DEFAULTS

const plan = {
  first: wholeNumber(1, 1000).optional().describe(`hubs of the first wave, ${DEFAULTS.first}`),
  growth: wholeNumber(1, 10).optional().describe(`how many times larger each further wave is, ${DEFAULTS.growth}`),
  wave: wholeNumber(1, 1000).optional().describe(`hubs of a wave at most, ${DEFAULTS.wave}`),
  'pause-minutes': wholeNumber(0, 1440)
    .optional()
    .describe(`how long the hubs of a wave must work before the next one, ${DEFAULTS['pause-minutes']}`),
  'stop-after': wholeNumber(0, 1000)
    .optional()
    .describe(`failures after which no further hub starts, ${DEFAULTS['stop-after']}; 0 = never`),
  interrupt: z
    .boolean()
    .optional()
    .describe('whether an update that restarts the stream engine may interrupt streams; `false` by default')
}

export const HubRollout = z.object({
  id: z.int(),
  version: z.string().describe('The release to which the hubs are updated'),
  state: RolloutState,
  cause: RolloutCause.optional().describe(
    'Why it is `stopped`: too many failures; the user who started it was deleted or lost the permission; it was approved too long ago'
  ),
  user: z.string().describe('Name of the user who has started or resumed it'),
  created: z.int().describe('When it was started, in milliseconds since the epoch'),
  ended: z.int().describe('When it ended, in milliseconds since the epoch; 0 until then'),
  ...z.object(plan).required().shape,
  'current-wave': z.int().describe('Number of the current wave, from 1'),
  'next-wave-s': z
    .int()
    .optional()
    .describe('Seconds until the next wave. Present while the hubs of the current one are observed'),
  total: z.int().describe('Number of its hubs that the caller may see'),
  counts: z.record(RolloutHubState, z.int()).describe('Numbers of those by their states')
})

/** A hub of a rollout. */
export const RolloutHub = z.object({
  sn: z.string(),
  name: z.string().describe('Name in the cloud when the rollout was started'),
  state: RolloutHubState,
  step: RolloutStep.optional().describe('Of an `active` one'),
  progress: z.int().optional().describe('Percent of the step, if the hub says it'),
  wave: z.int().describe('Number of the wave in which it was started, from 1; 0 = not started'),
  from: z.string().describe('Its version before; empty until the hub has said it'),
  version: z.string().describe('The version that it said last; empty until then'),
  cause: RolloutHubCause.optional().describe('Of a `skipped` or `failed` one'),
  result: z.int().optional().describe('Result code with which the hub has refused a call'),
  detail: z.string().optional().describe('What the hub says about it, in the language of the request'),
  started: z.int().describe('When its update was started, in milliseconds since the epoch; 0 = not started'),
  changed: z.int().describe('When its state, step or progress changed last; 0 = never'),
  ended: z.int().describe('When its update ended, in milliseconds since the epoch; 0 until then')
})

/** A release that hubs offer. */
export const OfferedRelease = z.object({
  version: z.string(),
  'pre-release': z.literal(true).optional(),
  time: z.int().describe('When it was published, in milliseconds since the epoch'),
  notes: z.string().describe('What has changed, in the language of the request')
})

/** What a hub says before an update. */
export const CheckedHub = z.object({
  sn: z.string(),
  version: z.string().optional().describe('Absent if the hub did not answer'),
  cause: RolloutHubCause.optional().describe('Why it would be skipped, whatever the release'),
  result: z.int().optional().describe('Result code with which the hub has refused the question'),
  offers: z.array(z.string()).describe('The versions that it can download or has')
})

export type HubRollout = z.infer<typeof HubRollout>
export type RolloutHub = z.infer<typeof RolloutHub>
export type RolloutState = z.infer<typeof RolloutState>
export type RolloutCause = z.infer<typeof RolloutCause>
export type RolloutHubState = z.infer<typeof RolloutHubState>
export type RolloutStep = z.infer<typeof RolloutStep>
export type RolloutHubCause = z.infer<typeof RolloutHubCause>
export type OfferedRelease = z.infer<typeof OfferedRelease>
export type CheckedHub = z.infer<typeof CheckedHub>

/** In a query the serial numbers are separated by commas. */
const someSerials = z
  .union([z.string().transform((text) => text.split(',')), z.array(z.string())])
  .pipe(z.array(serial).min(1).max(ROLLOUT_CHECK_MAX))

const byId = z.object({ id })
const stateErrors = { [NOT_EXIST]: '', [NOT_PERMITTED]: 'the caller may not see all of its hubs', [WRONG_STATE]: '' }

export const rolloutCallSchemas = {
  'GET /hub/rollout/check': {
    summary: `Asks up to ${ROLLOUT_CHECK_MAX} hubs for their versions and the releases that they can download, and says why some would be skipped.`,
    request: z.object({ sn: someSerials.describe('separated by commas') }),
    response: z.object({
      hubs: z.array(CheckedHub),
      releases: z.array(OfferedRelease).describe('The releases of all of them, the highest version first')
    }),
    source: 'own',
    examples: [{ sn: ['A410210808001'] }]
  },
  'POST /hub/rollout/start': {
    operation: ['Start update of hubs', '开始更新中控'],
    summary:
      'Updates hubs in waves, with their own upgrade: each downloads the release from its release server. Needs the role `administer` on the hubs. Per hub: 16 unknown or not accepted; 11 another rollout updates it.',
    request: z.object({
      sn: z.array(serial).min(1).max(1000).describe('up to 1000, in the order in which they are updated'),
      version: z
        .string()
        .regex(/^[\w.~+-]{1,64}$/)
        .describe('the release'),
      ...plan
    }),
    response: z.object({ ...SerialResults.shape, id: z.int() }),
    errors: {
      [NOT_EXIST]: 'none of the hubs, and per hub',
      [DEVICE_BUSY]: 'per hub',
      [TOO_MANY]: `${ROLLOUTS_MAX} rollouts have not ended`,
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [
      { sn: ['A410210808001'], version: '9.0.0' },
      { sn: ['A410210808001'], version: '9.0.0', first: 2, growth: 3, wave: 20, 'pause-minutes': 30, 'stop-after': 2 }
    ]
  },
  'GET /hub/rollout/list': {
    summary: 'Lists rollouts with a hub that the caller may see, newest first.',
    request: z.object(page),
    response: listOf(HubRollout),
    source: 'own',
    examples: [{}, { start: 0, count: 10 }]
  },
  'GET /hub/rollout/query': {
    summary: 'Returns one rollout.',
    request: z.object({ id: queryId }),
    response: z.object({ rollout: HubRollout }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'GET /hub/rollout/hubs': {
    summary: 'Lists the hubs of a rollout that the caller may see, in the order in which they are updated.',
    request: z.object({ ...page, id: queryId }),
    response: listOf(RolloutHub),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /hub/rollout/pause': {
    operation: ['Pause update of hubs', '暂停更新中控'],
    summary: 'Pauses a rollout: started hubs continue, no further hub starts.',
    request: byId,
    errors: stateErrors,
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /hub/rollout/resume': {
    operation: ['Resume update of hubs', '继续更新中控'],
    summary:
      'Resumes a paused or stopped rollout, with the rights of the caller. Failures so far no longer count towards `stop-after`.',
    request: byId,
    errors: { ...stateErrors, [REAUTHENTICATION_REQUIRED]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /hub/rollout/cancel': {
    operation: ['Cancel update of hubs', '取消更新中控'],
    summary: 'Cancels the hubs that have not started.',
    request: byId,
    errors: stateErrors,
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /hub/rollout/del': {
    operation: ['Delete update of hubs', '删除中控更新记录'],
    summary: 'Deletes a rollout that has ended.',
    request: byId,
    errors: stateErrors,
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
