// Asks whether another machine has an address, before the hub takes it: the kernel resolves it with ARP when a datagram
// is sent there. This needs no rights, and works for addresses in a subnet of the machine. For others, NetworkManager
// asks when it sets the address.
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Milliseconds in which a machine of the LAN answers. */
const PROBE_TIME = 800
const PROBE_INTERVAL = 50
/** The same for IPv6, where each look starts a program, and the kernel asks again after a second. */
const IPV6_PROBE_TIME = 2000
const IPV6_PROBE_INTERVAL = 200
/** Port for discarded datagrams (RFC 863). */
const DISCARD_PORT = 9
/** Flag of a complete entry in /proc/net/arp. */
const COMPLETE = 0x2

/** The hardware address of a complete entry; undefined without one. */
export function parseArpTable(table: string, address: string): string | undefined {
  const line = table.split('\n').find((each) => each.startsWith(`${address} `))
  const [, , flags = '0', mac = ''] = line?.trim().split(/\s+/) ?? []
  return Number(flags) & COMPLETE && mac !== '00:00:00:00:00:00' ? mac : undefined
}

/** @returns the hardware address of the machine that has the address; undefined if none answers */
export async function findHolder(address: string): Promise<string | undefined> {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  try {
    for (let elapsed = 0; elapsed < PROBE_TIME; elapsed += PROBE_INTERVAL) {
      if (elapsed % 400 === 0) socket.send('', DISCARD_PORT, address, () => {})
      await sleep(PROBE_INTERVAL)
      const mac = parseArpTable(readFileSync('/proc/net/arp', 'utf8'), address)
      if (mac) return mac
    }
    return undefined
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

const run = promisify(execFile)

/** The hardware address in a line of `ip neigh` about a neighbour that has answered; undefined without one. */
export function parseNeighbour(line: string): string | undefined {
  const [, mac] = /\blladdr (\S+)/.exec(line) ?? []
  return /\b(FAILED|INCOMPLETE)\b/.test(line) ? undefined : mac
}

/**
 * As `findHolder`, for an IPv6 address: the kernel resolves it with neighbour discovery (RFC 4861). It has no file with
 * its IPv6 neighbours, so the `ip` program of the system reads them, which needs no rights.
 * @param address a link-local one with its interface: `fe80::1%eth0`
 * @throws Error if the machine has no `ip`
 */
export async function findIpv6Holder(address: string, program = 'ip'): Promise<string | undefined> {
  const [host = '', iface] = address.split('%')
  const args = ['-6', 'neigh', 'show', 'to', host, ...(iface ? ['dev', iface] : [])]
  const socket = createSocket('udp6')
  socket.on('error', () => {})
  try {
    for (let elapsed = 0; elapsed < IPV6_PROBE_TIME; elapsed += IPV6_PROBE_INTERVAL) {
      if (elapsed % 1000 === 0) socket.send('', DISCARD_PORT, address, () => {})
      await sleep(IPV6_PROBE_INTERVAL)
      const mac = parseNeighbour((await run(program, args, { timeout: IPV6_PROBE_TIME })).stdout)
      if (mac) return mac
    }
    return undefined
  } finally {
    socket.close()
  }
}
