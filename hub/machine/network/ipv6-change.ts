// What a change of the IPv6 configuration of an interface means for the console that is open there.
import { isIPv6 } from 'node:net'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { ipv6Text } from '../../../contract/ipv6.ts'
import type { NetworkInterface, SetNetworkRequest } from '../../../contract/machine/network.ts'
import { interfaceMtu } from '../../../contract/rules/interface.ts'
import { MachineError } from '../machine-error.ts'
import { isLinkLocalText } from './ipv6-settings.ts'

type Current = Partial<NetworkInterface>

/** The addresses of a list with prefixes, in their shortest form. */
export const hostsOf = (ranges: readonly string[] = []): string[] =>
  ranges.map((range) => ipv6Text(range.split('/')[0] ?? '') ?? '')

/** Whether an interface has an address, of either kind. */
export function hasInterfaceAddress({ ipaddr, 'ipv6-addresses': ipv6 }: Current, address: string | undefined): boolean {
  if (address === undefined || address === '') return false
  return ipaddr === address || hostsOf(ipv6).includes(ipv6Text(address) ?? address)
}

/**
 * Whether an IPv6 address that an interface has stays with a request. Automatic addresses stay while they are not
 * turned off: routers announce the same ones again.
 */
export function keepsIpv6Address(request: SetNetworkRequest, current: Current, address: string): boolean {
  const { 'ipv6-method': method, 'ipv6-addresses': addresses } = request
  if (method === undefined) return true
  if (method === 'off') return false
  if (isLinkLocalText(address) || hostsOf(addresses).includes(address)) return true
  return method === 'auto' && !hostsOf(current['ipv6-chosen-addresses']).includes(address)
}

/**
 * The address at which a change that was requested at a local address is to be confirmed; empty if it is not known.
 * @param ipv4 the IPv4 address after the change; empty if it is not known
 */
export function confirmationAddress(
  request: SetNetworkRequest,
  current: Current,
  localAddress: string | undefined,
  ipv4: string
): string {
  if (!localAddress || !isIPv6(localAddress) || !hasInterfaceAddress(current, localAddress)) return ipv4
  if (keepsIpv6Address(request, current, localAddress)) return localAddress
  const { 'ipv6-method': method, 'use-dhcp': useDhcp } = request
  if (method === 'static') return hostsOf(request['ipv6-addresses'])[0] ?? ''
  if (method === 'auto') return ''
  return ipv4 || (useDhcp === undefined ? (current.ipaddr ?? '') : '')
}

/**
 * Checks that an interface with IPv6 gets no MTU with which the kernel turns IPv6 off.
 * @param current undefined for a new interface, which has IPv6 unless the request turns it off
 * @throws MachineError 7
 */
export function requireIpv6Mtu(
  { mtu, 'ipv6-method': method }: SetNetworkRequest,
  current: Pick<NetworkInterface, 'mtu' | 'ipv6-method'> | undefined
): void {
  if (mtu === undefined && method === undefined) return
  const size = mtu ?? current?.mtu ?? 0
  const fault = interfaceMtu(String(size), method ?? (current ? (current['ipv6-method'] ?? '') : 'auto'))
  if (fault) throw new MachineError(INVALID_ARG, { field: 'mtu', fault: fault.name, min: fault.min, max: fault.max })
}

/**
 * Checks the IPv6 addresses of a request. One that another machine has makes the activation fail: the kernel asks for
 * it when it is set (RFC 4862).
 * @throws MachineError 7 if another interface has one already
 */
export function requireFreeIpv6(
  { iface, 'ipv6-addresses': addresses }: SetNetworkRequest,
  interfaces: readonly Pick<NetworkInterface, 'iface' | 'ipaddr' | 'ipv6-addresses'>[]
): void {
  const others = interfaces.filter((each) => each.iface !== iface)
  for (const address of hostsOf(addresses)) {
    const holder = others.find((each) => hasInterfaceAddress(each, address))
    if (holder)
      throw new MachineError(INVALID_ARG, { field: 'ipv6-addresses', fault: 'taken', 'taken-by': holder.iface })
  }
}
