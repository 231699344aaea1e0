// Applies the address policy to host names. Users name hosts. The engine looks each name up, checks the address, and
// connects to that address where the protocol allows it, because a second lookup could return another one.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isAllowedAddress } from '../../contract/stream/address-policy.ts'
import { ForbiddenAddressError } from '../interfaces/errors.ts'
import { lookUpAddress } from './lookup-address.ts'

/**
 * Looks up the address of a host and checks it.
 * @throws ForbiddenAddressError if the policy forbids it; Error with a system code if the name is unknown
 */
export async function resolveHost(host: string, forbidPrivate: boolean): Promise<string> {
  const ip = await lookUpAddress(host)
  if (!isAllowedAddress(ip, forbidPrivate)) throw new ForbiddenAddressError(`Streams from and to ${ip} are forbidden`)
  return ip
}

/**
 * An interface for a multicast group, as the relay takes it: its address for an IPv4 group, its name for one of IPv6.
 * @throws Error if there is no such interface, or it has no IPv4 address
 */
export function multicastInterface(name: string, group: string): string {
  if (group.includes(':')) return interfaceName(name)
  if (isIP(name)) return name
  const address = networkInterfaces()[name]?.find(({ family }) => family === 'IPv4')?.address
  if (!address) throw new Error(`The network interface ${name} does not exist or has no IPv4 address`)
  return address
}

/** The name of an interface that is given by its name or an address. @throws Error if there is no such interface */
function interfaceName(name: string): string {
  const interfaces = networkInterfaces()
  const found = isIP(name)
    ? Object.keys(interfaces).find((each) => interfaces[each]?.some(({ address }) => address === name))
    : name
  if (!found || !interfaces[found]) throw new Error(`The network interface ${name} does not exist`)
  return found
}
