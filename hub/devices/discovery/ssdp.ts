// SSDP (UPnP Device Architecture 2.0, 1.3): machines that answer the search, with the address of their description.

import type { SearchNetwork } from './interfaces.ts'
import { askGroup } from './multicast.ts'

const GROUP = '239.255.255.250'
const PORT = 1900
/** Seconds within which a machine answers, at a moment that it chooses. */
const MAX_WAIT = 2

const SEARCH = [
  'M-SEARCH * HTTP/1.1',
  `HOST: ${GROUP}:${PORT}`,
  'MAN: "ssdp:discover"',
  `MX: ${MAX_WAIT}`,
  // One answer of each machine, not one for each of its services.
  'ST: upnp:rootdevice',
  '',
  ''
].join('\r\n')

/** The description of a device, on the machine that answered. */
export interface SsdpAnswer {
  address: string
  port: number
  path: string
}

/** @returns undefined if the answer names no description, or one on another machine */
export function readSsdpAnswer(message: string, sender: string): SsdpAnswer | undefined {
  if (!/^HTTP\/1\.1 200 /i.test(message)) return undefined
  const location = /^location:[ \t]*(\S+)/im.exec(message)?.[1] ?? ''
  const url = URL.canParse(location) ? new URL(location) : undefined
  if (url?.protocol !== 'http:' || url.hostname !== sender) return undefined
  return { address: sender, port: Number(url.port || 80), path: url.pathname + url.search }
}

export function searchSsdp(network: SearchNetwork, signal: AbortSignal, onFound: (found: SsdpAnswer) => void): void {
  askGroup({
    network,
    signal,
    group: GROUP,
    port: PORT,
    message: SEARCH,
    onAnswer(message, sender) {
      const found = readSsdpAnswer(message, sender)
      if (found) onFound(found)
    }
  })
}
