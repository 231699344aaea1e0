// The addresses at which servers listen.
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'

/** Exists while the kernel has IPv6. */
const IPV6_ADDRESSES = '/proc/net/if_inet6'

/**
 * The address at which to listen. `::` accepts clients over IPv6 and IPv4; on a kernel without IPv6, which refuses it,
 * it becomes `0.0.0.0`.
 */
export function listenAddress(host: string, hasIpv6 = existsSync(IPV6_ADDRESSES)): string {
  return host === '::' && !hasIpv6 ? '0.0.0.0' : host
}

/** The address at which this machine reaches a server that listens at an address. */
export function loopbackOf(host: string, interfaces = networkInterfaces()): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const addresses = Object.values(interfaces).flatMap((each) => each ?? [])
  const hasIpv4 = addresses.some(({ address }) => address === '127.0.0.1')
  return host === '0.0.0.0' || hasIpv4 ? '127.0.0.1' : '::1'
}
