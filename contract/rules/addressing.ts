// Rules for the further IPv4 addresses and the static routes of a network interface.
import { ipv4Number, maskOfPrefix } from '../ipv4.ts'
import { FURTHER_ADDRESSES_MAX, STATIC_ROUTES_MAX } from '../limits.ts'
import { interfaceAddress } from './interface.ts'
import { ipRange, ipv4 } from './network.ts'
import type { Fault } from './rules.ts'

const INVALID: Fault = { name: 'invalid' }

/** Traffic to a network goes to a gateway in a network of the interface. */
export interface StaticRoute {
  /** Network in CIDR notation. */
  to: string
  /** IPv4 address of the gateway. */
  via: string
}

/** The entries of a list with commas. */
const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

export const parseAddresses = entriesOf

/** Reads routes such as `10.0.0.0/8 via 192.168.1.254, 172.16.0.0/12 via 192.168.1.253`. */
export const parseRoutes = (text: string): StaticRoute[] =>
  entriesOf(text).map((entry) => {
    const [, to = entry, via = ''] = /^(\S+)\s+via\s+(\S+)$/.exec(entry) ?? []
    return { to, via }
  })

export const formatRoutes = (routes: readonly StaticRoute[]): string =>
  routes.map(({ to, via }) => `${to} via ${via}`).join(', ')

const bitsOf = (range: string): number => Number(range.split('/')[1] ?? 32)

/** Whether an IPv4 address is in a network in CIDR notation. */
function isInNetwork(address: string, range: string): boolean {
  const size = 2 ** (32 - bitsOf(range))
  const [network = ''] = range.split('/')
  return Math.floor(ipv4Number(address) / size) === Math.floor(ipv4Number(network) / size)
}

/** A further address: that of a host, with the length of its prefix, such as `192.168.2.7/24`. */
export function furtherAddress(value: string): Fault | undefined {
  const [address = ''] = value.split('/')
  if (ipRange(value) || !value.includes('/')) return INVALID
  return interfaceAddress(address, { netmask: maskOfPrefix(bitsOf(value)) })
}

const isRepeated = (values: readonly string[]) => new Set(values).size < values.length

/** @param ipaddr the first address of the interface; empty: from DHCP */
export function furtherAddresses(values: readonly string[], ipaddr: string): Fault | undefined {
  const addresses = [ipaddr, ...values.map((value) => value.split('/')[0] ?? '')]
  if (values.length > FURTHER_ADDRESSES_MAX) return INVALID
  return values.map(furtherAddress).find(Boolean) ?? (isRepeated(addresses) ? { name: 'same' } : undefined)
}

/** A destination: a network whose address has no bits beyond the prefix. Neither the default route nor a group. */
function routeTarget(to: string): Fault | undefined {
  const [network = ''] = to.split('/')
  const first = Number(network.split('.')[0])
  const isNetwork = !ipRange(to) && ipv4Number(network) % 2 ** (32 - bitsOf(to)) === 0
  return isNetwork && first !== 127 && first < 224 ? undefined : INVALID
}

/** @param networks of the interface, in CIDR notation, one of which has the gateway; undefined: from DHCP, unknown */
export function staticRoutes(
  routes: readonly StaticRoute[],
  networks: readonly string[] | undefined
): Fault | undefined {
  if (routes.length > STATIC_ROUTES_MAX) return INVALID
  const isReachable = (via: string) => !networks || networks.some((network) => isInNetwork(via, network))
  const faults = routes.map(({ to, via }) => routeTarget(to) ?? ipv4(via) ?? (isReachable(via) ? undefined : INVALID))
  return faults.find(Boolean) ?? (isRepeated(routes.map(({ to }) => to)) ? { name: 'same' } : undefined)
}
