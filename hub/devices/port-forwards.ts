// Forwarded ports (contract/port-forward.ts): each a listener of the hub whose connections go on through a device's link. Kept in
// memory only: what was opened for a session does not outlive the hub that knew the session.
import { constants } from 'node:http2'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { FORWARD_CONNECTIONS_MAX } from '../../contract/port-forward.ts'
import { createCookieBlanker } from './console-cookies.ts'
import { cut, join, type Tunnel } from './link/tunnel.ts'

export interface PortForwardsOptions {
  /** Address to listen on. */
  host: string
  tunnel(sn: string, port: number): Promise<Tunnel>
  /** Something that a list shows of it is another now. */
  changed(id: number): void
  gone(id: number): void
  /** Milliseconds between words about the counters alone. */
  pace?: number
}

export interface Wish {
  sn: string
  /** 0 lets the system choose. */
  localPort: number
  remotePort: number
  /** Who wants it: a session's key, which it ends with, and the user's name. */
  session: string
  user: string
}

/** A forwarded port. */
export interface Forward extends Readonly<Wish> {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Bytes to the device, and from it. */
  readonly bytesIn: number
  readonly bytesOut: number
  /** Connections open now. */
  readonly connections: number
}

interface Running extends Forward {
  localPort: number
  bytesIn: number
  bytesOut: number
  server: Server
  sockets: Set<Socket>
  /** The counters moved since the last word about them. */
  moved: boolean
}

/** Milliseconds in which an opened one must be kept. */
const KEEP_TIMEOUT = 10_000
/** Milliseconds without a byte after which the system asks whether the other end is still there. */
const KEEP_ALIVE = 60_000

export type PortForwards = ReturnType<typeof createPortForwards>

export function createPortForwards({ host, tunnel, changed, gone, pace = 1000 }: PortForwardsOptions) {
  const running = new Map<number, Running>()
  const unkept = new Map<Running, NodeJS.Timeout>()
  let lastId = 0
  let closed = false

  const timer = setInterval(() => {
    for (const forward of running.values()) {
      if (!forward.moved) continue
      forward.moved = false
      changed(forward.id)
    }
  }, pace).unref()

  async function carry(socket: Socket, forward: Running): Promise<void> {
    const { sn, remotePort, sockets } = forward
    sockets.add(socket)
    forward.moved = true
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      forward.moved = true
    })
    let stream: Tunnel
    try {
      stream = await tunnel(sn, remotePort)
    } catch {
      return cut(socket)
    }
    if (socket.destroyed) return stream.close(constants.NGHTTP2_CANCEL)
    const blank = createCookieBlanker()
    socket.on('data', (piece: Buffer) => {
      blank(piece)
      forward.bytesIn += piece.length
      forward.moved = true
    })
    stream.on('data', (piece: Buffer) => {
      forward.bytesOut += piece.length
      forward.moved = true
    })
    join(socket, stream)
  }

  function shut({ server, sockets }: Running): void {
    server.close()
    for (const socket of sockets) cut(socket)
  }

  function stop(id: number): void {
    const forward = running.get(id)
    if (!forward) return
    running.delete(id)
    shut(forward)
    gone(id)
  }

  function end(unwanted: (forward: Forward) => boolean): void {
    for (const forward of [...running.values()]) if (unwanted(forward)) stop(forward.id)
  }

  return {
    /**
     * Opens a port. Unless it is kept soon it closes again: between the two the hub writes down that it was opened.
     * @throws the system's error (EADDRINUSE, EACCES) when the port cannot be opened
     */
    async open(wish: Wish): Promise<{ forward: Forward; keep(): void }> {
      const sockets = new Set<Socket>()
      const server = createServer({
        allowHalfOpen: true,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(wish.localPort, host, resolve)
      })
      const forward: Running = {
        ...wish,
        ...{ id: ++lastId, since: Date.now(), bytesIn: 0, bytesOut: 0, server, sockets, moved: false },
        localPort: (server.address() as AddressInfo).port,
        get connections() {
          return sockets.size
        }
      }
      server.maxConnections = FORWARD_CONNECTIONS_MAX
      server.on('error', (error) => console.error(`port ${forward.localPort}:`, error))
      server.on('connection', (socket) => carry(socket, forward))
      const timeout = setTimeout(() => {
        unkept.delete(forward)
        shut(forward)
      }, KEEP_TIMEOUT)
      unkept.set(forward, timeout)
      return {
        forward,
        keep() {
          if (!unkept.delete(forward)) return
          clearTimeout(timeout)
          if (closed) return shut(forward)
          running.set(forward.id, forward)
          changed(forward.id)
        }
      }
    },

    /** Closes the port and cuts its connections. */
    stop,

    /** The same for all that are unwanted. */
    end,

    /** A device came or went: its connections went with its link. */
    presence(sn: string): void {
      for (const { id, sn: of } of running.values()) if (of === sn) changed(id)
    },

    /** Oldest first. */
    all: (): Forward[] => [...running.values()],

    byId: (id: number): Forward | undefined => running.get(id),

    /** Ports it listens on. */
    ports: () => [...running.values(), ...unkept.keys()].map(({ localPort }) => localPort),

    close(): void {
      closed = true
      clearInterval(timer)
      for (const [forward, timeout] of unkept) {
        clearTimeout(timeout)
        shut(forward)
      }
      unkept.clear()
      end(() => true)
    }
  }
}
