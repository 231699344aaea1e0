// Whose an address is, where somebody is to be slowed down.

/** What counts as one address: of IPv6 the 64 bits of the network, since whoever has one of its addresses has them all. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/, '')
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
