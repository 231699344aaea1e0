// From where a channel may be sent and taken.
import { BlockList, isIPv4 } from 'node:net'

export interface Allowed {
  /** IPv4 addresses, or ranges of them as `10.0.0.0/8`; empty: from everywhere. */
  readonly ranges: readonly string[]
  /** @param address IP address; where there are ranges no address of IPv6 is in one, but for those that stand for one of IPv4 */
  has(address: string): boolean
}

export function createAllowed(ranges: readonly string[]): Allowed {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = '32'] = range.split('/')
    list.addSubnet(address, Number(bits), 'ipv4')
  }
  return {
    ranges,
    has(address) {
      if (ranges.length === 0) return true
      const plain = plainAddress(address)
      return isIPv4(plain) && list.check(plain)
    }
  }
}

export const ANYBODY = createAllowed([])

/** An address of IPv4 as itself where it came as one of IPv6. */
export const plainAddress = (address: string | undefined) => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')

/** The address of `address:port`. */
export const hostOf = (peer: string) => peer.slice(0, Math.max(0, peer.lastIndexOf(':')))
