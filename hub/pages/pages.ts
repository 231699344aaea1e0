// The web pages of devices, each at a port of its own while somebody looks at it: an origin of its own, where it may think that it is at
// the root of its host. Ports are no wall between cookies, so who may enter shows a ticket in a cookie of its own, and no other cookie
// passes (headers.ts, jar.ts).
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { cookieValue, hashOf, type RequestHeaders } from '../auth/gate.ts'
import { isFromOwnPage } from '../http/origin.ts'
import { createJar, type Jar } from './cookie-jar.ts'
import { pass, passUpgrade, say, type Words } from './proxy.ts'

export interface PagesOptions {
  /** Address to listen on. */
  host: string
  /** Connects to the web server of a device. @throws when it cannot be reached */
  connect(sn: string): Promise<Duplex>
  /** Whether this session may (still) see this page. */
  allowed(session: string, sn: string): boolean
  /** Milliseconds without a request after which a page closes, and for the head of an answer. */
  idle?: number
  timeout?: number
}

/** Pages open at a time, requests and WebSockets under way of each. */
const PAGES_MAX = 64
const UNDER_WAY_MAX = 128
/** Connections of a page's port, also of those who have no ticket. */
const CONNECTIONS_MAX = 256
/** What the name of a ticket's cookie begins with; the serial follows. Blanked in forwarded ports like all that begins so. */
const TICKET_COOKIE = 'mwcloud-page-'

const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // An upload of firmware may take long; each piece of it must come all the same.
  requestTimeout: 0,
  connectionsCheckingInterval: 2000
}
/** Milliseconds without a byte either way. */
const SILENCE = 300_000

interface Ticket {
  hash: string
  session: string
  jar: Jar
  /** Cuts what is under way. */
  underWay: Set<Duplex | ServerResponse>
}

interface Page {
  sn: string
  port: number
  server: Server
  /** By session: each has one, and what the device keeps in its cookies. */
  tickets: Map<string, Ticket>
  /** Milliseconds since the epoch. */
  used: number
}

export type Pages = ReturnType<typeof createPages>

export function createPages({ host, connect, allowed, idle = 600_000, timeout = 30_000 }: PagesOptions) {
  const pages = new Map<string, Page>()
  const opening = new Map<string, Promise<Page>>()
  /** Where each device's page was last: what a browser keeps of an origin must not become another device's. */
  const ports = new Map<string, number>()
  let closed = false

  const timer = setInterval(() => {
    for (const page of [...pages.values()]) if (underWay(page) === 0 && Date.now() - page.used > idle) closePage(page)
  }, idle / 10).unref()

  const underWay = ({ tickets }: Page) => [...tickets.values()].reduce((sum, ticket) => sum + ticket.underWay.size, 0)

  function drop(page: Page, ticket: Ticket): void {
    page.tickets.delete(ticket.session)
    for (const each of ticket.underWay) each.destroy()
  }

  function closePage(page: Page): void {
    pages.delete(page.sn)
    page.server.close()
    for (const ticket of [...page.tickets.values()]) drop(page, ticket)
    page.server.closeAllConnections()
  }

  /** The ticket that a request shows, if it is good. */
  function ticketOf(page: Page, headers: RequestHeaders): Ticket | undefined {
    const secret = cookieValue(headers.get('cookie'), TICKET_COOKIE + page.sn)
    const hash = secret && hashOf(secret)
    const ticket = hash ? [...page.tickets.values()].find((each) => each.hash === hash) : undefined
    if (!ticket) return undefined
    if (allowed(ticket.session, page.sn)) return ticket
    drop(page, ticket)
    return undefined
  }

  const throughOf = ({ sn }: Page, { jar }: Ticket) => ({ connect: () => connect(sn), jar, timeout })

  /** Why a request does not pass: a status and words; undefined for one that does. */
  function faultOf(page: Page, request: IncomingMessage, ticket: Ticket | undefined): [number, Words] | undefined {
    const headers = headersOf(request)
    const { method = '', url = '' } = request
    // A service worker would stay at this origin when the page is gone.
    if (!ticket || !/^\/[!-~]*$/.test(url) || headers.get('service-worker') !== null) return [403, 'refused']
    // From elsewhere a browser is let in at the door only, where asking does nothing yet.
    const isDoor = (method === 'GET' || method === 'HEAD') && url === '/' && headers.get('origin') === null
    if (!isDoor && !isFromOwnPage(headers, headers.get('host') ?? '')) return [403, 'refused']
    return underWay(page) < UNDER_WAY_MAX ? undefined : [503, 'busy']
  }

  function onRequest(page: Page, request: IncomingMessage, response: ServerResponse): void {
    page.used = Date.now()
    const ticket = ticketOf(page, headersOf(request))
    const fault = faultOf(page, request, ticket)
    if (fault) say(response, ...fault)
    if (fault || !ticket) return
    track(page, ticket, response)
    void pass(request, response, throughOf(page, ticket))
  }

  function onUpgrade(page: Page, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    page.used = Date.now()
    socket.on('error', () => socket.destroy())
    const headers = headersOf(request)
    const ticket = ticketOf(page, headers)
    const isOwn = headers.get('origin') !== null && isFromOwnPage(headers, headers.get('host') ?? '')
    const isSocket = headers.get('upgrade')?.toLowerCase() === 'websocket' && request.method === 'GET'
    if (!ticket || !isOwn || !isSocket || underWay(page) >= UNDER_WAY_MAX)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    track(page, ticket, socket)
    void passUpgrade(request, socket, head, throughOf(page, ticket))
  }

  function track(page: Page, { underWay }: Ticket, each: Duplex | ServerResponse): void {
    underWay.add(each)
    each.once('close', () => {
      underWay.delete(each)
      page.used = Date.now()
    })
  }

  async function listen(sn: string): Promise<Page> {
    const server = createServer(LIMITS)
    server.setTimeout(SILENCE)
    server.maxConnections = CONNECTIONS_MAX
    const before = ports.get(sn) ?? 0
    await bind(server, before, host).catch(() => bind(server, 0, host))
    const { port } = server.address() as AddressInfo
    const page: Page = { sn, port, server, tickets: new Map(), used: Date.now() }
    server.on('request', (request, response) => onRequest(page, request, response))
    server.on('upgrade', (request, socket, head) => onUpgrade(page, request, socket, head))
    server.on('error', (error) => console.error(`page of ${sn}:`, error))
    ports.set(sn, port)
    if (closed) closePage(page)
    else pages.set(sn, page)
    return page
  }

  return {
    /**
     * Opens the page of a device for a session.
     * @returns its port, and the cookie to enter it with; undefined when too many are open
     */
    async open(sn: string, session: string): Promise<{ port: number; cookie: string } | undefined> {
      if (!pages.has(sn) && pages.size + opening.size >= PAGES_MAX) {
        const [oldest] = [...pages.values()].filter((each) => underWay(each) === 0).sort((a, b) => a.used - b.used)
        if (!oldest) return undefined
        closePage(oldest)
      }
      let page = pages.get(sn)
      if (!page) {
        const promise = opening.get(sn) ?? listen(sn).finally(() => opening.delete(sn))
        opening.set(sn, promise)
        page = await promise
      }
      page.used = Date.now()
      const secret = randomBytes(32).toString('base64url')
      const ticket = page.tickets.get(session) ?? { hash: '', session, jar: createJar(), underWay: new Set() }
      ticket.hash = hashOf(secret)
      page.tickets.set(session, ticket)
      // Lax: where a front server speaks TLS for the console, the way from there to here is one to another site. What comes from
      // another site gets no further than the door.
      return { port: page.port, cookie: `${TICKET_COOKIE}${sn}=${secret}; Path=/; SameSite=Lax; HttpOnly` }
    },

    /** Looks whether all that are open may stay so. What may not is cut. */
    check(): void {
      for (const page of [...pages.values()]) {
        for (const ticket of [...page.tickets.values()]) if (!allowed(ticket.session, page.sn)) drop(page, ticket)
        if (page.tickets.size === 0 && Date.now() - page.used > 1000) closePage(page)
      }
    },

    /** Ports it listens on. */
    ports: () => [...pages.values()].map(({ port }) => port),

    close(): void {
      closed = true
      clearInterval(timer)
      for (const page of [...pages.values()]) closePage(page)
    }
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

function headersOf(request: IncomingMessage): RequestHeaders {
  return { get: (name) => [request.headers[name] ?? []].flat().join(',') || null }
}
