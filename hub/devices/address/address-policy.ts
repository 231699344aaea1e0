// Policy for device addresses (protection against server-side request forgery): users enter them, so they must not lead
// to services that only the hub can reach.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { BAD_ADDRESS, NO_RESPONSE } from '../../../contract/codes.ts'
import { LinkError } from '../link/link-error.ts'

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
  return ip.startsWith('127.') || addresses.some(({ address }) => address === ip)
}

/**
 * Whether the hub may connect to an IPv4 address. Private addresses are allowed, because devices have them. Not allowed
 * are link-local addresses (169.254.169.254 is the metadata service of clouds), network and multicast addresses, and,
 * unless the policy allows it, those of this machine.
 */
function isAllowed(ip: string, port: number, { allowLoopback, ownPorts }: AddressPolicy): boolean {
  const [a = 0, b = 0] = ip.split('.').map(Number)
  if (a === 0 || a >= 224 || (a === 169 && b === 254)) return false
  return !isLocalAddress(ip) || (allowLoopback && !ownPorts().includes(port))
}

/** @returns IPv4 address, or undefined if the name is unknown or the lookup times out */
async function lookUpAddress(name: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOKUP_TIMEOUT)
  })
  const result = await Promise.race([lookup(name, { family: 4 }).catch(() => undefined), timeout])
  clearTimeout(timer)
  return result?.address
}

/**
 * Resolves an address or host name to an IPv4 address and checks that address. Callers have to connect to the returned
 * address, because a second lookup might have another result.
 * @throws LinkError 32 if the policy forbids the address, 47 if the name is unknown
 */
export async function resolveDeviceAddress(address: string, port: number, policy: AddressPolicy): Promise<string> {
  const ip = isIP(address) === 4 ? address : await lookUpAddress(address)
  if (!ip) throw new LinkError(NO_RESPONSE, `the host name ${address} cannot be resolved`)
  if (!isAllowed(ip, port, policy)) throw new LinkError(BAD_ADDRESS, `connections to ${ip} are not allowed`)
  return ip
}
