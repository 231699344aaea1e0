// Arithmetic of IPv6 addresses (RFC 4291, RFC 5952).

/** Converts a dotted quad to two groups in hexadecimal; undefined if it is none. */
function quadGroups(text: string): string[] | undefined {
  const octets = text.split('.')
  if (octets.length !== 4 || !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256))
    return undefined
  const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number)
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
}

/**
 * The eight groups of an IPv6 address as numbers, whose last two may be written as an IPv4 address; undefined if it is
 * none. A zone (`%eth0`) is not part of an address.
 */
export function ipv6Groups(value: string): number[] | undefined {
  const tail = value.slice(value.lastIndexOf(':') + 1)
  const quad = tail.includes('.') ? quadGroups(tail) : undefined
  const text = quad ? value.slice(0, value.length - tail.length) + quad.join(':') : value
  const halves = text.split('::')
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}

/** The shortest form of an address, in lower case (RFC 5952); undefined if it is no IPv6 address. */
export function ipv6Text(value: string): string | undefined {
  const groups = ipv6Groups(value)
  if (!groups) return undefined
  let [start, length] = [0, 1]
  for (let first = 0; first < 8; first++) {
    const end = groups.findIndex((group, index) => index >= first && group !== 0)
    const zeros = (end < 0 ? 8 : end) - first
    if (zeros > length) [start, length] = [first, zeros]
  }
  const text = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':')
  return length > 1 ? `${text(0, start)}::${text(start + length, 8)}` : text(0, 8)
}

/** Whether groups begin with a prefix of whole groups. */
const startsWith = (groups: readonly number[], prefix: readonly number[]) =>
  prefix.every((group, index) => groups[index] === group)

/** Prefixes whose addresses end with an IPv4 address: mapped, translated, compatible, NAT64 (RFC 4291, 6052, 7915). */
const EMBEDDING_PREFIXES = [
  [0, 0, 0, 0, 0, 0xffff],
  [0, 0, 0, 0, 0xffff, 0],
  [0, 0, 0, 0, 0, 0],
  [0x64, 0xff9b, 0, 0, 0, 0]
]
/** 6to4 (RFC 3056) has the IPv4 address after its first group. */
const SIX_TO_FOUR = 0x2002

/**
 * The IPv4 address to which an IPv6 address leads, because it is mapped to it or translated on the way; undefined if
 * there is none.
 */
export function embeddedIpv4(groups: readonly number[]): string | undefined {
  const isLast = EMBEDDING_PREFIXES.some((prefix) => startsWith(groups, prefix))
  if (!isLast && groups[0] !== SIX_TO_FOUR) return undefined
  const [high = 0, low = 0] = isLast ? groups.slice(6) : groups.slice(1)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The IPv4 address of an IPv4-mapped address (`::ffff:a.b.c.d`), with which systems connect over IPv4. */
export const mappedIpv4 = (groups: readonly number[]): string | undefined =>
  startsWith(groups, EMBEDDING_PREFIXES[0] ?? []) ? embeddedIpv4(groups) : undefined

/** Whether an address is link-local (fe80::/10): it has a meaning only together with an interface. */
export const isLinkLocal = ([first = 0]: readonly number[]): boolean => first >= 0xfe80 && first <= 0xfebf

/** Whether an address is one of multicast (ff00::/8). */
export const isMulticastIpv6 = ([first = 0]: readonly number[]): boolean => first >= 0xff00

/** A host as it stands in a URL and before a port: an IPv6 address in brackets. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** A host without the brackets that an IPv6 address has in a URL. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')
