// Schemas of firmware updates of devices: without waves, and rollouts in waves.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import {
  DATA_LOSS,
  DEVICE_BUSY,
  DEVICE_LOST,
  DEVICE_TYPE_ERROR,
  NOT_EXIST,
  NOT_PERMITTED,
  UNSUPPORTED,
  WRONG_STATE
} from './codes.ts'
import { SerialResults } from './device/device.schema.ts'
import { DeviceUpdate, StatusInfo } from './device/status.schema.ts'
import { id, listOf, own, page, queryId, serial, since } from './fields.schema.ts'
import { dryRun } from './off-air.schema.ts'

const deviceCount = z.int().min(0).max(1000).optional()

/** Up to 10,000 devices in one rollout. */
const sn = z.array(serial).min(1).max(10_000)

const upgrade = {
  sn: sn.describe('up to 10,000'),
  'firmware-id': id,
  force: z.boolean().optional().describe('allows a downgrade')
}

export const RolloutPlan = z.object({
  first: z.number().optional().meta(own('Number of devices of the first wave, 0-1000 (default 1)')),
  wave: z.number().optional().meta(own('Number of devices of each further wave, 1-1000 (default 10)')),
  'stop-after': z
    .number()
    .optional()
    .meta(own('Number of failures after which the rollout stops, 0-1000 (default 1); 0 = never'))
})
/**
 * - `running`
 * - `paused` by a user, or `stopped` after too many failures: started devices continue, no further device starts until
 *   the rollout is resumed
 * - `done`: every device has finished, successfully or not; `cancelled`: the same, and some devices were cancelled
 */
export const RolloutState = z.enum(['running', 'paused', 'stopped', 'done', 'cancelled'])
export const Rollout = z.object({
  ...RolloutPlan.required().shape,
  ...StatusInfo.shape,
  id: z.int().meta(own('Id of the rollout')),
  'firmware-id': z.int().meta(own('Id of the firmware file')),
  'product-name': z.string().meta(own('Name of the model that is updated')),
  'hardware-ver': z.string().meta(own('Hardware version that is updated, one letter')),
  version: z.string().meta(own('Version of the firmware, `major.minor.build`')),
  test: z.number().meta(own('1 = test build, 0 = release')),
  state: RolloutState.meta(own('`running`, `paused` (by a user), `stopped` (too many failures), `done`, `cancelled`')),
  user: z.string().meta(own('Name of the user who started it')),
  created: z.int().meta(own('When it was started, in milliseconds since the epoch')),
  ended: z.int().meta(own('When it ended, in milliseconds since the epoch; 0 until then')),
  total: z.int().meta(own('Number of its devices that the caller may see')),
  waiting: z.number().meta(own('Number of those that wait')),
  active: z.number().meta(own('Number of those that are being updated')),
  done: z.number().meta(own('Number of those that have been updated')),
  failed: z.number().meta(own('Number of those that could not be updated')),
  cancelled: z.number().meta(own('Number of those that were cancelled'))
})
/** One device of a rollout. */
export const RolloutDevice = z.object({
  ...DeviceUpdate.shape,
  sn: z.string().describe('Serial number'),
  name: z.string().describe('Current name; the serial number if the device was deleted'),
  from: z.string().describe('Firmware version when the rollout started'),
  'firmware-ver': z.string().describe('Firmware version now'),
  wave: z.number().describe('Wave in which it started, from 1; 0 = not started'),
  started: z.int().describe('When its update started, in milliseconds since the epoch; 0 = not started'),
  ended: z.int().describe('When it ended, in milliseconds since the epoch; 0 = not ended')
})

export type RolloutPlan = z.infer<typeof RolloutPlan>
export type RolloutState = z.infer<typeof RolloutState>
export type Rollout = z.infer<typeof Rollout>
export type RolloutDevice = z.infer<typeof RolloutDevice>

const upgradeErrors = {
  [NOT_EXIST]: 'unknown firmware, and per device',
  [DEVICE_TYPE_ERROR]: 'per device',
  [DEVICE_LOST]: 'per device',
  [DEVICE_BUSY]: 'per device',
  [DATA_LOSS]: 'per device',
  [WRONG_STATE]: 'per device',
  [UNSUPPORTED]: 'per device'
}

export const rolloutSchemas = {
  'POST /device/upgrade': {
    summary:
      "Updates devices without waves. Returns the `id` of the rollout. Per device: 24 not compatible with model or hardware; 16 unknown; 12 offline; 11 already updating; 1009 it has a higher version; 38 not accepted; 9 cannot be updated through the hub. Whole call: 16 unknown firmware; the first device's result if no device can be updated.",
    operation: ['Update firmware of devices', '更新设备固件'],
    request: z.object({ ...upgrade, ...dryRun }),
    response: z.object({ ...SerialResults.shape, id: z.int() }),
    responseNote: '`details`, `id` of the rollout',
    errors: upgradeErrors,
    source: 'vendor; own: `force`, `dry-run`, `id`, 1009, 38, 9',
    examples: [{ sn: ['B313210600123'], 'firmware-id': 1 }]
  },
  'POST /rollout/start': {
    summary:
      'Updates devices in waves. A wave starts after the previous one has finished, unless `stop-after` failures stopped the rollout.',
    operation: ['Start rollout', '开始批量更新'],
    request: z.object({
      ...upgrade,
      first: deviceCount.describe('devices of the first wave, 1'),
      wave: z.int().min(1).max(1000).optional().describe('devices of each further wave, 10'),
      'stop-after': deviceCount.describe('failures, 1; 0 = never'),
      ...dryRun
    }),
    response: z.object({ ...SerialResults.shape, id: z.int() }),
    errors: upgradeErrors,
    source: 'own',
    examples: [
      { sn: ['B313210600123'], 'firmware-id': 1 },
      { sn: ['B313210600123'], 'firmware-id': 1, force: true, first: 0, wave: 1, 'stop-after': 0 }
    ]
  },
  'GET /rollout/list': {
    summary: 'Lists rollouts, newest first; only those with a device that the caller may see.',
    request: z.object({ ...page, since }),
    response: listOf(Rollout),
    responseNote: 'list of rollouts with a visible device, newest first',

    source: 'own',
    examples: [{}, { start: 0, count: 10000, since: 1 }]
  },
  'GET /rollout/query': {
    summary: 'Returns one rollout.',
    request: z.object({ id: queryId }),
    response: z.object({
      rollout: Rollout
    }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'GET /rollout/devices': {
    summary:
      'Lists the devices of a rollout that the caller may see: failed ones first, then in rollout order. `rev` is the revision of the topic `rollout`.',
    request: z.object({ ...page, id: queryId, since }),
    response: listOf(RolloutDevice),
    responseNote: 'list of its visible devices, failed ones first',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }, { start: 0, count: 10000, id: 1, since: 1 }]
  },
  'POST /rollout/pause': {
    summary:
      'Pauses a rollout. This and the calls below: 16 unknown; 31 if the caller may not see all of its devices; 38 not possible in its state.',
    operation: ['Pause rollout', '暂停批量更新'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: 'a hidden device', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /rollout/resume': {
    summary: 'Resumes a paused or stopped rollout. Failures so far no longer count towards `stop-after`.',
    operation: ['Resume rollout', '继续批量更新'],
    request: z.object({ id, ...dryRun }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: '', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /rollout/cancel': {
    summary: 'Cancels the devices that have not started.',
    operation: ['Cancel rollout', '取消批量更新'],
    request: z.object({ id: id.describe('cancels the devices that have not started') }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: '', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /rollout/retry': {
    summary:
      'Queues failed and cancelled devices again; without `sn` all of them. Per device: 11 if another rollout is updating it.',
    operation: ['Retry rollout', '重试批量更新'],
    request: z.object({ id, sn: sn.optional().describe('absent: all failed and cancelled devices'), ...dryRun }),
    response: SerialResults,
    errors: {
      [NOT_EXIST]: '',
      [NOT_PERMITTED]: '',
      [WRONG_STATE]: 'also per device',
      [DEVICE_BUSY]: 'per device',
      [DATA_LOSS]: 'per device'
    },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, sn: ['B313210600123'] }]
  },
  'POST /rollout/del': {
    summary: 'Deletes a rollout that has ended.',
    operation: ['Delete rollout', '删除批量更新'],
    request: z.object({ id }),
    requestNote: '`id` of a rollout that has ended',
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: '', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
