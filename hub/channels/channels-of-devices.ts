// Finds the channels that depend on the stream configuration of devices.
import type { Store } from '../store/store.ts'

/**
 * IDs of the channels that a device feeds or that feed a device.
 * @param device ID of the device; by default any device
 */
export function channelsOfDevices({ channels, devices }: Store, device?: number): number[] {
  const isAffected = (node: number) => (device === undefined || node === device) && devices.byId(node) !== undefined
  return channels
    .all()
    .filter(({ id }) =>
      [...channels.inputIds(id), ...channels.deviceOutputs(id).map((output) => output.id)].some(isAffected)
    )
    .map(({ id }) => id)
}
