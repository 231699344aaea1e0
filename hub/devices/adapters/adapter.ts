// What the hub must know of a generation of devices to manage one: what to ask, and what the answers mean.
import type { Observed } from '../registry.ts'
import type { DeviceRequest } from '../request.ts'

/** One answer, read. Single values where `Observed` has samples. */
export interface Reading extends Omit<Observed, 'status'> {
  status: Omit<Observed['status'], 'cpu' | 'eth-rx' | 'eth-tx'>
  /** Percent. */
  cpu?: number
  /** Bits per second. */
  rx?: number
  tx?: number
}

export interface Adapter {
  /** The call that says how the device is. It changes nothing. */
  readonly status: DeviceRequest
  /**
   * Reads the answer to `status`, as parsed from JSON. Never throws: what has another type or makes no sense is as if it were absent.
   * @returns undefined for what is no answer, or one that says that the call failed
   */
  read(answer: unknown): Reading | undefined
  rename(name: string): DeviceRequest
  readonly reboot: DeviceRequest
  /** The answer's own code, 0 = success; undefined where it has none. */
  code(answer: unknown): number | undefined
}
