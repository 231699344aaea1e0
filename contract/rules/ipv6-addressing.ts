// Rules for the IPv6 addresses, gateway, name servers and routes of a network interface.
import { ipv6Groups, ipv6Text, isLinkLocal, isMulticastIpv6 } from '../ipv6.ts'
import { IPV6_ADDRESSES_MAX, IPV6_NAME_SERVERS_MAX, STATIC_ROUTES_MAX } from '../limits.ts'
import type { StaticRoute } from './addressing.ts'
import { type Fault, isIpv6, isIpv6Host } from './rules.ts'

const INVALID: Fault = { name: 'invalid' }

const isRepeated = (values: readonly string[]) => new Set(values.map((value) => ipv6Text(value))).size < values.length

/** Address and length of the prefix of a text such as `2001:db8::/32`; undefined if it is none. */
function parsePrefix(range: string): { address: string; bits: number } | undefined {
  const [, address = '', bits] = /^([^/]+)\/(\d{1,3})$/.exec(range) ?? []
  return isIpv6(address) && Number(bits) <= 128 ? { address, bits: Number(bits) } : undefined
}

/** The groups of an address without the bits after its prefix. */
function networkGroups(address: string, bits: number): number[] {
  return (ipv6Groups(address) ?? []).map((group, index) => {
    const zeros = Math.min(16, Math.max(0, 16 * (index + 1) - bits))
    return (group >> zeros) << zeros
  })
}

/** Whether an IPv6 address is in a network such as `2001:db8::/64`. */
function isInIpv6Network(address: string, range: string): boolean {
  const network = parsePrefix(range)
  if (!network || !isIpv6(address)) return false
  return networkGroups(address, network.bits).join() === networkGroups(network.address, network.bits).join()
}

/** An address that one machine has: no group, no loopback address, and not one that stands for an IPv4 address. */
function hostAddress(value: string): Fault | undefined {
  const groups = isIpv6Host(value) ? ipv6Groups(value) : undefined
  return groups && !isMulticastIpv6(groups) && ipv6Text(value) !== '::1' ? undefined : INVALID
}

/** Address of an interface with the length of its prefix, such as `2001:db8::7/64`. The kernel sets link-local ones. */
function interfaceAddress(value: string): Fault | undefined {
  const parsed = parsePrefix(value)
  return parsed && parsed.bits > 0 ? hostAddress(parsed.address) : INVALID
}

const hostOf = (value: string) => value.split('/')[0] ?? ''

/** @param method `static` needs an address */
export function ipv6Addresses(values: readonly string[], method: string): Fault | undefined {
  if (values.length === 0) return method === 'static' ? { name: 'required' } : undefined
  if (values.length > IPV6_ADDRESSES_MAX) return INVALID
  return values.map(interfaceAddress).find(Boolean) ?? (isRepeated(values.map(hostOf)) ? { name: 'same' } : undefined)
}

/** A gateway: link-local, as routers announce themselves, or in one of the networks, if they are known. */
function gatewayIn(value: string, networks: readonly string[] | undefined): Fault | undefined {
  const groups = isIpv6(value) ? ipv6Groups(value) : undefined
  if (groups && isLinkLocal(groups)) return undefined
  const fault = hostAddress(value)
  if (fault || !networks) return fault
  return networks.some((network) => isInIpv6Network(value, network)) ? undefined : INVALID
}

/** Gateway of a static configuration: empty, or another address. @param addresses of the interface */
export function ipv6Gateway(value: string, addresses: readonly string[]): Fault | undefined {
  if (value === '') return undefined
  const isOwn = addresses.some((address) => ipv6Text(hostOf(address)) === ipv6Text(value))
  return gatewayIn(value, addresses) ?? (isOwn ? { name: 'same' } : undefined)
}

export function ipv6NameServers(values: readonly string[]): Fault | undefined {
  if (values.length > IPV6_NAME_SERVERS_MAX) return INVALID
  return values.map(hostAddress).find(Boolean) ?? (isRepeated(values) ? { name: 'same' } : undefined)
}

/** A destination: a network whose address has no bits beyond the prefix. Neither the default route nor a group. */
function routeTarget(to: string): Fault | undefined {
  const network = parsePrefix(to)
  if (!network || network.bits === 0) return INVALID
  const groups = ipv6Groups(network.address) ?? []
  const isNetwork = networkGroups(network.address, network.bits).join() === groups.join()
  return isNetwork && groups.some(Boolean) && !isMulticastIpv6(groups) && !isLinkLocal(groups) ? undefined : INVALID
}

/** @param networks of the interface, one of which has the gateway; undefined: they are announced, and not known */
export function ipv6Routes(routes: readonly StaticRoute[], networks: readonly string[] | undefined): Fault | undefined {
  if (routes.length > STATIC_ROUTES_MAX) return INVALID
  const faults = routes.map(({ to, via }) => routeTarget(to) ?? gatewayIn(via, networks))
  const targets = routes.map(({ to }) => `${ipv6Text(hostOf(to))}/${to.split('/')[1]}`)
  return faults.find(Boolean) ?? (new Set(targets).size < targets.length ? { name: 'same' } : undefined)
}
