// Chooses the pending device that gives way to a new one when too many wait for a decision. Accepted and rejected devices are never chosen.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { networkPrefix } from '../../contract/network-prefix.ts'
import type { DeviceRow } from '../store/devices.ts'

/** Pending devices in total: twice the number of devices that a hub supports. */
export const PENDING_MAX = 10_000
/** Pending devices of one network: a whole hub's devices may be behind one address. */
export const PENDING_PER_NETWORK = 5000

/**
 * The pending device to remove before a new one of `address` is stored: of the same network if that has too many, else of the network that has
 * the most. Among these, offline devices come before online ones, then the one that registered first.
 * @param rows all devices, oldest first
 * @returns undefined if there is room
 */
export function findDisplacedDevice(
  rows: readonly DeviceRow[],
  address: string,
  isOnline: (sn: string) => boolean
): DeviceRow | undefined {
  const pending = rows.filter((row) => row.reg_state === REGISTRATION_STATE.pending)
  if (pending.length < PENDING_PER_NETWORK) return undefined
  const networks = Map.groupBy(pending, (row) => networkPrefix(row.connect_ip))
  const own = networks.get(networkPrefix(address)) ?? []
  if (own.length < PENDING_PER_NETWORK && pending.length < PENDING_MAX) return undefined
  const largest = [...networks.values()].reduce((most, some) => (some.length > most.length ? some : most), own)
  const candidates = own.length >= PENDING_PER_NETWORK ? own : largest
  return candidates.find(({ sn }) => !isOnline(sn)) ?? candidates[0]
}
