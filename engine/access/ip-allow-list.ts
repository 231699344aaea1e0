// IP allow list: which addresses may publish to a channel and play it.
import { BlockList, isIPv4 } from 'node:net'

export interface IpAllowList {
  /** IPv4 addresses or ranges (`10.0.0.0/8`); empty allows every address. */
  readonly ranges: readonly string[]
  /** Whether an IP address is allowed. With ranges, the only IPv6 addresses allowed are IPv4-mapped ones. */
  allows(address: string): boolean
}

/** @param ranges IPv4 addresses or ranges (`10.0.0.0/8`); empty allows every address */
export function createIpAllowList(ranges: readonly string[]): IpAllowList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = '32'] = range.split('/')
    list.addSubnet(address, Number(bits), 'ipv4')
  }
  return {
    ranges,
    allows(address) {
      if (ranges.length === 0) return true
      const normalized = normalizeAddress(address)
      return isIPv4(normalized) && list.check(normalized)
    }
  }
}

export const ALLOW_ALL = createIpAllowList([])

/** Turns an IPv4-mapped IPv6 address into the IPv4 address and returns every other address as it is. */
export const normalizeAddress = (address: string | undefined) => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')

/** The IP address of `address:port`. */
export const addressOfPeer = (peer: string) => peer.slice(0, Math.max(0, peer.lastIndexOf(':')))
