// Chooses the pending devices that give way to a new one when too many wait for a decision. Accepted and rejected
// devices are never chosen.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { networkPrefix } from '../../contract/network-prefix.ts'
import type { DeviceRow } from '../store/devices.ts'

/** Pending devices in total: twice the number of devices that a hub supports. */
export const PENDING_MAX = 10_000
/** Pending devices of one network: a whole hub's devices may be behind one address. */
export const PENDING_PER_NETWORK = 5000

/** Offline devices that give way at once, so that a flood does not search the list for each registration. */
export const DISPLACED_AT_ONCE = 50

/**
 * The pending devices to remove before a new one of `address` is stored: of the same network if that has too many, else
 * of the network that has the most. These are the offline devices that registered first, or if all are online the first
 * one.
 * @param rows all devices, oldest first
 * @returns none if there is room
 */
export function findDisplacedDevices(
  rows: readonly DeviceRow[],
  address: string,
  isOnline: (sn: string) => boolean
): DeviceRow[] {
  const pending = rows.filter((row) => row.reg_state === REGISTRATION_STATE.pending)
  if (pending.length < PENDING_PER_NETWORK) return []
  const networks = Map.groupBy(pending, (row) => networkPrefix(row.connect_ip))
  const own = networks.get(networkPrefix(address)) ?? []
  if (own.length < PENDING_PER_NETWORK && pending.length < PENDING_MAX) return []
  const largest = [...networks.values()].reduce((most, some) => (some.length > most.length ? some : most), own)
  const candidates = own.length >= PENDING_PER_NETWORK ? own : largest
  const offline = candidates.filter(({ sn }) => !isOnline(sn)).slice(0, DISPLACED_AT_ONCE)
  return offline.length > 0 ? offline : candidates.slice(0, 1)
}
