// Address policy for stream sources and targets (SSRF protection): which IPv4 addresses streams may use.

/** Metadata services of clouds: most providers, Amazon ECS, Alibaba, older Oracle machines, Azure. */
const METADATA_ADDRESSES: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16'
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

/** Link-local addresses, among them most metadata services. */
const LINK_LOCAL = /^169\.254\./

const toNumber = (ip: string) => ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)

/** Whether an IPv4 address is loopback, private, link-local or reserved. */
export function isPrivate(ip: string): boolean {
  const number = toNumber(ip)
  return PRIVATE_BLOCKS.some(([first, bits]) => Math.floor((number - toNumber(first)) / 2 ** (32 - bits)) === 0)
}

/** Whether the policy allows streams from and to an IPv4 address. */
export function isAllowedAddress(ip: string, forbidPrivate: boolean): boolean {
  return !METADATA_ADDRESSES.includes(ip) && !(forbidPrivate && isPrivate(ip))
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

/** Whether a host is forbidden without a lookup, because it is an address or `localhost`. */
export function isForbiddenHost(host: string, forbidPrivate: boolean): boolean {
  if (host === 'localhost') return forbidPrivate
  const ip = parseIpv4(host)
  return ip !== undefined && !isAllowedAddress(ip, forbidPrivate)
}

/**
 * Whether a host that is an address is forbidden for servers to which the hub itself connects, such as targets of
 * backups: metadata services and link-local addresses. False for a name.
 */
export function isForbiddenServer(host: string): boolean {
  const ip = parseIpv4(host.replace(/\.$/, ''))
  return ip !== undefined && (!isAllowedAddress(ip, false) || LINK_LOCAL.test(ip))
}
