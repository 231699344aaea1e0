// Interface between orders to devices at addresses and the API generations: how a device is set up for a stream, and
// how it gets back what it did before.
import type { BeforeOrder } from '../../../store/device-streams.ts'
import type { DeviceCalls } from './device-calls.ts'

/** Name under which the hub enters itself on a device, as server or as source. */
export const HUB_ENTRY = 'Headend hub'

/** @template Order what the device has to do */
export interface StreamMethod<Order> {
  /** Reads what the device does without the hub. Changes nothing. */
  read(calls: DeviceCalls): Promise<BeforeOrder>
  /**
   * Sets the device up, also while it carries out an earlier order.
   * @param host address of the hub towards the device
   * @param saveBefore stores what the device did before, if that is more than `before`; called before it is changed
   */
  start(
    calls: DeviceCalls,
    order: Order,
    host: string,
    before: BeforeOrder,
    saveBefore: (before: BeforeOrder) => void
  ): Promise<void>
  /** Removes what the hub has set up, and gives back what was there before. Also if nothing is set up. */
  stop(calls: DeviceCalls, before: BeforeOrder): Promise<void>
  /**
   * How the device carries out the order: `waiting`, `done`, or the result code with which it failed. Absent: the
   * device does not report it.
   */
  outcome?(calls: DeviceCalls): Promise<'waiting' | 'done' | number>
}

/** SRT and RTMP URLs have IPv6 addresses in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)
