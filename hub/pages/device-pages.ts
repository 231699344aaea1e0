// Web pages of devices. Each open page has a separate port, and so a separate origin in which it is at the root of its
// host. Ports do not separate cookies, so a request must present a ticket in a cookie named after the device, and other
// cookies are not forwarded (`web-server/page-proxy/`).
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { hashSecret } from '../../web-server/credentials.ts'
import { PageServer, TICKET_COOKIE } from './page-server.ts'

/** Pages open at a time. */
const PAGES_MAX = 64
/** Milliseconds for which a page without sessions stays open after its last request. */
const CLOSE_DELAY = 1000

export interface DevicePagesOptions {
  /** Whether requests with a Host header are answered. */
  isHostAllowed(header: string | undefined): boolean
  /** Address on which the ports listen. */
  host: string
  /** Connects to the web server of a device. @throws when the device cannot be reached */
  connect(sn: string): Promise<Duplex>
  /** Whether a session may see the page of a device now. */
  canAccess(session: string, sn: string): boolean
  /** Milliseconds without a request after which a page is closed; 10 min by default. */
  idle?: number
  /** Milliseconds until the head of a response must arrive; 30 s by default. */
  timeout?: number
}

export class DevicePages {
  readonly #options: Required<DevicePagesOptions>
  readonly #pages = new Map<string, PageServer>()
  readonly #opening = new Map<string, Promise<PageServer>>()
  /**
   * Last port of each device's page: data that a browser stores for an origin must not reach the page of another
   * device.
   */
  readonly #ports = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #closed = false

  constructor({ idle = 600_000, timeout = 30_000, ...options }: DevicePagesOptions) {
    this.#options = { ...options, idle, timeout }
    this.#timer = setInterval(() => this.#closeIdle(), idle / 10).unref()
  }

  /**
   * Opens the page of a device for a session.
   * @returns the port, and a Set-Cookie header with the ticket; undefined if too many pages are open
   */
  async open(sn: string, session: string): Promise<{ port: number; cookie: string } | undefined> {
    if (!this.#makeRoom(sn)) return undefined
    let page = this.#pages.get(sn)
    if (!page) {
      const promise = this.#opening.get(sn) ?? this.#openPage(sn).finally(() => this.#opening.delete(sn))
      this.#opening.set(sn, promise)
      page = await promise
    }
    const secret = randomBytes(32).toString('base64url')
    page.issueTicket(session, hashSecret(secret))
    // Lax: behind a reverse proxy which terminates TLS for the console, the link to this port is cross-site. Requests
    // from other sites reach only `/`, which changes nothing.
    return { port: page.port, cookie: `${TICKET_COOKIE}${sn}=${secret}; Path=/; SameSite=Lax; HttpOnly` }
  }

  /** Removes the tickets of sessions without access, cuts their connections, and closes idle pages without tickets. */
  recheckAccess(): void {
    for (const page of [...this.#pages.values()]) {
      page.recheckTickets()
      if (!page.hasTickets && page.idleTime > CLOSE_DELAY) this.#closePage(page)
    }
  }

  /** Ports on which pages listen. */
  ports(): number[] {
    return [...this.#pages.values()].map(({ port }) => port)
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#timer)
    for (const page of [...this.#pages.values()]) this.#closePage(page)
  }

  /** Closes the page unused for the longest time if there are too many. @returns false if all of them are in use */
  #makeRoom(sn: string): boolean {
    if (this.#pages.has(sn) || this.#pages.size + this.#opening.size < PAGES_MAX) return true
    const unused = [...this.#pages.values()].filter((page) => page.connectionCount === 0)
    const [oldest] = unused.sort((a, b) => b.idleTime - a.idleTime)
    if (oldest) this.#closePage(oldest)
    return oldest !== undefined
  }

  async #openPage(sn: string): Promise<PageServer> {
    const { host, isHostAllowed, connect, canAccess, timeout } = this.#options
    const page = new PageServer({
      sn,
      isHostAllowed,
      connect: () => connect(sn),
      canAccess: (session) => canAccess(session, sn),
      timeout
    })
    await page.listen(this.#ports.get(sn) ?? 0, host)
    this.#ports.set(sn, page.port)
    if (this.#closed) page.close()
    else this.#pages.set(sn, page)
    return page
  }

  #closeIdle(): void {
    for (const page of [...this.#pages.values()])
      if (page.connectionCount === 0 && page.idleTime > this.#options.idle) this.#closePage(page)
  }

  #closePage(page: PageServer): void {
    this.#pages.delete(page.sn)
    page.close()
  }
}
