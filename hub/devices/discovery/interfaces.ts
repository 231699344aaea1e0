// The network interfaces in which devices can be looked for, and the address range of a search.
import { networkInterfaces } from 'node:os'
import type { DiscoveryInterface } from '../../../contract/device/discovery.ts'
import { RANGE_MAX } from '../../../contract/device/discovery.ts'
import { hostRange, ipv4Number, ipv4Text, maskOfPrefix } from '../../../contract/ipv4.ts'
import type { Fault } from '../../../contract/rules/rules.ts'

/** An interface of this machine with its network. */
export interface SearchNetwork extends DiscoveryInterface {
  netmask: string
}

/**
 * The interfaces with an IPv4 address, each with its first one: multicast DNS, SSDP and WS-Discovery are tied to it.
 * @param withLoopback whether the one of this machine alone is among them
 */
export function searchNetworks(withLoopback: boolean, interfaces = networkInterfaces()): SearchNetwork[] {
  return Object.entries(interfaces).flatMap(([name, addresses]) => {
    const found = addresses?.find(({ family, internal }) => family === 'IPv4' && (withLoopback || !internal))
    return found ? [{ name, address: found.address, netmask: found.netmask }] : []
  })
}

/** Whether an address is in the network of an interface. */
export function isInNetwork({ address, netmask }: SearchNetwork, ip: string): boolean {
  const { min, max } = hostRange(address, netmask)
  const number = ipv4Number(ip)
  return number >= ipv4Number(min) && number <= ipv4Number(max)
}

/** First and last address of `192.0.2.10-192.0.2.20`, of `192.0.2.0/24`, or of a single address. */
function parseRange(range: string): [first: number, last: number] | undefined {
  const [start = '', prefix] = range.split('/')
  if (prefix !== undefined) {
    if (!/^\d{1,2}$/.test(prefix) || Number(prefix) > 32 || Number.isNaN(ipv4Number(start))) return undefined
    const { min, max } = hostRange(start, maskOfPrefix(Number(prefix)))
    return [ipv4Number(min), ipv4Number(max)]
  }
  const [first = '', last = first] = range.split('-').map((each) => each.trim())
  const numbers = [ipv4Number(first), ipv4Number(last)] as [number, number]
  return numbers.some(Number.isNaN) ? undefined : numbers
}

/**
 * The addresses of a range, without the one of this machine.
 * @returns a fault if it is no range, is outside of the network of the interface, or has more than `RANGE_MAX`
 * addresses
 */
export function addressesOf(range: string, network: SearchNetwork): string[] | Fault {
  const parsed = parseRange(range)
  if (!parsed) return { name: 'invalid' }
  const [first, last] = parsed
  if (last < first) return { name: 'order' }
  if (!isInNetwork(network, ipv4Text(first)) || !isInNetwork(network, ipv4Text(last)))
    return { name: 'range', ...hostRange(network.address, network.netmask) }
  if (last - first >= RANGE_MAX) return { name: 'range', min: 1, max: RANGE_MAX }
  return Array.from({ length: last - first + 1 }, (_, index) => ipv4Text(first + index)).filter(
    (address) => address !== network.address
  )
}
