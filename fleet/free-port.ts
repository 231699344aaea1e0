// Free ports of this machine, for the demo set-up.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Whether a UDP port is free. SRT runs over UDP. */
export function isUdpPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind(port, () => socket.close(() => resolve(true)))
  })
}

/** Whether a TCP port is free. */
export function isTcpPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })
}

/** The first free port from `from` to `to`; undefined if there is none. */
export async function findFreePort(
  isFree: (port: number) => Promise<boolean>,
  from: number,
  to: number
): Promise<number | undefined> {
  for (let port = from; port <= to; port++) if (await isFree(port)) return port
  return undefined
}
