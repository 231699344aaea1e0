// Asks whether another machine has an address, before the hub takes it: the kernel resolves it with ARP when a datagram
// is sent there. This needs no rights, and works for addresses in a subnet of the machine. For others, NetworkManager
// asks when it sets the address.
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds in which a machine of the LAN answers. */
const PROBE_TIME = 800
const PROBE_INTERVAL = 50
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
