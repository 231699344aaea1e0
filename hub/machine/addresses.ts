// The addresses of this machine.
import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { HubAddress } from '../../contract/system.ts'

/** Addresses that other machines can use without the name of an interface of theirs. */
const isUsable = ({ family, address }: NetworkInterfaceInfo) => family === 'IPv4' || !/^fe[89ab]/i.test(address)

/**
 * Addresses at which the hub can be reached, for users who configure them in other devices: of each interface IPv4
 * first. Link-local IPv6 addresses are left out.
 * @param host address on which the hub listens; ::, or a name, stands for all addresses but loopback ones, and 0.0.0.0
 * for all such IPv4 addresses
 */
export function listHubAddresses(host: string, interfaces = networkInterfaces()): HubAddress[] {
  const all = Object.entries(interfaces).flatMap(([iface, found]) =>
    (found ?? [])
      .filter((each) => isUsable(each) && (host !== '0.0.0.0' || each.family === 'IPv4'))
      .sort((one, other) => one.family.localeCompare(other.family))
      .map(({ address, internal }) => ({ iface, address, internal }))
  )
  const listenAddress = host === 'localhost' ? '127.0.0.1' : host
  const listensOnAll = isIP(listenAddress) === 0 || listenAddress === '0.0.0.0' || listenAddress === '::'
  return all
    .filter(({ address, internal }) => (listensOnAll ? !internal : address === listenAddress))
    .map(({ iface, address }) => ({ iface, address }))
}

/** Whether this machine has addresses that other machines can use, and none of them is an IPv4 address. */
export function isIpv6Only(interfaces = networkInterfaces()): boolean {
  const usable = Object.values(interfaces).flatMap((found) =>
    (found ?? []).filter((each) => isUsable(each) && !each.internal)
  )
  return usable.length > 0 && usable.every(({ family }) => family === 'IPv6')
}

/** Whether a listen address is reachable from this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.startsWith('127.') || host === '::1'
}
