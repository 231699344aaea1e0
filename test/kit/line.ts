// A line to a server that can be cut: a TCP proxy that stops passing bytes without closing anything, as a pulled cable does.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Line {
  port: number
  /** From now on no byte passes, in either direction. */
  freeze(): void
  /** Bytes pass again, those that waited first. */
  thaw(): void
  /** Closes every connection; new ones are refused until `thaw`. */
  cut(): void
  close(): Promise<void>
}

export async function openLine(target: number): Promise<Line> {
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
  const each = (act: (socket: Socket) => void) => {
    for (const pair of pairs) pair.forEach(act)
  }
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true
      each((socket) => socket.pause())
    },
    thaw() {
      frozen = refusing = false
      each((socket) => socket.resume())
    },
    cut() {
      refusing = true
      each((socket) => socket.destroy())
    },
    close() {
      each((socket) => socket.destroy())
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
