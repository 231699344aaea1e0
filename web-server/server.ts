// The web server: listens on a port, with or without TLS, limits connections, and passes requests to one handler.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Http2SecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { plainAddress } from '../contract/network-prefix.ts'
import type { ConnectionTable } from '../engine/access/connection-table.ts'
import { logger } from '../process-log/logger.ts'
import { hostHeaderOf } from './host-header.ts'
import { refuseHost, refuseUpgradeHost } from './host-refusal.ts'
import { endConnection, OpenTimes } from './open-times.ts'
import { type Peer, peerOf } from './peer.ts'
import { type Reply, textReply } from './reply.ts'
import { type HubRequest, hasBody, NodeRequest, parseTarget } from './request.ts'
import { admitSession, createHttpsServer, type Identity, replaceIdentity } from './secure-server.ts'
import { sendReply, sendStream } from './send-reply.ts'

/**
 * Limits of a connection in bytes and milliseconds. Node checks the timeouts at each interval. `requestTimeout` is long
 * enough for a console update over a line of 16 kbit/s; `body.ts` limits the duration of other requests.
 */
export const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000
}

/** Connections that the system completes before the hub accepts them. The default of Node is filled by a burst. */
const BACKLOG = 4096

/** @param admit records that the client has a session */
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer, admit: () => void) => void

export interface HttpServer {
  port: number
  /** Uses another certificate for new connections. Does nothing on a port without TLS. */
  replaceIdentity(identity: Identity): void
  close(): Promise<void>
}

/** @returns the answer; it resolves to undefined if it was written to `response`. Undefined: it is not relayed */
export type RelayHandler = (
  request: HubRequest,
  peer: Peer,
  incoming: IncomingMessage,
  response: ServerResponse
) => Promise<Reply | undefined> | undefined

export interface ServerOptions {
  handle(request: HubRequest, peer: Peer): Reply | Promise<Reply | Response>
  /** Answers requests that are relayed to another server; undefined for others, which `handle` answers. */
  relay?: RelayHandler
  /** Called for requests that ask for another protocol, such as WebSocket. */
  onUpgrade: UpgradeListener
  /** 0 lets the system choose. */
  port: number
  host: string
  /** Whether the hub answers requests with a Host header. */
  isHostAllowed(header: string | undefined): boolean
  /**
   * Whether a connection is from before a change of the network: it ends with its next response, so that the client
   * opens another one.
   */
  isOutdated?(openedAt: number): boolean
  /** Connections of all ports that share their limits. */
  connections: ConnectionTable<Socket>
  /** The port speaks TLS with this certificate. */
  identity?: Identity | undefined
}

/**
 * Starts the web server.
 * @throws when the port is in use or the address is not one of this machine
 */
export async function listen(options: ServerOptions): Promise<HttpServer> {
  const server = new WebServer(options)
  await server.listen()
  return server
}

class WebServer implements HttpServer {
  readonly #options: ServerOptions
  readonly #server: Server | Http2SecureServer
  readonly #connections: ConnectionTable<Socket>
  /** The connections below TLS, by the address and port of the client. */
  readonly #secured = new Map<string, Socket>()
  readonly #upgraded = new Set<Duplex>()
  readonly #openTimes = new OpenTimes()

  constructor(options: ServerOptions) {
    this.#options = options
    this.#connections = options.connections
    const onRequest = (request: IncomingMessage, response: ServerResponse) => this.#handleRequest(request, response)
    const { identity } = options
    this.#server = identity
      ? createHttpsServer({ identity, limits: LIMITS, onRequest })
      : createServer(LIMITS, onRequest)
    const server = this.#server as Server
    server.on('connection', (socket) => this.#accept(socket))
    server.on('upgrade', (request, socket, head) => this.#handleUpgrade(request, socket, head))
  }

  async listen(): Promise<void> {
    const { port, host } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ port, host, backlog: BACKLOG }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    // An error of accepting, such as a lack of descriptors, must not end the hub.
    this.#server.on('error', (error) => logger.error('Web server', error))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  replaceIdentity(identity: Identity): void {
    if (this.#options.identity) replaceIdentity(this.#server as Http2SecureServer, identity)
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#upgraded) socket.destroy()
    for (const socket of this.#secured.values()) socket.destroy()
    if ('closeAllConnections' in this.#server) this.#server.closeAllConnections()
    await closed
  }

  #accept(socket: Socket): void {
    if (!this.#connections.add(socket, plainAddress(socket.remoteAddress ?? ''))) return void socket.destroy()
    const key = peerKey(socket)
    if (this.#options.identity) this.#secured.set(key, socket)
    socket.on('close', () => {
      this.#connections.delete(socket)
      if (this.#secured.get(key) === socket) this.#secured.delete(key)
    })
  }

  /** The connection that carries a request. With TLS, requests have another socket. */
  #connectionOf(socket: Socket): Socket {
    return this.#secured.get(peerKey(socket)) ?? socket
  }

  #handleRequest(incoming: IncomingMessage, response: ServerResponse): void {
    try {
      if (this.#options.isOutdated?.(this.#openTimes.of(this.#connectionOf(incoming.socket))))
        endConnection(incoming, response)
      const answer = this.#answer(incoming, response)
      if (!(answer instanceof Promise)) return void sendReply(incoming, response, answer)
      const connection = this.#connectionOf(incoming.socket)
      // The client owes the hub a body, or the hub owes it a response.
      if (!hasBody(incoming)) this.#connections.setBusy(connection, true)
      response.once('close', () => this.#connections.setBusy(connection, false))
      answer.then(
        (done) => done && send(incoming, response, done),
        (error) => fail(incoming, response, error)
      )
    } catch (error) {
      fail(incoming, response, error)
    }
  }

  #answer(incoming: IncomingMessage, response: ServerResponse): Reply | Promise<Reply | Response | undefined> {
    const { socket, url = '' } = incoming
    const host = hostHeaderOf(incoming) ?? ''
    if (!this.#options.isHostAllowed(host)) return refuseHost(incoming)
    const target = parseTarget(url, host)
    if (!target) return textReply('Bad request\n', 400)
    const connection = this.#connectionOf(socket)
    const request = new NodeRequest(incoming, target, () => this.#connections.setBusy(connection, true))
    const peer = peerOf(request, socket)
    peer.openedAt = this.#openTimes.of(connection)
    peer.admit = () => {
      this.#connections.admit(connection)
      if (incoming.httpVersionMajor === 2) admitSession(incoming)
    }
    const { relay, handle } = this.#options
    return relay?.(request, peer, incoming, response) ?? handle(request, peer)
  }

  #handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#upgraded.add(socket)
    socket.on('close', () => this.#upgraded.delete(socket))
    socket.on('error', () => socket.destroy())
    try {
      if (!this.#options.isHostAllowed(hostHeaderOf(request))) return void refuseUpgradeHost(request, socket)
      this.#options.onUpgrade(request, socket, head, () => this.#connections.admit(this.#connectionOf(request.socket)))
    } catch (error) {
      // An uncaught error would end the hub.
      logger.error('Upgrade request failed', error)
      socket.destroy()
    }
  }
}

const peerKey = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

function send(incoming: IncomingMessage, response: ServerResponse, answer: Reply | Response): void {
  if (answer instanceof Response)
    sendStream(incoming, response, answer).catch((error) => fail(incoming, response, error))
  else sendReply(incoming, response, answer)
}

function fail(incoming: IncomingMessage, response: ServerResponse, error: unknown): void {
  logger.error('Request failed', error)
  if (response.headersSent) response.destroy()
  else sendReply(incoming, response, textReply('Internal server error\n', 500))
}
