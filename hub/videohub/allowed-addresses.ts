// The addresses from which clients may connect.
import { BlockList, isIP } from 'node:net'

/** @param ranges as `clientRange` allows them (contract/rules/network.ts); empty allows every address */
export function createAllowedAddresses(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true
  const list = new BlockList()
  for (const range of ranges) {
    const [first = '', last] = range.split('-')
    if (last !== undefined) {
      list.addRange(first, last, 'ipv4')
      continue
    }
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}
