// The port of one device's web page. It forwards requests and WebSockets of sessions that hold a ticket.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { plainAddress } from '../../contract/network-prefix.ts'
import { ConnectionTable } from '../../engine/access/connection-table.ts'
import { logger } from '../../process-log/logger.ts'
import { hashSecret, type RequestHeaders, readCookie } from '../../web-server/credentials.ts'
import { hostHeaderOf } from '../../web-server/host-header.ts'
import { refuseHost, refuseUpgradeHost } from '../../web-server/host-refusal.ts'
import { type CookieJar, createCookieJar } from '../../web-server/page-proxy/cookie-jar.ts'
import { isPageRequest, isPageSocket } from '../../web-server/page-proxy/page-request.ts'
import {
  type PageMessage,
  proxyRequest,
  proxyUpgrade,
  sendMessage,
  type Upstream
} from '../../web-server/page-proxy/proxy.ts'
import { refuseUpgrade } from '../../web-server/refuse-upgrade.ts'
import { headersOf } from '../../web-server/request.ts'
import { sendReply } from '../../web-server/send-reply.ts'

/**
 * Prefix of the ticket cookie's name; the serial number follows. Port forwards remove all cookies with the prefix
 * `mwcloud-`.
 */
export const TICKET_COOKIE = 'mwcloud-page-'

/** Requests and WebSockets of a page at a time. */
const REQUESTS_MAX = 128
/** Connections to a page's port. Those with a ticket are not strangers'. */
const CONNECTIONS = { strangers: 32, strangersPerNetwork: 16, known: 256, knownPerNetwork: 128 }

const SERVER_LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // No limit: uploading firmware may take long. `SOCKET_TIMEOUT` applies.
  requestTimeout: 0,
  connectionsCheckingInterval: 2000
}
/** Milliseconds without a byte in either direction. */
const SOCKET_TIMEOUT = 300_000

interface PageServerOptions {
  sn: string
  /** Connects to the device's web server. @throws when the device cannot be reached */
  connect(): Promise<Duplex>
  /** Whether requests with a Host header are answered. */
  isHostAllowed(header: string | undefined): boolean
  /** Whether a session may see the page now. */
  canAccess(session: string): boolean
  /** Milliseconds until the head of a response must arrive. */
  timeout: number
}

/** Access of one session to the page. */
interface Ticket {
  /** Hash of the ticket cookie. */
  hash: string
  session: string
  /** Cookies that the device set for this session. */
  cookieJar: CookieJar
  /** Requests and WebSockets in progress. */
  connections: Set<Duplex | ServerResponse>
}

export class PageServer {
  readonly sn: string
  readonly #options: PageServerOptions
  readonly #server: Server = createServer(SERVER_LIMITS)
  readonly #connections = new ConnectionTable<Socket>(CONNECTIONS)
  /** By session. */
  readonly #tickets = new Map<string, Ticket>()
  #port = 0
  /** On the clock of `performance.now()`. */
  #lastUse = performance.now()

  constructor(options: PageServerOptions) {
    this.sn = options.sn
    this.#options = options
    this.#server.setTimeout(SOCKET_TIMEOUT)
    this.#server.on('connection', (socket) => this.#accept(socket))
  }

  /** @param port used if it is free, else the system chooses */
  async listen(port: number, host: string): Promise<void> {
    const server = this.#server
    await bind(server, port, host).catch(() => bind(server, 0, host))
    this.#port = (server.address() as AddressInfo).port
    server.on('request', (request, response) => this.#handleRequest(request, response))
    server.on('upgrade', (request, socket, head) => this.#handleUpgrade(request, socket, head))
    server.on('error', (error) => logger.error('Server of a device page failed', error, { sn: this.sn }))
  }

  #accept(socket: Socket): void {
    if (!this.#connections.add(socket, plainAddress(socket.remoteAddress ?? ''))) return void socket.destroy()
    socket.on('close', () => this.#connections.delete(socket))
  }

  /** 0 until it listens. */
  get port(): number {
    return this.#port
  }

  get hasTickets(): boolean {
    return this.#tickets.size > 0
  }

  /** Number of requests and WebSockets in progress. */
  get connectionCount(): number {
    return [...this.#tickets.values()].reduce((sum, { connections }) => sum + connections.size, 0)
  }

  /** Milliseconds since the last request. */
  get idleTime(): number {
    return performance.now() - this.#lastUse
  }

  /** Gives a session access. An earlier ticket of the session becomes invalid; its cookies and connections stay. */
  issueTicket(session: string, hash: string): void {
    this.#lastUse = performance.now()
    const ticket = this.#tickets.get(session)
    if (ticket) ticket.hash = hash
    else this.#tickets.set(session, { hash, session, cookieJar: createCookieJar(), connections: new Set() })
  }

  /** Revokes the tickets of sessions that may no longer see the page. */
  recheckTickets(): void {
    for (const ticket of [...this.#tickets.values()])
      if (!this.#options.canAccess(ticket.session)) this.#revokeTicket(ticket)
  }

  close(): void {
    this.#server.close()
    for (const ticket of [...this.#tickets.values()]) this.#revokeTicket(ticket)
    this.#server.closeAllConnections()
  }

  /** Removes a ticket and cuts its connections. */
  #revokeTicket(ticket: Ticket): void {
    this.#tickets.delete(ticket.session)
    for (const connection of ticket.connections) connection.destroy()
  }

  /** The valid ticket that a request presents. */
  #findTicket(headers: RequestHeaders): Ticket | undefined {
    const secret = readCookie(headers.get('cookie'), TICKET_COOKIE + this.sn)
    const hash = secret && hashSecret(secret)
    const ticket = hash ? [...this.#tickets.values()].find((candidate) => candidate.hash === hash) : undefined
    if (!ticket || this.#options.canAccess(ticket.session)) return ticket
    this.#revokeTicket(ticket)
    return undefined
  }

  #upstreamOf({ cookieJar }: Ticket): Upstream {
    return { connect: this.#options.connect, cookieJar, timeout: this.#options.timeout }
  }

  /** @returns the status and message with which a request is refused; undefined if it is forwarded */
  #refusalOf(request: IncomingMessage, ticket: Ticket | undefined): [status: number, message: PageMessage] | undefined {
    if (!ticket || !isPageRequest(request)) return [403, 'refused']
    return this.connectionCount < REQUESTS_MAX ? undefined : [503, 'busy']
  }

  #handleRequest(request: IncomingMessage, response: ServerResponse): void {
    this.#lastUse = performance.now()
    if (!this.#options.isHostAllowed(hostHeaderOf(request)))
      return void sendReply(request, response, refuseHost(request))
    const ticket = this.#findTicket(headersOf(request))
    const refusal = this.#refusalOf(request, ticket)
    if (refusal) sendMessage(response, ...refusal)
    if (refusal || !ticket) return
    this.#connections.admit(request.socket)
    this.#track(ticket, response)
    void proxyRequest(request, response, this.#upstreamOf(ticket))
  }

  #handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#lastUse = performance.now()
    socket.on('error', () => socket.destroy())
    if (!this.#options.isHostAllowed(hostHeaderOf(request))) return void refuseUpgradeHost(request, socket)
    const ticket = this.#findTicket(headersOf(request))
    if (!ticket || !isPageSocket(request) || this.connectionCount >= REQUESTS_MAX)
      return void refuseUpgrade(socket, '403 Forbidden')
    this.#connections.admit(request.socket)
    this.#track(ticket, socket)
    void proxyUpgrade(request, socket, head, this.#upstreamOf(ticket))
  }

  #track({ connections }: Ticket, connection: Duplex | ServerResponse): void {
    connections.add(connection)
    connection.once('close', () => {
      connections.delete(connection)
      this.#lastUse = performance.now()
    })
  }
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
