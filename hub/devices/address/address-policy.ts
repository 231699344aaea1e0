// Policy for device addresses (protection against server-side request forgery): users enter them, so they must not lead
// to services that only the hub can reach.
import { networkInterfaces } from 'node:os'
import { BAD_ADDRESS, NO_RESPONSE } from '../../../contract/codes.ts'
import { embeddedIpv4, ipv6Groups, isMulticastIpv6 } from '../../../contract/ipv6.ts'
import { isForbiddenServer } from '../../../contract/stream/address-policy.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import { lookUpAddress as lookUp } from '../../../engine/access/lookup-address.ts'

/** Milliseconds. */
const LOOKUP_TIMEOUT = 3000

export interface AddressPolicy {
  /** Whether devices may be on this machine: for a hub that only this machine can reach. */
  allowLoopback: boolean
  /** Ports of this machine on which the hub listens. */
  ownPorts(): readonly number[]
}

/** Whether the address is one of this machine. */
function isLocalAddress(ip: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return ip.startsWith('127.') || ip === '::1' || addresses.some(({ address }) => address === ip)
}

/**
 * Whether the hub may connect to an address. Private addresses are allowed, because devices have them. Not allowed are
 * link-local addresses (169.254.169.254 is the metadata service of clouds), network and multicast addresses, and,
 * unless the policy allows it, those of this machine. An IPv6 address that leads to an IPv4 address is as allowed as
 * that one.
 */
function isAllowed(ip: string, port: number, policy: AddressPolicy): boolean {
  const { allowLoopback, ownPorts } = policy
  const groups = ipv6Groups(ip)
  if (groups) {
    const isUnspecified = groups.every((group) => group === 0)
    if (isUnspecified || isMulticastIpv6(groups) || isForbiddenServer(ip)) return false
    const ipv4 = ip === '::1' ? undefined : embeddedIpv4(groups)
    if (ipv4 !== undefined && !isAllowed(ipv4, port, policy)) return false
  } else {
    const [a = 0, b = 0] = ip.split('.').map(Number)
    if (a === 0 || a >= 224 || (a === 169 && b === 254)) return false
  }
  return !isLocalAddress(ip) || (allowLoopback && !ownPorts().includes(port))
}

/** @returns the address, or undefined if the name is unknown or the lookup times out */
async function lookUpAddress(name: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOKUP_TIMEOUT)
  })
  const result = await Promise.race([lookUp(name).catch(() => undefined), timeout])
  clearTimeout(timer)
  return result
}

/**
 * Resolves an address or host name to an address and checks that address. Callers have to connect to the returned
 * address, because a second lookup might have another result.
 * @throws LinkError 32 if the policy forbids the address, 47 if the name is unknown
 */
export async function resolveDeviceAddress(address: string, port: number, policy: AddressPolicy): Promise<string> {
  const ip = await lookUpAddress(address)
  if (!ip) throw new LinkError(NO_RESPONSE, `the host name ${address} cannot be resolved`)
  if (!isAllowed(ip, port, policy)) throw new LinkError(BAD_ADDRESS, `connections to ${ip} are not allowed`)
  return ip
}
