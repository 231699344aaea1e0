// Finds free ports on the loopback interface. They are below the range of ephemeral ports, so that no other socket gets
// them before the test uses them. They are even and the next port is free too, because RTP uses both. No port is
// returned twice. Each slot of the test runner has a range of its own, because files in several slots look for ports at
// the same time. Processes that a test starts get their ports from it.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const FIRST = 12_000
const LAST = 32_000
/** Number of ranges. The runner has at most as many slots. */
export const PORT_RANGES = 16
const issued = new Set<number>()

/**
 * The first port of a range, and the one after its last port.
 * @param slot slot of the test runner; without one, the range is the whole one
 */
export function portRange(slot = process.env.TEST_SLOT): [first: number, end: number] {
  if (slot === undefined) return [FIRST, LAST]
  const size = (LAST - FIRST) / PORT_RANGES
  const first = FIRST + (Number(slot) % PORT_RANGES) * size
  return [first, first + size]
}

const isUdpFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => socket.close(() => resolve(false)))
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)))
  })

const isTcpFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

async function find(isFree: (port: number) => Promise<boolean>): Promise<number> {
  const [first, end] = portRange()
  for (;;) {
    const port = first + 2 * Math.floor((Math.random() * (end - first)) / 2)
    if (issued.has(port)) continue
    issued.add(port)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

export const freeUdpPort = (): Promise<number> => find(isUdpFree)
export const freeTcpPort = (): Promise<number> => find(isTcpFree)
