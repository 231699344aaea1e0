// Server on the registration port: accepts connections, reads the hello, and responds to it (contract/device/link.ts).
// Clients are not authenticated yet, so the number of connections, their duration and the size of requests are limited.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import { REGISTRATION_STATE } from '../contract/device/device.ts'
import { HELLO_MAX, LINK_PROTOCOL, REFUSAL_STATE, STATE_HEADER } from '../contract/device/link.ts'
import { plainAddress } from '../contract/network-prefix.ts'
import { ConnectionTable } from '../engine/access/connection-table.ts'
import { logger } from '../process-log/logger.ts'
import { carrierOf, LinkEncryption, type LinkIdentity } from './link-encryption.ts'

/**
 * Result of a registration: the state of an admitted device, the state with which it is refused, or seconds after which
 * it may try again.
 */
export type RegistrationResult = { state: number } | { refuse: number } | { retryAfter: number }

interface RegistrationServerOptions<Hello> {
  /** Name of the header with the hello. */
  helloHeader: string
  /** @returns undefined if the value of the header is no valid hello */
  readHello(header: string | undefined): Hello | undefined
  /** Whether another device with the same serial number is online. A promise if the other device has to be asked. */
  isSerialTaken(hello: Hello, address: string): boolean | Promise<boolean>
  /** Decides on a device. */
  register(hello: Hello, address: string): RegistrationResult | Promise<RegistrationResult>
  /** A client sent a hello that is not valid. */
  onIllegalDevice?(address: string): void
  /**
   * Takes over the socket of an admitted device after the 101 response. Calls `settle` once the device has proved to be
   * one.
   */
  onRegistered(hello: Hello, address: string, socket: Socket, settle: () => void): void
  /** Whether a hello without TLS is accepted from an address; by default it is. */
  isPlainAllowed?(address: string): boolean
  /** The certificate for devices that connect over TLS; without it, only plain connections are accepted. */
  identity?(): Promise<LinkIdentity | undefined>
  /** Milliseconds from the connection until it is settled. */
  handshakeTimeout: number
  /**
   * Maximum number of connections that are not settled: in total and per remote address. A whole site may share one
   * address. Strangers and networks of known devices have these numbers each.
   */
  halfOpenMax: number
  halfOpenPerAddress: number
}

/** Answers a request that is no registration. @returns whether it answers this one */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => boolean

export class RegistrationServer<Hello> {
  readonly #options: RegistrationServerOptions<Hello>
  readonly #server: Server
  /** The open ports, which pass their connections to the server. */
  readonly #ports = new Set<TcpServer>()
  /** Connections that are not settled, with the function that settles each. */
  readonly #halfOpen = new Map<Socket, () => void>()
  readonly #table: ConnectionTable<Socket>
  readonly #encryption: LinkEncryption
  #onRequest: RequestListener | undefined

  constructor(options: RegistrationServerOptions<Hello>) {
    this.#options = options
    this.#encryption = new LinkEncryption(options.identity)
    const { halfOpenMax, halfOpenPerAddress } = options
    this.#table = new ConnectionTable({
      strangers: halfOpenMax,
      strangersPerNetwork: halfOpenPerAddress,
      known: halfOpenMax,
      knownPerNetwork: halfOpenPerAddress,
      keepsBusy: true
    })
    this.#server = createServer(
      {
        maxHeaderSize: 2 * HELLO_MAX,
        headersTimeout: options.handshakeTimeout,
        requestTimeout: options.handshakeTimeout
      },
      (request, response) => {
        if (this.#onRequest?.(request, response)) return
        response.writeHead(426, { upgrade: LINK_PROTOCOL, connection: 'close' }).end()
      }
    )
    this.#server.on('upgrade', (request: IncomingMessage, duplex, head: Buffer) => {
      const socket = duplex as Socket
      this.#handleUpgrade(request, socket, head).catch((error) => {
        logger.error('Registration of a device failed', error)
        respond(socket, '500 Internal Server Error', [])
      })
    })
  }

  /** Answers other requests than registrations with a function, which returns whether it does. */
  answerRequests(onRequest: RequestListener): void {
    this.#onRequest = onRequest
  }

  /**
   * Opens a port, beside those that are open.
   * @param port 0: the system chooses a port
   * @returns the port, and a function that closes it. Connections that it has accepted stay
   * @throws if the port is in use, or the address is not one of this machine
   */
  open(port: number, host: string): Promise<{ port: number; close(): Promise<void> }> {
    const listener = createTcpServer((socket) => this.#accept(socket))
    return new Promise((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(port, host, () => {
        listener.off('error', reject)
        // An error of accepting, such as a lack of descriptors, must not end the hub.
        listener.on('error', (error) => logger.error('Registration port', error))
        this.#ports.add(listener)
        const close = async () => {
          this.#ports.delete(listener)
          listener.close()
        }
        resolve({ port: (listener.address() as AddressInfo).port, close })
      })
    })
  }

  /** Stops accepting connections. The owner of settled sockets has to close them; the promise waits for that. */
  async close(): Promise<void> {
    const closed = [...this.#ports].map((port) => new Promise<void>((resolve) => port.close(() => resolve())))
    this.#ports.clear()
    for (const socket of this.#halfOpen.keys()) socket.destroy()
    await Promise.all(closed)
  }

  /** Limits the number and the duration of connections that are not settled. */
  #accept(socket: Socket): void {
    // The HTTP parser and the link remove their listeners. An 'error' event without a listener would end the process.
    socket.on('error', () => socket.destroy())
    if (!this.#table.add(socket, plainAddress(socket.remoteAddress ?? ''))) return void socket.destroy()
    const timer = setTimeout(() => socket.destroy(), this.#options.handshakeTimeout)
    const settle = () => {
      if (!this.#halfOpen.delete(socket)) return
      clearTimeout(timer)
      this.#table.delete(socket)
    }
    this.#halfOpen.set(socket, settle)
    socket.on('close', settle)
    this.#encryption.accept(socket, (connection) => {
      connection.on('error', () => connection.destroy())
      this.#server.emit('connection', connection)
    })
  }

  async #handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.allowHalfOpen = false
    if (request.url !== '/link' || request.method !== 'GET') return respond(socket, '404 Not Found', [])
    if (request.headers.upgrade?.toLowerCase() !== LINK_PROTOCOL)
      return respond(socket, '426 Upgrade Required', [`Upgrade: ${LINK_PROTOCOL}`])
    const header = request.headers[this.#options.helloHeader]
    const hello = this.#options.readHello(typeof header === 'string' ? header : undefined)
    // The hub sends first on a link. Data directly after the request means that the client speaks another protocol.
    const address = plainAddress(socket.remoteAddress ?? '')
    const carrier = carrierOf(socket)
    if (carrier === socket && this.#options.isPlainAllowed?.(address) === false)
      return respond(socket, '426 Upgrade Required', ['Upgrade: TLS/1.2'])
    if (!hello || head.length > 0) {
      this.#options.onIllegalDevice?.(address)
      return refuse(socket, REFUSAL_STATE.illegalDevice)
    }
    this.#table.setBusy(carrier, true)
    if (await this.#options.isSerialTaken(hello, address)) return refuse(socket, REFUSAL_STATE.exists)
    if (socket.destroyed) return
    const decision = this.#options.register(hello, address)
    const result = decision instanceof Promise ? await decision : decision
    if ('refuse' in result) return refuse(socket, result.refuse)
    if ('retryAfter' in result) return postpone(socket, result.retryAfter)
    const response =
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n` +
      `${STATE_HEADER}: ${result.state}\r\n\r\n`
    // Over TLS a write ends later, and HTTP/2 must not take over the socket before.
    if (carrier === socket) socket.write(response)
    else await new Promise((resolve) => socket.write(response, resolve))
    if (socket.destroyed) return
    this.#options.onRegistered(hello, address, socket, () => {
      // Devices of a network with a device do not compete with strangers.
      this.#table.admit(carrier)
      this.#halfOpen.get(carrier)?.()
    })
  }
}

function respond(socket: Socket, status: string, headers: string[], body = ''): void {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  socket.end([`HTTP/1.1 ${status}`, ...headers, length, 'Connection: close', '', body].join('\r\n'))
  // Remaining data has to be read: only then is the end of the connection noticed and the socket closed.
  socket.resume()
}

function refuse(socket: Socket, state: number): void {
  respond(socket, '403 Forbidden', ['Content-Type: application/json'], JSON.stringify({ state }))
}

/** The registration is not decided yet. The device asks again. @param seconds until then */
function postpone(socket: Socket, seconds: number): void {
  const headers = [`Retry-After: ${seconds}`, 'Content-Type: application/json']
  respond(socket, '503 Service Unavailable', headers, JSON.stringify({ state: REGISTRATION_STATE.registering }))
}
