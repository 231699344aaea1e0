// The web pages of devices and forwarded ports of a hub, each at an origin of its own. What a device sends passes the
// proxy that hubs have for such pages: its cookies stay here, and its page cannot act on anything else.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type CookieJar, createCookieJar } from '../../web-server/page-proxy/cookie-jar.ts'
import { isPageRequest, isPageSocket } from '../../web-server/page-proxy/page-request.ts'
import { proxyRequest, proxyUpgrade, sendMessage } from '../../web-server/page-proxy/proxy.ts'
import { refuseUpgrade } from '../../web-server/refuse-upgrade.ts'
import type { HubVisitor } from './hub-sessions.ts'

/** Milliseconds until the head of a response must arrive. */
const TIMEOUT = 30_000
/** Sessions whose cookies are kept. Those of the one unused for the longest time are forgotten. */
const JARS_MAX = 1000

type Connect = () => Promise<Duplex>

export class PageRelay {
  /** By the hash of the session. */
  readonly #jars = new Map<string, CookieJar>()

  answer(visitor: HubVisitor, request: IncomingMessage, response: ServerResponse, connect: Connect): Promise<void> {
    if (!isPageRequest(request)) return Promise.resolve(sendMessage(response, 403, 'refused'))
    return proxyRequest(request, response, this.#upstream(visitor, connect))
  }

  async upgrade(
    visitor: HubVisitor,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    connect: Connect
  ): Promise<void> {
    if (isPageSocket(request)) return proxyUpgrade(request, socket, head, this.#upstream(visitor, connect))
    refuseUpgrade(socket, '403 Forbidden')
  }

  #upstream({ hash }: HubVisitor, connect: Connect) {
    const cookieJar = this.#jars.get(hash) ?? createCookieJar()
    this.#jars.delete(hash)
    const [oldest] = this.#jars.keys()
    if (oldest !== undefined && this.#jars.size >= JARS_MAX) this.#jars.delete(oldest)
    this.#jars.set(hash, cookieJar)
    return { connect, cookieJar, timeout: TIMEOUT }
  }
}
