// Firmware files and their uploads (docs/wire.md, "Firmware").

import { FIRMWARE_MANAGER, FIRMWARE_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'

export type {
  DiskSpaceDetails,
  Firmware,
  FirmwareInfo,
  OnlineFirmware,
  OnlineFirmwareList,
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

export const listOnlineFirmware = declareCall('GET /firmware/online/list', FIRMWARE_VIEW)

export const checkOnlineFirmware = declareCall('POST /firmware/online/check', FIRMWARE_MANAGER)

export const downloadFirmware = declareCall('POST /firmware/online/download', FIRMWARE_MANAGER)

export const cancelDownload = declareCall('POST /firmware/online/cancel', FIRMWARE_MANAGER)
