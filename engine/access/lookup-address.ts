// Looks up the address of a host name.
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { parseAddress } from '../../contract/stream/address-policy.ts'

/**
 * The address to connect to: IPv4 if the name and this machine have it, because paths over IPv6 that do not work are
 * more common; else IPv6. Loopback addresses of this machine count if it has no others.
 */
export function preferredAddress(
  found: readonly LookupAddress[],
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces()
): string | undefined {
  const own = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  const external = own.filter(({ internal }) => !internal)
  const hasIpv4 = (external.length > 0 ? external : own).some(({ family }) => family === 'IPv4')
  const preferred = found.find(({ family }) => family === (hasIpv4 ? 4 : 6)) ?? found[0]
  // A name server can return an IPv4-mapped IPv6 address.
  return preferred && parseAddress(preferred.address)
}

/**
 * The address of a host in its canonical form. An address is not looked up.
 * @throws Error with a system code if the name is unknown
 */
export async function lookUpAddress(host: string): Promise<string> {
  const address = parseAddress(host) ?? preferredAddress(await lookup(host, { all: true }))
  if (address === undefined) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' })
  return address
}
