// IP allow list: which addresses may publish to a channel and play it.

import { BlockList, isIP } from 'node:net'
import { withoutBrackets } from '../../contract/ipv6.ts'

export interface IpAllowList {
  /** IPv4 and IPv6 addresses or ranges (`10.0.0.0/8`); empty allows every address. */
  readonly ranges: readonly string[]
  /** Whether an IP address is allowed. An IPv4-mapped IPv6 address counts as the IPv4 address. */
  allows(address: string): boolean
}

/** @param ranges IPv4 and IPv6 addresses or ranges (`10.0.0.0/8`); empty allows every address */
export function createIpAllowList(ranges: readonly string[]): IpAllowList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const isIpv6 = address.includes(':')
    list.addSubnet(address, Number(bits ?? (isIpv6 ? 128 : 32)), isIpv6 ? 'ipv6' : 'ipv4')
  }
  return {
    ranges,
    allows(address) {
      if (ranges.length === 0) return true
      const normalized = normalizeAddress(address)
      const version = isIP(normalized)
      return version !== 0 && list.check(normalized, version === 6 ? 'ipv6' : 'ipv4')
    }
  }
}

export const ALLOW_ALL = createIpAllowList([])

/** Turns an IPv4-mapped IPv6 address into the IPv4 address and returns every other address as it is. */
export const normalizeAddress = (address: string | undefined) => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')

/** The IP address of `address:port`, of which an IPv6 address stands in brackets. */
export const addressOfPeer = (peer: string) => withoutBrackets(peer.slice(0, Math.max(0, peer.lastIndexOf(':'))))
