// Finds free ports on the loopback interface. They are below the range of ephemeral ports, so that no other socket gets them before the
// test uses them. They are even and the next port is free too, because RTP uses both. No port is returned twice.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const FIRST = 12_000
const LAST = 32_000
const issued = new Set<number>()

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
  for (;;) {
    const port = FIRST + 2 * Math.floor((Math.random() * (LAST - FIRST)) / 2)
    if (issued.has(port)) continue
    issued.add(port)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

export const freeUdpPort = (): Promise<number> => find(isUdpFree)
export const freeTcpPort = (): Promise<number> => find(isTcpFree)
