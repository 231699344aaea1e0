// Port forwarding (contract/port-forward.ts): listeners of the hub whose connections are carried to a port of a device.
// Port forwards are kept in memory only, because they belong to a session and sessions do not survive a restart of the
// hub.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { UNKNOWN_ERROR } from '../../contract/codes.ts'
import { FORWARD_CONNECTIONS_MAX } from '../../contract/port-forward.ts'
import { LinkError } from '../../device-link/link-error.ts'
import { logger } from '../../process-log/logger.ts'
import { createCookieBlanker } from './console-cookies.ts'
import { cancelTunnel, pipeTunnel, resetConnection, type Tunnel } from './link/tunnel.ts'

interface PortForwardsOptions {
  /** Address to listen on. */
  host: string
  openTunnel(sn: string, port: number): Promise<Tunnel>
  /** A port forward was opened, or a value that lists show changed. */
  onChanged(id: number): void
  onClosed(id: number): void
  /** Milliseconds between reports of changed counters. */
  reportInterval?: number
}

interface PortForwardRequest {
  sn: string
  /** 0: the system chooses a port. */
  localPort: number
  remotePort: number
  /** Key of the session that the port forward belongs to, and the user's name. */
  session: string
  user: string
}

export interface ForwardedPort extends Readonly<PortForwardRequest> {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Bytes to the device, and from the device. */
  readonly bytesIn: number
  readonly bytesOut: number
  /** Number of open connections. */
  readonly connections: number
  /** Result code of the last connection to the device, if it did not reach the port. */
  readonly trouble?: number
}

interface Listener extends ForwardedPort {
  trouble?: number
  localPort: number
  bytesIn: number
  bytesOut: number
  server: Server
  sockets: Set<Socket>
  /** Whether the counters changed since the last report. */
  hasChanged: boolean
}

/** Milliseconds within which a new port forward has to be confirmed. */
const CONFIRM_TIMEOUT = 10_000
/** Milliseconds of silence after which TCP keep-alive probes start. */
const KEEP_ALIVE_DELAY = 60_000

export class PortForwards {
  readonly #options: PortForwardsOptions
  readonly #listeners = new Map<number, Listener>()
  readonly #unconfirmed = new Map<Listener, NodeJS.Timeout>()
  readonly #reportTimer: NodeJS.Timeout
  #lastId = 0
  #isClosed = false

  constructor(options: PortForwardsOptions) {
    this.#options = options
    this.#reportTimer = setInterval(() => this.#reportCounters(), options.reportInterval ?? 1000).unref()
  }

  #reportCounters(): void {
    for (const listener of this.#listeners.values()) {
      if (!listener.hasChanged) continue
      listener.hasChanged = false
      this.#options.onChanged(listener.id)
    }
  }

  /**
   * Opens a port. It is closed again unless `confirm` is called within 10 s: in between, the hub writes to its log that
   * it was opened.
   * @throws the system's error (EADDRINUSE, EACCES) if the port cannot be opened
   */
  async open(request: PortForwardRequest): Promise<{ forward: ForwardedPort; confirm(): void }> {
    const server = createServer({
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_DELAY
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(request.localPort, this.#options.host, resolve)
    })
    const listener = this.#createListener(request, server)
    server.maxConnections = FORWARD_CONNECTIONS_MAX
    server.on('error', (error) => logger.error('Port forward failed', error, { port: listener.localPort }))
    server.on('connection', (socket) => this.#forward(socket, listener))
    const timeout = setTimeout(() => {
      this.#unconfirmed.delete(listener)
      closeListener(listener)
    }, CONFIRM_TIMEOUT)
    this.#unconfirmed.set(listener, timeout)
    return { forward: listener, confirm: () => this.#confirm(listener, timeout) }
  }

  #createListener(request: PortForwardRequest, server: Server): Listener {
    const sockets = new Set<Socket>()
    return {
      ...request,
      id: ++this.#lastId,
      since: Date.now(),
      bytesIn: 0,
      bytesOut: 0,
      server,
      sockets,
      hasChanged: false,
      localPort: (server.address() as AddressInfo).port,
      get connections() {
        return sockets.size
      }
    }
  }

  #confirm(listener: Listener, timeout: NodeJS.Timeout): void {
    if (!this.#unconfirmed.delete(listener)) return
    clearTimeout(timeout)
    if (this.#isClosed) {
      closeListener(listener)
      return
    }
    this.#listeners.set(listener.id, listener)
    this.#options.onChanged(listener.id)
  }

  async #forward(socket: Socket, listener: Listener): Promise<void> {
    const { sn, remotePort, sockets } = listener
    sockets.add(socket)
    listener.hasChanged = true
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      listener.hasChanged = true
    })
    let tunnel: Tunnel
    try {
      tunnel = await this.#options.openTunnel(sn, remotePort)
      delete listener.trouble
    } catch (error) {
      listener.trouble = error instanceof LinkError ? error.code : UNKNOWN_ERROR
      return resetConnection(socket)
    }
    if (socket.destroyed) return cancelTunnel(tunnel)
    const blankCookies = createCookieBlanker()
    socket.on('data', (chunk: Buffer) => {
      blankCookies(chunk)
      listener.bytesIn += chunk.length
      listener.hasChanged = true
    })
    tunnel.on('data', (chunk: Buffer) => {
      listener.bytesOut += chunk.length
      listener.hasChanged = true
    })
    pipeTunnel(socket, tunnel)
  }

  /** Closes a port and resets its connections. */
  stop(id: number): void {
    const listener = this.#listeners.get(id)
    if (!listener) return
    this.#listeners.delete(id)
    closeListener(listener)
    this.#options.onClosed(id)
  }

  /** Closes all ports for which `isUnwanted` returns true. */
  stopWhere(isUnwanted: (forward: ForwardedPort) => boolean): void {
    for (const listener of [...this.#listeners.values()]) if (isUnwanted(listener)) this.stop(listener.id)
  }

  /**
   * Reports the port forwards of a device that went online or offline. Their connections ended with the device link.
   * The failure of an earlier connection is removed, because it does not apply to later connections.
   */
  presenceChanged(sn: string): void {
    for (const listener of this.#listeners.values()) {
      if (listener.sn !== sn) continue
      delete listener.trouble
      this.#options.onChanged(listener.id)
    }
  }

  /** Oldest first. */
  list(): ForwardedPort[] {
    return [...this.#listeners.values()]
  }

  /** All ports that are open, confirmed or not. */
  listeningPorts(): number[] {
    return [...this.#listeners.values(), ...this.#unconfirmed.keys()].map(({ localPort }) => localPort)
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#reportTimer)
    for (const [listener, timeout] of this.#unconfirmed) {
      clearTimeout(timeout)
      closeListener(listener)
    }
    this.#unconfirmed.clear()
    this.stopWhere(() => true)
  }
}

function closeListener({ server, sockets }: Listener): void {
  server.close()
  for (const socket of sockets) resetConnection(socket)
}
