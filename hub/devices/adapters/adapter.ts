// Interface between the hub and a device generation: requests to the device, and how its responses are read.
import type { DeviceApi } from '../../../contract/device/action.ts'
import type { Action, CodeMeaning } from '../../../contract/device/action-codes.ts'
import type { DeviceStatus } from '../../../contract/device/status.ts'
import type { DeviceRequest } from '../../../device-link/request.ts'

/** State of a device at the time of its last response, with the samples up to then. */
export interface Observation {
  name?: string
  status: DeviceStatus
  /** Bits of `DEVICE_WARNING_BITS`. */
  warns: number
  /** Input signal as text, such as 1920x1080p60. */
  input?: string
  /** Name of the NDI source of an encoder; empty while it sends none. */
  ndiSource?: string
}

/** State of a device as read from one response: single values instead of samples. */
export interface StatusReading extends Omit<Observation, 'status'> {
  status: Omit<Observation['status'], 'cpu' | 'eth-rx' | 'eth-tx'>
  /** Percent. */
  cpu?: number
  /** Bits per second. */
  rx?: number
  tx?: number
}

/** Meaning of the responses of a generation. */
export interface ResponseReader {
  /**
   * Reads a successful response to the request for the status, as parsed from JSON. Never throws: a field of a wrong
   * type or with an impossible value is treated as absent.
   */
  readStatus(response: unknown): StatusReading
  /** Result codes of a firmware that does not have the request for the status, and so cannot be managed. */
  readonly unsupportedCodes: readonly number[]
  codeMeaning(action: Action): CodeMeaning
}

export interface Adapter {
  /** The generation whose result codes it has. */
  readonly api: DeviceApi
  /** Requests the status. It does not change anything on the device. */
  readonly statusRequest: DeviceRequest
  /**
   * Reads the response to `statusRequest`, as parsed from JSON. Never throws: a field of a wrong type or with an
   * impossible value is treated as absent.
   * @returns undefined if it is not a response of this generation, or if it reports a failure
   */
  readStatus(response: unknown): StatusReading | undefined
  /** As in `ResponseReader`. */
  readonly unsupportedCodes: readonly number[]
  rename(name: string): DeviceRequest
  /** Undefined for an action that the generation does not support. */
  readonly actions: Readonly<Record<Action, DeviceRequest | undefined>>
  codeMeaning(action: Action): CodeMeaning
  /** Result code in a response, 0 = success; undefined if it has none. */
  resultCode(response: unknown): number | undefined
}
