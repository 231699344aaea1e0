// Applies the address policy to host names. Users name hosts. The engine looks each name up, checks the address, and
// connects to that address where the protocol allows it, because a second lookup could return another one.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isAllowedAddress } from '../../contract/stream/address-policy.ts'
import { ForbiddenAddressError, InterfaceMissingError } from '../interfaces/errors.ts'
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
 * @param name its name, or one of its addresses
 * @throws InterfaceMissingError if there is no such interface, or it has no such address, or no IPv4 address
 */
export function multicastInterface(name: string, group: string, interfaces = networkInterfaces()): string {
  const found = isIP(name)
    ? Object.keys(interfaces).find((each) => interfaces[each]?.some(({ address }) => address === name))
    : name
  const addresses = found === undefined ? undefined : interfaces[found]
  if (!found || !addresses) throw new InterfaceMissingError(name)
  if (group.includes(':')) return found
  if (isIP(name)) return name
  const address = addresses.find(({ family }) => family === 'IPv4')?.address
  if (!address) throw new InterfaceMissingError(name)
  return address
}

/** Why an interface cannot carry a multicast group now; undefined if it can. */
export function interfaceFault(name: string, group: string): InterfaceMissingError | undefined {
  try {
    multicastInterface(name, group)
    return undefined
  } catch (error) {
    return error as InterfaceMissingError
  }
}
