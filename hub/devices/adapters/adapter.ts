// What the hub must know of a generation of devices to manage one: what to ask, what to tell, and what the answers mean.
import type { ActionError, DeviceApi } from '../../../contract/device/action.ts'
import type { DeviceRequest } from '../link/request.ts'
import type { Observed } from '../registry.ts'

/** One answer, read. Single values where `Observed` has samples. */
export interface Reading extends Omit<Observed, 'status'> {
  status: Omit<Observed['status'], 'cpu' | 'eth-rx' | 'eth-tx'>
  /** Percent. */
  cpu?: number
  /** Bits per second. */
  rx?: number
  tx?: number
}

/** What a device can be told without further words. */
export type Action = 'reboot' | 'startRecording' | 'stopRecording' | 'startLive' | 'stopLive'

/** What a device's code means beyond the number. */
export interface Meaning {
  /** That it does so already, or does no more: what was asked for is so. */
  done: readonly number[]
  /** Why not, where the specification has a sentence. */
  reasons: Readonly<Record<number, ActionError>>
}

export interface Adapter {
  readonly api: DeviceApi
  /** The call that says how the device is. It changes nothing. */
  readonly status: DeviceRequest
  /**
   * Reads the answer to `status`, as parsed from JSON. Never throws: what has another type or makes no sense is as if it were absent.
   * @returns undefined for what is no answer, or one that says that the call failed
   */
  read(answer: unknown): Reading | undefined
  rename(name: string): DeviceRequest
  readonly actions: Readonly<Record<Action, DeviceRequest | undefined>>
  /** What the codes that answer an action mean. */
  meaning(action: Action): Meaning
  /** The answer's own code, 0 = success; undefined where it has none. */
  code(answer: unknown): number | undefined
}
