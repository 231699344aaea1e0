// Firmware files, chunked uploads, and firmware updates of devices: single updates and rollouts (docs/wire.md,
// "Firmware").

import { DEVICE_CONTROL, FIRMWARE_MANAGER, FIRMWARE_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'
import type { RequestTo } from './calls.schema.ts'

export type {
  DiskSpaceDetails,
  Firmware,
  FirmwareInfo,
  Rollout,
  RolloutDevice,
  RolloutPlan,
  RolloutState,
  UploadedFirmware,
  UploadState
} from './firmware.schema.ts'

/** Free space that an upload requires, in MB. */
export const FIRMWARE_SPACE_MIN = 50

export const FIRMWARE_ERRORS = [
  'download-failed',
  'installation-failed',
  'busy',
  'file-missing',
  'wrong-model',
  /** `space-below-minimum`: less than `FIRMWARE_SPACE_MIN` free. `no-space`: the file is larger than the free space. */
  'space-below-minimum',
  'no-space'
] as const

export type FirmwareError = (typeof FIRMWARE_ERRORS)[number]

/** Maximum size of a firmware file in bytes. */
export const FIRMWARE_FILE_MAX = 1 << 30
/** Bytes of a chunk: takes about half a minute at 1 Mbit/s. The hub accepts larger chunks too. */
export const CHUNK_SIZE = 4 << 20

export const listFirmware = declareCall('GET /firmware/list', FIRMWARE_VIEW)

export const uploadFirmware = declareCall('POST /firmware/upload', FIRMWARE_MANAGER, { body: 'form' })

export const addFirmware = declareCall('POST /firmware/add', FIRMWARE_MANAGER)

export const deleteFirmware = declareCall('POST /firmware/del', FIRMWARE_MANAGER)

export const startUpload = declareCall('POST /firmware/upload/start', FIRMWARE_MANAGER)

export const uploadChunk = declareCall('POST /firmware/upload/piece', FIRMWARE_MANAGER, { body: 'bytes' })

export const queryUpload = declareCall('GET /firmware/upload/state', FIRMWARE_MANAGER)

export const finishUpload = declareCall('POST /firmware/upload/finish', FIRMWARE_MANAGER)

export const cancelUpload = declareCall('POST /firmware/upload/cancel', FIRMWARE_MANAGER)

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

export const upgradeDevices = declareCall('POST /device/upgrade', DEVICE_CONTROL)

export const startRollout = declareCall('POST /rollout/start', DEVICE_CONTROL)

export const listRollouts = declareCall('GET /rollout/list', FIRMWARE_VIEW)
export const queryRollout = declareCall('GET /rollout/query', FIRMWARE_VIEW)
export const listRolloutDevices = declareCall('GET /rollout/devices', FIRMWARE_VIEW)

export const pauseRollout = declareCall('POST /rollout/pause', DEVICE_CONTROL)
export const resumeRollout = declareCall('POST /rollout/resume', DEVICE_CONTROL)
export const cancelRollout = declareCall('POST /rollout/cancel', DEVICE_CONTROL)
export const retryRollout = declareCall('POST /rollout/retry', DEVICE_CONTROL)
export const deleteRollout = declareCall('POST /rollout/del', DEVICE_CONTROL)
