// The addresses of this machine.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { HubAddress } from '../../contract/system.ts'

/**
 * IPv4 addresses at which the hub can be reached, for users who configure them in other devices.
 * @param host address on which the hub listens; 0.0.0.0, :: or a name stands for all addresses but loopback ones
 */
export function listHubAddresses(host: string, interfaces = networkInterfaces()): HubAddress[] {
  const all = Object.entries(interfaces).flatMap(([iface, found]) =>
    (found ?? [])
      .filter(({ family }) => family === 'IPv4')
      .map(({ address, internal }) => ({ iface, address, internal }))
  )
  const listenAddress = host === 'localhost' ? '127.0.0.1' : host
  const listensOnAll = isIP(listenAddress) === 0 || listenAddress === '0.0.0.0' || listenAddress === '::'
  return all
    .filter(({ address, internal }) => (listensOnAll ? !internal : address === listenAddress))
    .map(({ iface, address }) => ({ iface, address }))
}

/** Whether a listen address is reachable from this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.startsWith('127.') || host === '::1'
}
