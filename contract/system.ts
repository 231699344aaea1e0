// Status of the hub and its machine.

import { CHANNEL_CONTROL, INPUT_OUTPUT_VIEW, SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'

export type {
  FilesPortStatus,
  HubAddress,
  HubAddresses,
  SharedPort,
  StorageFault,
  SystemStatus,
  TrafficHistory
} from './system.schema.ts'

/** Bits of `status-code`. */
export const SYSTEM_STATUS_BITS = {
  /** An uploaded update has a higher version than the console in use. */
  newVersion: 0x1000,
  /** The hub is about to be restarted, by its supervisor or with its machine. */
  rebooting: 0x2000,
  srtFailed: 0x4000,
  /** An update is being uploaded, verified, or on trial. */
  updating: 0x8000,
  resetting: 0x10000,
  importing: 0x20000,
  lowMemory: 0x40000,
  engineAway: 0x80000,
  /** Changes cannot be stored; `storage-fault` says why. */
  storageFault: 0x100000,
  /** The machine of the hub is being shut down. */
  shuttingDown: 0x200000
} as const

/** Bits of the update service, which are in the same number (docs/wire.md, Settings). */
export const UPDATE_STATUS_BITS = {
  checking: 0x1,
  checkingOnline: 0x2,
  downloading: 0x4,
  verifying: 0x8,
  uploading: 0x10,
  cancelling: 0x20,
  restarting: 0x40,
  unavailable: 0x100,
  failed: 0x200
} as const

export const systemStatus = declareCall('GET /system/status', 'session')

export const listAddresses = declareCall('GET /system/addresses', SYSTEM_CONFIG_VIEW | INPUT_OUTPUT_VIEW)

export const retryPorts = declareCall('POST /system/ports/retry', CHANNEL_CONTROL)

export const describeApi = declareCall('GET /openapi.json', 'session')
