// Address policy for stream sources and targets (SSRF protection): which addresses streams may use.
import { embeddedIpv4, ipv6Groups, ipv6Text, isLinkLocal, isMulticastIpv6, mappedIpv4 } from '../ipv6.ts'

/**
 * Metadata services of clouds: most providers, Amazon ECS, Alibaba, older Oracle machines, Azure; over IPv6 Amazon,
 * Google, Oracle.
 */
const METADATA_ADDRESSES: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe'
]

/** Address blocks that are not globally reachable, as first address and prefix length: RFC 6890. */
const PRIVATE_BLOCKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['240.0.0.0', 4]
] as const

/** Link-local IPv4 addresses, among them most metadata services. */
const LINK_LOCAL_IPV4 = /^169\.254\./

const toNumber = (ip: string) => ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)

/**
 * Whether an IPv6 address is not globally reachable. Those are 2000::/3, except Teredo (2001::/32) and benchmarks
 * (2001:2::/48). Of an address that is translated to IPv4 on its way, the IPv4 address decides. Groups are no machines.
 */
function isPrivateIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0] = groups
  if (isMulticastIpv6(groups)) return false
  const isGlobal = first >= 0x2000 && first <= 0x3fff
  const isTranslated = first === 0x64 || first === 0x2002 || mappedIpv4(groups) !== undefined
  const ipv4 = isTranslated ? embeddedIpv4(groups) : undefined
  if (ipv4 !== undefined) return isPrivate(ipv4)
  return !isGlobal || (first === 0x2001 && (second === 0 || (second === 2 && third === 0)))
}

/** Whether an address is loopback, private, unique local, link-local or reserved. */
export function isPrivate(ip: string): boolean {
  const groups = ipv6Groups(ip)
  if (groups) return isPrivateIpv6(groups)
  const number = toNumber(ip)
  return PRIVATE_BLOCKS.some(([first, bits]) => Math.floor((number - toNumber(first)) / 2 ** (32 - bits)) === 0)
}

/** Whether an address is a multicast group: 224.0.0.0/4, ff00::/8. */
export function isMulticast(ip: string): boolean {
  const groups = ipv6Groups(ip)
  return groups ? isMulticastIpv6(groups) : /^(22[4-9]|23\d)\./.test(ip)
}

/** An address, and the IPv4 address to which it leads if it is an IPv6 address of which that is known. */
function addressesBehind(ip: string): string[] {
  const groups = ipv6Groups(ip)
  const ipv4 = groups && embeddedIpv4(groups)
  return [ip, ...(ipv4 === undefined ? [] : [ipv4])]
}

/** Whether the policy allows streams from and to an address as `parseAddress` returns it. */
export function isAllowedAddress(ip: string, forbidPrivate: boolean): boolean {
  if (addressesBehind(ip).some((each) => METADATA_ADDRESSES.includes(each))) return false
  return !(forbidPrivate && isPrivate(ip))
}

/**
 * Parses an IPv4 address in every notation that `inet_aton` accepts: one to four numbers in decimal, octal or
 * hexadecimal, so that 0x7f.1 is 127.0.0.1. Returns undefined for a name.
 */
export function parseIpv4(host: string): string | undefined {
  const parts = host.split('.')
  if (parts.length > 4 || !parts.every((part) => /^(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)$/i.test(part))) return undefined
  const numbers = parts.map((part) => (/^0[0-7]/.test(part) ? Number.parseInt(part, 8) : Number(part)))
  const last = numbers.pop() ?? 0
  // The last number fills all remaining bytes.
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return undefined
  const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last)
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')
}

/**
 * The address of a host that is one, in its canonical form: IPv4 in every notation that `parseIpv4` knows, and IPv6,
 * also in brackets and with a zone. An IPv4-mapped IPv6 address becomes the IPv4 address, because connections to it use
 * IPv4. Undefined for a name.
 */
export function parseAddress(host: string): string | undefined {
  const plain = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const groups = ipv6Groups(plain)
  return groups ? (mappedIpv4(groups) ?? ipv6Text(plain)) : parseIpv4(host)
}

/** Whether a host is forbidden without a lookup, because it is an address or `localhost`. */
export function isForbiddenHost(host: string, forbidPrivate: boolean): boolean {
  if (host === 'localhost') return forbidPrivate
  const ip = parseAddress(host)
  return ip !== undefined && !isAllowedAddress(ip, forbidPrivate)
}

/**
 * Whether a host that is an address is forbidden for servers to which the hub itself connects, such as targets of
 * backups: metadata services and link-local addresses. False for a name.
 */
export function isForbiddenServer(host: string): boolean {
  const ip = parseAddress(host.replace(/\.$/, ''))
  if (ip === undefined) return false
  const groups = ipv6Groups(ip)
  const isLocal = addressesBehind(ip).some((each) => LINK_LOCAL_IPV4.test(each)) || (groups && isLinkLocal(groups))
  return !isAllowedAddress(ip, false) || isLocal === true
}
