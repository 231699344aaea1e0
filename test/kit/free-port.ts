// Ports of the loopback that nobody has at the moment. They lie below those that the system gives to whoever names none, so that no such
// socket comes before the test; they are even, and the next one is free too, since RTP takes both; and none is given twice.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const FIRST = 12_000
const LAST = 32_000
const given = new Set<number>()

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
    if (given.has(port)) continue
    given.add(port)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

export const freeUdpPort = (): Promise<number> => find(isUdpFree)
export const freeTcpPort = (): Promise<number> => find(isTcpFree)
