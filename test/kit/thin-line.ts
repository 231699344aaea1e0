// A line to a server as thin and slow as wanted, shared by all connections over it, as the one of a site with a poor uplink is; and a
// meter of what went over it.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ThinLineOptions {
  /** Bytes a second in each direction; Infinity counts only. */
  rate?: number
  /** Milliseconds from one end to the other. */
  delay?: number
  /** What comes first goes first, as in a modem with one queue for all. Otherwise connections take turns by packets. */
  inOrder?: boolean
}

export interface ThinLine {
  port: number
  /** Bytes that reached the near end, and the far one: of TCP's payload, so with the headers of HTTP, without those of IP. */
  bytes(): { down: number; up: number }
  /** From now on it is another line, for the connections that are there too. What is not said stays as it is. */
  become(options: ThinLineOptions): void
  close(): Promise<void>
}

/** Bytes of a packet. */
const PACKET = 1448
/** Bytes that wait before the line for each connection. What more there is waits at the sender, as with a small send buffer. */
const QUEUE = 16 * PACKET

interface Way {
  from: Socket
  to: Socket
  waiting: { chunk: Buffer; at: number }[]
  size: number
  ended: boolean
}

/** One direction of all connections. */
/** @param line as it is now */
function createDirection(line: Required<ThinLineOptions>) {
  const ways: Way[] = []
  let bytes = 0
  let busy = false
  /** Chunks that came. */
  let came = 0

  function deliver({ from, to }: Way, packet: Buffer): void {
    bytes += packet.length
    if (!to.writable || to.write(packet)) return
    from.pause()
    to.once('drain', () => from.resume())
  }

  function next(): void {
    const { rate, delay, inOrder } = line
    const full = ways.filter(({ waiting }) => waiting.length > 0)
    const way = inOrder ? full.sort((a, b) => (a.waiting[0]?.at ?? 0) - (b.waiting[0]?.at ?? 0))[0] : full[0]
    const [first] = way?.waiting ?? []
    if (!way || !first) {
      busy = false
      return
    }
    busy = true
    // Its turn comes again after the others'.
    ways.push(...ways.splice(ways.indexOf(way), 1))
    const packet = first.chunk.subarray(0, PACKET)
    first.chunk = first.chunk.subarray(PACKET)
    if (first.chunk.length === 0) way.waiting.shift()
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
        const { rate, delay } = line
        if (rate === Number.POSITIVE_INFINITY) {
          if (delay > 0) setTimeout(deliver, delay, way, chunk)
          else deliver(way, chunk)
          return
        }
        way.waiting.push({ chunk, at: came++ })
        way.size += chunk.length
        if (way.size >= QUEUE) from.pause()
        if (!busy) next()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        const at = ways.indexOf(way)
        if (at >= 0 && way.waiting.length === 0) ways.splice(at, 1)
        setTimeout(() => to.end(), line.delay)
      })
    }
  }
}

/** Opens a line to a port of this machine. */
export async function openThinLine(
  target: number,
  { rate = Number.POSITIVE_INFINITY, delay = 0, inOrder = false }: ThinLineOptions = {}
): Promise<ThinLine> {
  const line = { rate, delay, inOrder }
  const sockets = new Set<Socket>()
  const down = createDirection(line)
  const up = createDirection(line)
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
    become(options) {
      Object.assign(line, options)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
