// Network prefix of a client address, the key for rate limits and lock-outs.

/** An IP address in its short form: IPv4 also if the socket is an IPv6 one, and without a zone. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/, '')

/**
 * The IPv4 address itself, or the first 64 bits of an IPv6 address: a client usually has a whole /64 network.
 * IPv4-mapped IPv6 addresses count as IPv4; a zone id is ignored.
 */
export function networkPrefix(address: string): string {
  const plain = plainAddress(address)
  if (!plain.includes(':')) return plain
  const [left = '', right] = plain.split('::')
  const begin = left.split(':').filter(Boolean)
  const end = right?.split(':').filter(Boolean) ?? []
  const zeros = right === undefined ? [] : Array<string>(Math.max(0, 8 - begin.length - end.length)).fill('0')
  return [...begin, ...zeros, ...end]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
