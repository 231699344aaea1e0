// The hub's own addresses, for whoever has to type one at the other end.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { HubAddress } from '../../contract/system.ts'

/**
 * IPv4 addresses at which the hub is reached.
 * @param host what it listens at: where that is one address, there is no other
 */
export function addressesOf(host: string, interfaces = networkInterfaces()): HubAddress[] {
  const all = Object.entries(interfaces).flatMap(([iface, found]) =>
    (found ?? [])
      .filter(({ family }) => family === 'IPv4')
      .map(({ address, internal }) => ({ iface, address, internal }))
  )
  const own = host === 'localhost' ? '127.0.0.1' : host
  const everywhere = isIP(own) === 0 || own === '0.0.0.0' || own === '::'
  return all
    .filter(({ address, internal }) => (everywhere ? !internal : address === own))
    .map(({ iface, address }) => ({ iface, address }))
}
