// Firmware updates of devices: without waves, and rollouts in waves (docs/wire.md, "Firmware").

import { DEVICE_CONTROL, FIRMWARE_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'
import type { RequestTo } from './calls.schema.ts'

export type { Rollout, RolloutDevice, RolloutPlan, RolloutState } from './rollout.schema.ts'

/** States of a device update. */
export const DEVICE_UPDATE_STATE = {
  failed: -1,
  idle: 0,
  waiting: 1,
  updating: 2,
  installing: 3,
  restarting: 4
} as const

export type UpgradeRequest = RequestTo<'POST /device/upgrade'>

export const upgradeDevices = declareCall('POST /device/upgrade', DEVICE_CONTROL, { interrupts: true })

export const startRollout = declareCall('POST /rollout/start', DEVICE_CONTROL, { interrupts: true })

export const listRollouts = declareCall('GET /rollout/list', FIRMWARE_VIEW)
export const queryRollout = declareCall('GET /rollout/query', FIRMWARE_VIEW)
export const listRolloutDevices = declareCall('GET /rollout/devices', FIRMWARE_VIEW)

export const pauseRollout = declareCall('POST /rollout/pause', DEVICE_CONTROL)
export const resumeRollout = declareCall('POST /rollout/resume', DEVICE_CONTROL, { interrupts: true })
export const cancelRollout = declareCall('POST /rollout/cancel', DEVICE_CONTROL)
export const retryRollout = declareCall('POST /rollout/retry', DEVICE_CONTROL, { interrupts: true })
export const deleteRollout = declareCall('POST /rollout/del', DEVICE_CONTROL)
