// A line to a server as thin and slow as wanted, shared by all connections over it, as the one of a site with a poor uplink is; and a
// meter of what went over it.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ThinLineOptions {
  /** Bytes a second in each direction; Infinity counts only. */
  rate?: number
  /** Milliseconds from one end to the other. */
  delay?: number
}

export interface ThinLine {
  port: number
  /** Bytes that reached the near end, and the far one: of TCP's payload, so with the headers of HTTP, without those of IP. */
  bytes(): { down: number; up: number }
  close(): Promise<void>
}

/** Bytes of a packet: connections take turns by packets. */
const PACKET = 1448
/** Bytes that wait before the line for each connection. What more there is waits at the sender, as with a small send buffer. */
const QUEUE = 16 * PACKET

interface Way {
  from: Socket
  to: Socket
  waiting: Buffer[]
  size: number
  ended: boolean
}

/** One direction of all connections. */
function createDirection(rate: number, delay: number) {
  const ways: Way[] = []
  let bytes = 0
  let busy = false

  function deliver({ from, to }: Way, packet: Buffer): void {
    bytes += packet.length
    if (!to.writable || to.write(packet)) return
    from.pause()
    to.once('drain', () => from.resume())
  }

  function next(): void {
    const way = ways.find(({ waiting }) => waiting.length > 0)
    if (!way) {
      busy = false
      return
    }
    busy = true
    // Its turn comes again after the others'.
    ways.push(...ways.splice(ways.indexOf(way), 1))
    const [first = Buffer.alloc(0)] = way.waiting
    const packet = first.subarray(0, PACKET)
    if (packet.length < first.length) way.waiting[0] = first.subarray(PACKET)
    else way.waiting.shift()
    way.size -= packet.length
    if (way.size < QUEUE) way.from.resume()
    setTimeout(deliver, (packet.length / rate) * 1000 + delay, way, packet)
    setTimeout(next, (packet.length / rate) * 1000)
  }

  return {
    bytes: () => bytes,
    join(from: Socket, to: Socket): void {
      const way: Way = { from, to, waiting: [], size: 0, ended: false }
      ways.push(way)
      from.on('data', (chunk: Buffer) => {
        if (rate === Number.POSITIVE_INFINITY) {
          if (delay > 0) setTimeout(deliver, delay, way, chunk)
          else deliver(way, chunk)
          return
        }
        way.waiting.push(chunk)
        way.size += chunk.length
        if (way.size >= QUEUE) from.pause()
        if (!busy) next()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        const at = ways.indexOf(way)
        if (at >= 0 && way.waiting.length === 0) ways.splice(at, 1)
        setTimeout(() => to.end(), delay)
      })
    }
  }
}

/** Opens a line to a port of this machine. */
export async function openThinLine(
  target: number,
  { rate = Number.POSITIVE_INFINITY, delay = 0 }: ThinLineOptions = {}
): Promise<ThinLine> {
  const sockets = new Set<Socket>()
  const down = createDirection(rate, delay)
  const up = createDirection(rate, delay)
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    down.join(far, near)
    up.join(near, far)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => ({ down: down.bytes(), up: up.bytes() }),
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
