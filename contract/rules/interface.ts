// Rules for the network interfaces of the machine.

import { hostRange, prefixLength } from '../ipv4.ts'
import {
  INTERFACE_LABEL_MAX,
  INTERFACE_MTU_MAX,
  INTERFACE_MTU_MIN,
  IPV6_MTU_MIN,
  SSID_MAX,
  VLAN_MAX,
  WIFI_PASSWORD_MAX,
  WIFI_PASSWORD_MIN
} from '../limits.ts'
import { ipBetween, ipv4, subnetMask } from './network.ts'
import { characterLength, type Fault, noOuterSpace, printable, required, wholeNumber } from './rules.ts'

const INVALID: Fault = { name: 'invalid' }

interface Subnet {
  ipaddr: string
  netmask: string
}

/** Mask of the subnet of an interface: contiguous ones, and not /32, which leaves no neighbour. */
export function interfaceMask(value: string): Fault | undefined {
  return subnetMask(value) ?? (prefixLength(value) === 32 ? INVALID : undefined)
}

/** Address of an interface: an address of a host in the subnet; no loopback and no multicast address. */
export function interfaceAddress(value: string, { netmask }: Pick<Subnet, 'netmask'>): Fault | undefined {
  const first = Number(value.split('.')[0])
  const fault = ipv4(value) ?? (first === 127 || first >= 224 ? INVALID : undefined)
  if (fault || interfaceMask(netmask)) return fault
  const { min, max } = hostRange(value, netmask)
  return ipBetween(min, max)(value)
}

/** Gateway of an interface: empty, or another address in its subnet. */
export function interfaceGateway(value: string, { ipaddr, netmask }: Subnet): Fault | undefined {
  if (value === '') return undefined
  const fault = ipv4(value)
  if (fault || ipv4(ipaddr) || interfaceMask(netmask)) return fault
  const { min, max } = hostRange(ipaddr, netmask)
  return ipBetween(min, max)(value) ?? (value === ipaddr ? { name: 'same' } : undefined)
}

/** First name server: may be empty. */
export function firstNameServer(value: string): Fault | undefined {
  return value === '' ? undefined : ipv4(value)
}

/** Second name server: may be empty; differs from the first, without which it is not valid. */
export function secondNameServer(value: string, { dns1 }: { dns1: string }): Fault | undefined {
  if (value === '') return undefined
  return ipv4(value) ?? (dns1 === '' ? INVALID : value === dns1 ? { name: 'same' } : undefined)
}

/** MTU in bytes; 0 = the default of the link. */
export function mtu(value: string): Fault | undefined {
  return value === '0' ? undefined : wholeNumber(value, INTERFACE_MTU_MIN, INTERFACE_MTU_MAX)
}

/** MTU in bytes of an interface that may have IPv6. @param ipv6 the method; empty: the interface has none */
export function interfaceMtu(value: string, ipv6: string): Fault | undefined {
  const isDefault = value === '0'
  const hasIpv6 = ipv6 !== '' && ipv6 !== 'off'
  return mtu(value) ?? (hasIpv6 && !isDefault ? wholeNumber(value, IPV6_MTU_MIN, INTERFACE_MTU_MAX) : undefined)
}

export function vlanId(value: string): Fault | undefined {
  return wholeNumber(value, 1, VLAN_MAX)
}

/** Name of an interface for users: may be empty. */
export function interfaceLabel(value: string): Fault | undefined {
  return printable(value) ?? noOuterSpace(value) ?? characterLength(0, INTERFACE_LABEL_MAX)(value)
}

/** Name of a Wi-Fi network: 1-32 bytes of UTF-8 (IEEE 802.11). */
export function ssid(value: string): Fault | undefined {
  const fault = required(value) ?? printable(value)
  if (fault) return fault
  const bytes = encodeURIComponent(value).replace(/%../g, '.').length
  return bytes > SSID_MAX ? { name: 'length', min: 1, max: SSID_MAX } : undefined
}

/** Security of a Wi-Fi network. The hub does not provide an open one: polkit lets it share encrypted networks only. */
export function wifiSecurity(value: string, { hotspot = false }: { hotspot?: boolean | undefined }): Fault | undefined {
  return hotspot && value === 'open' ? INVALID : undefined
}

/** Password of a Wi-Fi network with WPA: 8-63 printable ASCII characters (IEEE 802.11). */
export function wifiPassword(value: string): Fault | undefined {
  return (
    required(value) ??
    (/^[\x20-\x7e]*$/.test(value) ? undefined : { name: 'characters' }) ??
    characterLength(WIFI_PASSWORD_MIN, WIFI_PASSWORD_MAX)(value)
  )
}
