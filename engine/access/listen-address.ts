// The addresses at which servers listen.
import { existsSync } from 'node:fs'

/** Exists while the kernel has IPv6. */
const IPV6_ADDRESSES = '/proc/net/if_inet6'

/**
 * The address at which to listen. `::` accepts clients over IPv6 and IPv4; on a kernel without IPv6, which refuses it,
 * it becomes `0.0.0.0`.
 */
export function listenAddress(host: string, hasIpv6 = existsSync(IPV6_ADDRESSES)): string {
  return host === '::' && !hasIpv6 ? '0.0.0.0' : host
}
