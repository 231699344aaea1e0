// A TCP proxy that can stop forwarding without closing connections, like an unplugged cable.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttableProxy {
  port: number
  /** Stops forwarding in both directions. */
  freeze(): void
  /** Forwards again, beginning with the queued bytes. */
  thaw(): void
  /** Closes all connections and refuses new ones until `thaw`. */
  cut(): void
  close(): Promise<void>
}

export async function startCuttableProxy(target: number): Promise<CuttableProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let frozen = false
  let refusing = false
  const server = createServer((near) => {
    if (refusing) return void near.destroy()
    const far = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near]
    ] as const) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause()
      })
      to.on('drain', () => frozen || from.resume())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
      if (frozen) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const forEachSocket = (action: (socket: Socket) => void) => {
    for (const pair of pairs) pair.forEach(action)
  }
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true
      forEachSocket((socket) => socket.pause())
    },
    thaw() {
      frozen = refusing = false
      forEachSocket((socket) => socket.resume())
    },
    cut() {
      refusing = true
      forEachSocket((socket) => socket.destroy())
    },
    close() {
      forEachSocket((socket) => socket.destroy())
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
