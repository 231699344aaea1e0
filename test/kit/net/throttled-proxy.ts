// A TCP proxy that limits the rate and adds delay. All connections share the rate, as on a site with a slow uplink. It
// counts bytes.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ThrottleOptions {
  /** Bytes per second in each direction; Infinity for no limit. */
  rate?: number
  /** One-way delay in milliseconds. */
  delay?: number
}

export interface ThrottledProxy {
  port: number
  /**
   * Bytes of TCP payload that reached the client (`down`) and the server (`up`): with HTTP headers, without IP headers.
   */
  bytes(): { down: number; up: number }
  close(): Promise<void>
}

/** Bytes in a packet: connections take turns packet by packet. */
const PACKET = 1448
/** Bytes queued for each connection. The proxy stops reading when the queue is full, like a small send buffer. */
const QUEUE = 16 * PACKET

interface Connection {
  from: Socket
  to: Socket
  waiting: Buffer[]
  size: number
  ended: boolean
}

/** Forwards one direction of all connections. */
function createDirection(rate: number, delay: number) {
  const connections: Connection[] = []
  let bytes = 0
  let busy = false

  function deliver({ from, to }: Connection, packet: Buffer): void {
    bytes += packet.length
    if (!to.writable || to.write(packet)) return
    from.pause()
    to.once('drain', () => from.resume())
  }

  function next(): void {
    const connection = connections.find(({ waiting }) => waiting.length > 0)
    if (!connection) {
      busy = false
      return
    }
    busy = true
    // Moves to the end of the queue.
    connections.push(...connections.splice(connections.indexOf(connection), 1))
    const [first = Buffer.alloc(0)] = connection.waiting
    const packet = first.subarray(0, PACKET)
    if (packet.length < first.length) connection.waiting[0] = first.subarray(PACKET)
    else connection.waiting.shift()
    connection.size -= packet.length
    if (connection.size < QUEUE) connection.from.resume()
    setTimeout(deliver, (packet.length / rate) * 1000 + delay, connection, packet)
    setTimeout(next, (packet.length / rate) * 1000)
  }

  return {
    bytes: () => bytes,
    join(from: Socket, to: Socket): void {
      const connection: Connection = { from, to, waiting: [], size: 0, ended: false }
      connections.push(connection)
      from.on('data', (chunk: Buffer) => {
        if (rate === Number.POSITIVE_INFINITY) {
          if (delay > 0) setTimeout(deliver, delay, connection, chunk)
          else deliver(connection, chunk)
          return
        }
        connection.waiting.push(chunk)
        connection.size += chunk.length
        if (connection.size >= QUEUE) from.pause()
        if (!busy) next()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        const index = connections.indexOf(connection)
        if (index >= 0 && connection.waiting.length === 0) connections.splice(index, 1)
        setTimeout(() => to.end(), delay)
      })
    }
  }
}

/** Starts a proxy to a port of this machine. */
export async function startThrottledProxy(
  target: number,
  { rate = Number.POSITIVE_INFINITY, delay = 0 }: ThrottleOptions = {}
): Promise<ThrottledProxy> {
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
