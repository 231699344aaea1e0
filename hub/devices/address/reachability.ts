// When the hub tries again to reach a device that is away, and whether its port is open. That costs a device, and the
// network, one connection without a byte; a login is only sent afterwards.
import { AUTH_FAILED, CLIENT_NOT_EXIST, VERIFY_FAILED } from '../../../contract/codes.ts'
import type { StoredDeviceAddress } from '../../store/device-addresses.ts'
import { type AddressPolicy, resolveDeviceAddress } from './address-policy.ts'
import { openConnection } from './http-call.ts'

/** All in milliseconds. */
export interface AddressedDevicesTiming {
  /** From one attempt to reach a device that is away to the next: first, and after half an hour. */
  retry: readonly [number, number]
  /** The same after another certificate, or another device, was found at the address. */
  recheck: number
  /** Timeout of each request while a device is identified. */
  find: number
  /** Timeout of the request that checks whether a device is online after another request failed. */
  verify: number
  /** Between two checks of whether a camera or server is still there. Other devices are polled for their status. */
  check: number
}

export const DEFAULT_TIMING: AddressedDevicesTiming = {
  retry: [2500, 15_000],
  recheck: 60_000,
  find: 4000,
  verify: 2500,
  check: 2000
}

/** Milliseconds to connect to a device that is away. */
const CONNECT_TIMEOUT = 2000
/** A device is tried again after this share of the time for which it has been away. */
const AWAY_SHARE = 1 / 120
/** Milliseconds for each device at an address: all together get at most 200 connections a second. */
const DEVICE_SHARE = 5

/** Connects to the port of a device, and closes the connection. @throws LinkError as `openConnection` */
export async function probeAddress({ address, port }: StoredDeviceAddress, policy: AddressPolicy): Promise<void> {
  const ip = await resolveDeviceAddress(address, port, policy)
  const { socket } = await openConnection({ ip, name: address, port, https: false, cert: '' }, CONNECT_TIMEOUT)
  socket.destroy()
}

interface RetryState {
  /** Result code of the last failure. */
  trouble: number | undefined
  /** Milliseconds for which the device has been away. */
  away: number
  /** Number of devices at addresses. */
  devices: number
}

/**
 * Milliseconds until the hub tries again to reach a device; undefined if it waits for a user, because a login that was
 * refused is not sent again: devices lock accounts.
 *
 * @param retry the first and the longest delay
 * @param recheck after another certificate or device was found at the address
 */
export function retryDelay(
  { trouble, away, devices }: RetryState,
  [first, longest]: readonly [number, number],
  recheck: number
): number | undefined {
  if (trouble === AUTH_FAILED) return undefined
  if (trouble === VERIFY_FAILED || trouble === CLIENT_NOT_EXIST) return recheck
  return Math.max(first, devices * DEVICE_SHARE, Math.min(longest, away * AWAY_SHARE))
}
