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
 * The first IPv4 address of a network interface. An IP address is returned as it is.
 * @throws Error if there is no such interface, or it has no IPv4 address
 */
export function interfaceAddress(name: string): string {
  if (isIP(name)) return name
  const address = networkInterfaces()[name]?.find(({ family }) => family === 'IPv4')?.address
  if (!address) throw new Error(`The network interface ${name} does not exist or has no IPv4 address`)
  return address
}
