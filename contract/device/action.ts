// Device actions: reboot, rename, recording, live streaming (docs/wire.md, "Devices").

import { DEVICE_CONTROL } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { SerialsRequest } from './device.ts'
import type { ActionError } from './live.ts'

/** API generation of a device. Each generation has its own result codes. */
export type DeviceApi = 'usapi' | 'mwapi' | 'api'

/** Result for one device. */
export interface ActionResult {
  sn: string
  /**
   * 0: success. Codes of the hub: 9 not supported by this family; 16 unknown device; 38 not accepted; 10007 offline; 10004 no valid response
   * in time; 4 the call timed out before a request was sent to this device. With `api` it is the device's own code.
   */
  result: number
  /** `result` is the device's own code: with `usapi` one of `ultra-codes.ts`, else one of `codes.ts`. */
  api?: DeviceApi
  /** More specific reason, if there is one. */
  reason?: ActionError
  /** Error message, see `Envelope`. */
  message?: string
  /** The change takes effect when the device restarts. */
  'ext-need-reboot'?: boolean
}

/**
 * The hub calls the devices concurrently, with a timeout for each, and then polls their status, so lists are up to date when the response
 * arrives. `result` of the call is 0 if any device succeeded, else that of the first device, with its `api` and `reason`.
 */
export interface ActionResults {
  details: ActionResult[]
}

/** Succeeds if the device is already rebooting. */
export const rebootDevices = declareCall<SerialsRequest, ActionResults>('POST', '/device/reboot', DEVICE_CONTROL)

/** 7 with `field: 'name'` for a name that violates the rule of its family (`families.ts`). */
export const renameDevice = declareCall<{ sn: string; name: string }, ActionResults>(
  'POST',
  '/device/rename',
  DEVICE_CONTROL
)

/** This and the calls below succeed if the device is already in the requested state. */
export const startRecording = declareCall<SerialsRequest, ActionResults>('POST', '/device/record/start', DEVICE_CONTROL)
export const stopRecording = declareCall<SerialsRequest, ActionResults>('POST', '/device/record/stop', DEVICE_CONTROL)
/** For a Director, starts and stops its Quick Stream. */
export const startLive = declareCall<SerialsRequest, ActionResults>('POST', '/device/live/start', DEVICE_CONTROL)
export const stopLive = declareCall<SerialsRequest, ActionResults>('POST', '/device/live/stop', DEVICE_CONTROL)
