// What devices are told to do: reference 1.3 and 8. Paths are ours, made after the documented calls on several devices.
import { call } from '../call.ts'
import { DEVICE_CONTROL } from '../permissions.ts'
import type { Serials } from './device.ts'
import type { LiveError, QuickStreamError } from './live.ts'
import type { RecordingError } from './recording.ts'

/** A generation of devices that answers with codes of its own. */
export type DeviceApi = 'usapi' | 'mwapi' | 'api'

/** Why it does not record or stream, where the device's code tells: names of `recording.ts` and `live.ts`. */
export type ActionError = RecordingError | LiveError | QuickStreamError

/** What became of one device. */
export interface ActionResult {
  sn: string
  /**
   * 0: done. Of the hub: 9 not for this family, 16 unknown, 38 not accepted, 10007 offline, 10004 no usable answer in time, 4 its turn
   * did not come in the time that a call may take, and nothing was asked of it. With `api` it is the device's own.
   */
  result: number
  /** `result` is the device's own: of `ultra-codes.ts` with `usapi`, of the common list with the others. */
  api?: DeviceApi
  /** Besides, where the specification has a sentence for it. */
  reason?: ActionError
  /** All that in words (Envelope). */
  message?: string
  /** It is done, and takes effect when the device restarts. */
  'ext-need-reboot'?: boolean
}

/**
 * Devices are told side by side, with a limit for each, and then asked how they are: when the answer is here, lists show it.
 * The call's own result is 0 when any device did it, else the first one's, with its `api` and `reason` (Envelope).
 */
export interface ActionResults {
  details: ActionResult[]
}

/** A reboot that is under way already is one. */
export const rebootDevices = call<Serials, ActionResults>('POST', '/device/reboot', DEVICE_CONTROL)

/** 7 with `field: 'name'` for a name that its family does not take (`families.ts`). */
export const renameDevice = call<{ sn: string; name: string }, ActionResults>('POST', '/device/rename', DEVICE_CONTROL)

/** That it does so already is no error. */
export const startRecording = call<Serials, ActionResults>('POST', '/device/record/start', DEVICE_CONTROL)
export const stopRecording = call<Serials, ActionResults>('POST', '/device/record/stop', DEVICE_CONTROL)
/** A Director's live stream is its Quick Stream. */
export const startLive = call<Serials, ActionResults>('POST', '/device/live/start', DEVICE_CONTROL)
export const stopLive = call<Serials, ActionResults>('POST', '/device/live/stop', DEVICE_CONTROL)
