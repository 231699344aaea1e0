// Serves the origins of hubs: relays requests and WebSockets of signed-in users to the hub that the origin names, and
// to no other one. The cloud answers calls about its own sessions itself: sign-out, and the proof of a password.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { brotliDecompressSync } from 'node:zlib'
import { BACKGROUND_HEADER } from '../../contract/access/session.ts'
import { ASSERTION_HEADER, CONSOLE_TARGET } from '../../contract/cloud/relay.ts'
import {
  CLIENT_OFFLINE,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TARGET_TIMEOUT,
  TOO_MANY
} from '../../contract/codes.ts'
import type { Link } from '../../device-link/link.ts'
import { LinkError } from '../../device-link/link-error.ts'
import { sendRequest } from '../../device-link/request.ts'
import { logger } from '../../process-log/logger.ts'
import { type RequestHeaders, readBearerToken, readSessionSecrets } from '../../web-server/credentials.ts'
import { isFromOwnPage, isSameOrigin } from '../../web-server/origin.ts'
import { type Peer, peerOf } from '../../web-server/peer.ts'
import { refuseUpgrade } from '../../web-server/refuse-upgrade.ts'
import { jsonReply, type Reply, type ReplyHeaders, withHeaders } from '../../web-server/reply.ts'
import { type HubRequest, headersOf, parseTarget } from '../../web-server/request.ts'
import { SECURITY_HEADERS } from '../../web-server/security-headers.ts'
import type { RelayHandler } from '../../web-server/server.ts'
import { clearSessionCookies, setSessionCookie } from '../../web-server/session-cookies.ts'
import { type Files, HASHED } from '../../web-server/static-files.ts'
import type { SessionKey } from '../auth/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Assertions } from './assertions.ts'
import { type HubKey, type HubOrigins, type HubPlace, pageOf } from './hub-origins.ts'
import { ENTRANCE_PATH, entrancePage, handOffPage, refusalPage } from './hub-pages.ts'
import type { HubSessions, HubVisitor } from './hub-sessions.ts'
import { relaySocket } from './hub-socket.ts'
import { relayRequest } from './hub-stream.ts'
import { openHubTunnel } from './hub-tunnel.ts'
import { overLinks } from './over-links.ts'
import { PageRelay } from './page-relay.ts'
import { PictureLimits, type ReachedLimit } from './picture-limits.ts'
import { Programs, relayCaller } from './programs.ts'
import { responseHeaders } from './relay-headers.ts'
import { isForPrograms, isRelayed, LOGOUT, pageTarget, REAUTHENTICATE, REFUSED, targetOf } from './relay-paths.ts'
import { limitText, relayText } from './texts.ts'

interface HubRelayOptions {
  store: Store
  origins: HubOrigins
  sessions: HubSessions
  assertions: Assertions
  /** The link of a hub; undefined: it is not connected. */
  linkOf(hub: HubKey): Link | undefined
  /** Whether a Host header names the cloud itself. */
  isCloudHost(host: string): boolean
  /** The files of the console of hubs of this release. */
  consoleFiles: Files
  /** Makes a call of the cloud with a session. */
  callCloud(request: HubRequest, peer: Peer, session: SessionKey): Promise<Reply>
}

/** Maximum bytes and milliseconds of the form that opens a hub. */
const ENTRANCE = { max: 1024, deadline: 10_000 }
/** Days for which a browser keeps the session cookie of an opened hub. The session ends with that of the cloud. */
const COOKIE_DAYS = 30

/** Maximum bytes of the page of a console, and milliseconds for it. */
const PAGE_MAX = 1 << 18
const PAGE_TIMEOUT = 18_000
/** Headers of the page that are not those of the changed one. */
const OF_HUB_PAGE: readonly string[] = ['content-encoding', 'content-length', 'etag', 'last-modified']

/** HTTP statuses of responses that say that the hub did not answer. */
const GATEWAY_STATUS: Readonly<Record<number, number>> = { [CLIENT_OFFLINE]: 502, [TARGET_TIMEOUT]: 504 }

export class HubRelay {
  readonly #options: HubRelayOptions
  readonly #pages = new PageRelay()
  readonly #pictures = new PictureLimits()
  readonly #programs: Programs

  constructor(options: HubRelayOptions) {
    this.#options = options
    this.#programs = new Programs(options)
  }

  /** Answers requests for the origins of hubs. */
  readonly handle: RelayHandler = (request, peer, incoming, response) => {
    const hub = this.#options.origins.find(request.headers.get('host'))
    if (!hub && !isRelayed(request.path)) return undefined
    const answer = hub
      ? this.#answer(hub, request, peer, incoming, response)
      : this.#answerProgram(request, peer, incoming, response)
    return answer.then((reply) => reply && withHeaders(reply, SECURITY_HEADERS))
  }

  /** Opens a WebSocket of a hub. @returns whether the request is for one */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, admit: () => void): boolean {
    const { host } = request.headers
    const { path = '', search = '' } = parseTarget(request.url ?? '', host ?? '') ?? {}
    const hub = this.#options.origins.find(host)
    if (!hub && !isRelayed(path)) return false
    const connect = async () => {
      const named = hub ?? (await this.#programs.hubOf(headersOf(request), search))
      if (typeof named === 'number') refuseUpgrade(socket, '401 Unauthorized')
      else await this.#connect(named, request, socket, head, admit)
    }
    connect().catch((error) => {
      logger.info('A WebSocket could not be relayed', { sn: hub?.sn, reason: error.message })
      socket.destroy()
    })
    return true
  }

  /** Answers a request below `/socket` of the cloud's own origin: a program with an access token may make it. */
  async #answerProgram(
    request: HubRequest,
    peer: Peer,
    incoming: IncomingMessage,
    response: ServerResponse
  ): Promise<Reply | undefined> {
    const hub = await this.#programs.hubOf(request.headers, request.search)
    if (typeof hub !== 'number') return this.#answer(hub, request, peer, incoming, response)
    return jsonReply({
      result: hub,
      ...(hub === NOT_PERMITTED && { message: relayText(request.headers, NOT_LOGGED_IN) })
    })
  }

  async #answer(
    hub: HubPlace,
    request: HubRequest,
    peer: Peer,
    incoming: IncomingMessage,
    response: ServerResponse
  ): Promise<Reply | undefined> {
    if (request.path === ENTRANCE_PATH) return this.#enter(hub, request, peer)
    const visitor = await this.#visitorOf(hub, request.headers, peer.address)
    if (!visitor) return this.#refuse(request, await this.#programs.refusalOf(request.headers, hub), hub)
    peer.admit?.()
    if (visitor.target) {
      await this.#answerPage(visitor, peer, incoming, response)
      return undefined
    }
    // A service worker would stay in this origin, and outlive the session.
    if (request.headers.get('service-worker') !== null) return this.#refuse(request, NOT_PERMITTED, hub)
    const target = targetOf(request.path, request.search, hub.sn)
    if (typeof target === 'number') return this.#refuse(request, target, hub)
    const [path = ''] = target.split('?')
    if (visitor.token !== undefined && !isForPrograms(request.path, path))
      return this.#refuse(request, NOT_PERMITTED, hub)
    const page = pageTarget(path)
    if (page !== undefined) return this.#handOff(visitor, request, peer, page)
    if (LOGOUT.includes(path)) return this.#leave(visitor, request, peer)
    if (path === REAUTHENTICATE) return this.#reauthenticate(visitor, request, peer)
    if (REFUSED.includes(path)) return this.#refuse(request, NOT_PERMITTED, hub)
    // A name with a hash of the content stands for the same file everywhere, so that it need not come from the hub.
    const file = HASHED.test(path) ? this.#options.consoleFiles(request) : undefined
    if (file) return file
    try {
      if (path === '/' && request.method === 'GET') return await this.#page(visitor, request, peer)
      // The browser may have left meanwhile.
      if (response.destroyed) return undefined
      const { name } = visitor.caller.user
      const place = this.#pictures.take(path, { organisation: hub.organisation, user: name, sn: hub.sn })
      if (typeof place !== 'function') return refusePictures(request, place)
      response.once('close', place)
      await this.#relay(visitor, target, peer, incoming, response)
      return undefined
    } catch (error) {
      if (response.headersSent || response.destroyed) return undefined
      if (error instanceof LinkError) return this.#refuse(request, error.code, hub)
      logger.info('A request could not be relayed', { sn: hub.sn, reason: (error as Error).message })
      return this.#refuse(request, TARGET_TIMEOUT, hub)
    }
  }

  async #answerPage(
    visitor: HubVisitor,
    { address }: Peer,
    incoming: IncomingMessage,
    response: ServerResponse
  ): Promise<void> {
    response.once(
      'close',
      this.#options.sessions.hold(visitor, () => response.destroy())
    )
    await this.#pages.answer(visitor, incoming, response, () => this.#connectThrough(visitor, visitor.target, address))
  }

  /** Opens a connection through the hub. @throws LinkError */
  async #connectThrough(visitor: HubVisitor, target: string, address: string): Promise<Duplex> {
    const { hub } = visitor
    const { assertions } = this.#options
    const request = { sn: hub.sn, method: 'CONNECT', target, address }
    const caller = relayCaller(visitor)
    return this.#overLinks(hub, (link) =>
      assertions.use(link, caller, request, (assertion) => openHubTunnel(link, target, assertion))
    )
  }

  /** Opens the page of a device or a forwarded port at an origin of its own. */
  async #handOff({ hub, caller }: HubVisitor, request: HubRequest, peer: Peer, target: string): Promise<Reply> {
    const { origins, sessions, store } = this.#options
    const host = request.headers.get('host') ?? ''
    if (request.method !== 'GET' || isFromOwnPage(request.headers, host) === false)
      return this.#refuse(request, NOT_PERMITTED, hub)
    const ticket = await store.within(hub.organisation, (scope) => sessions.issueTicket(scope, caller, hub.sn, target))
    const url = `${peer.secure ? 'https' : 'http'}://${origins.hostOf({ ...hub, page: pageOf(target) }, host)}`
    return handOffPage(`${url}${ENTRANCE_PATH}`, ticket)
  }

  /** The page of the console, whose root says for which hub it is relayed. */
  async #page(visitor: HubVisitor, { headers }: HubRequest, { address }: Peer): Promise<Reply> {
    const { hub } = visitor
    const { sn } = hub
    const {
      status,
      body,
      headers: received
    } = await this.#overLinks(hub, async (link) => {
      const assertion = await this.#options.assertions.make(link, relayCaller(visitor), {
        ...{ sn, method: 'GET', target: '/', address }
      })
      const agent = headers.get('user-agent') ?? ''
      const sent = { [ASSERTION_HEADER]: assertion, 'user-agent': agent, 'accept-encoding': 'br' }
      const call = { method: 'GET', path: '/', headers: sent, maxBody: PAGE_MAX }
      return sendRequest(link, sn, call, PAGE_TIMEOUT)
    })
    const isCompressed = received['content-encoding'] === 'br'
    const html = isCompressed ? brotliDecompressSync(body, { maxOutputLength: PAGE_MAX }) : body
    const kept = Object.entries(responseHeaders(received)).filter(([name]) => !OF_HUB_PAGE.includes(name))
    const page = html.toString().replace('<html ', `<html data-hub="${sn}" `)
    return { status, headers: { ...Object.fromEntries(kept), 'cache-control': 'no-store' } as ReplyHeaders, body: page }
  }

  async #relay(
    visitor: HubVisitor,
    target: string,
    peer: Peer,
    incoming: IncomingMessage,
    response: ServerResponse
  ): Promise<void> {
    const { hub } = visitor
    const { method = 'GET', headers } = incoming
    const to = { sn: hub.sn, target, host: headers.host ?? '' }
    response.once(
      'close',
      this.#options.sessions.hold(visitor, () => response.destroy())
    )
    const request = { sn: hub.sn, method, target, address: peer.address }
    // A request that the hub may have received is repeated only if it is a read, which has no body.
    let isSent = false
    const mayRepeat = () => (!isSent || method === 'GET') && !response.headersSent && !response.destroyed
    const send = (link: Link) => (assertion: string) => {
      isSent = true
      return relayRequest(incoming, response, { ...to, link }, assertion)
    }
    const caller = relayCaller(visitor)
    await this.#overLinks(
      hub,
      (link) => this.#options.assertions.use(link, caller, request, send(link), mayRepeat),
      mayRepeat
    )
  }

  #overLinks<Result>(hub: HubKey, run: (link: Link) => Promise<Result>, mayRepeat?: () => boolean): Promise<Result> {
    return overLinks(() => this.#requireLink(hub), run, mayRepeat)
  }

  async #connect(
    hub: HubPlace,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    admit: () => void
  ): Promise<void> {
    const headers = headersOf(request)
    const refuse = (status: string) => refuseUpgrade(socket, status)
    const host = request.headers.host ?? ''
    if (!isSameOrigin(headers, host)) return refuse('403 Forbidden')
    const { address } = peerOf(headers, request.socket)
    const visitor = await this.#visitorOf(hub, headers, address)
    if (!visitor) return refuse('401 Unauthorized')
    admit()
    socket.once(
      'close',
      this.#options.sessions.hold(visitor, () => socket.destroy())
    )
    const connect = (target: string) => this.#connectThrough(visitor, target, address)
    if (visitor.target) return this.#pages.upgrade(visitor, request, socket, head, () => connect(visitor.target))
    const parsed = parseTarget(request.url ?? '', host)
    const target = parsed && targetOf(parsed.path, parsed.search, hub.sn)
    if (typeof target !== 'string') return refuse('404 Not Found')
    const tunnel = await connect(CONSOLE_TARGET).catch(() => undefined)
    if (!tunnel) return refuse('502 Bad Gateway')
    relaySocket(request, socket, head, tunnel, { target, host })
  }

  /** Exchanges the ticket of a form that the page of the cloud has sent for a session cookie of this origin. */
  async #enter(hub: HubPlace, request: HubRequest, peer: Peer): Promise<Reply> {
    const { sessions } = this.#options
    if (request.method !== 'POST' || !this.#isFromOpener(hub, request.headers))
      return this.#refuse(request, NOT_PERMITTED, hub)
    const form = new URLSearchParams(await request.readText(ENTRANCE.max, ENTRANCE.deadline))
    const secret = await sessions.redeem(form.get('ticket') ?? '', hub)
    if (secret === undefined) return this.#refuse(request, NOT_LOGGED_IN, hub)
    peer.admit?.()
    const { context, cookies } = collectCookies(peer)
    setSessionCookie(context, secret, COOKIE_DAYS)
    return entrancePage(cookies, form.get('at') ?? '')
  }

  /**
   * Whether the page that opens this origin has sent a form: for a console one of the cloud, at the same port; for what
   * is behind a hub its console.
   */
  #isFromOpener({ page, ...hub }: HubPlace, headers: RequestHeaders): boolean {
    const { origins, isCloudHost } = this.#options
    const origin = headers.get('origin') ?? ''
    const own = headers.get('host') ?? ''
    if (!URL.canParse(origin)) return false
    const { host } = new URL(origin)
    if (page !== undefined) return host === origins.hostOf(hub, own)
    return isCloudHost(host) && !origins.find(host) && portOf(host) === portOf(own)
  }

  async #leave(visitor: HubVisitor, request: HubRequest, peer: Peer): Promise<Reply> {
    await this.#options.sessions.end(visitor)
    const { context, cookies } = collectCookies(peer)
    clearSessionCookies(context, request.headers.get('cookie'))
    return jsonReply({ result: SUCCESS }, 200, cookies)
  }

  /** The password that counts is the one that the user has in the cloud. */
  async #reauthenticate(visitor: HubVisitor, request: HubRequest, peer: Peer): Promise<Reply> {
    const { caller, hub } = visitor
    const call: HubRequest = {
      ...{ method: request.method, path: REAUTHENTICATE, search: '', headers: request.headers, body: null },
      readText: (max, deadline) => request.readText(max, deadline)
    }
    const reply = await this.#options.callCloud(call, peer, { organisation: hub.organisation, hash: caller.session })
    this.#options.sessions.forget(visitor)
    return reply
  }

  async #visitorOf(hub: HubPlace, headers: RequestHeaders, address: string): Promise<HubVisitor | undefined> {
    const use = { address, extends: headers.get(BACKGROUND_HEADER) === null }
    // A token takes precedence over cookies, even if it is invalid.
    const token = readBearerToken(headers.get('authorization'))
    if (token !== undefined) return this.#options.sessions.findByToken(token, hub, use)
    for (const secret of readSessionSecrets(headers.get('cookie'))) {
      const visitor = await this.#options.sessions.find(secret, hub, use)
      if (visitor) return visitor
    }
    return undefined
  }

  #requireLink(hub: HubKey): Link {
    const link = this.#options.linkOf(hub)
    if (!link) throw new LinkError(CLIENT_OFFLINE, `${hub.sn} is not connected`)
    return link
  }

  /** A page for the address bar, JSON for the console. */
  #refuse(request: HubRequest, code: number, { sn }: HubKey): Reply {
    const isPage = request.method !== 'POST' && request.headers.get('sec-fetch-mode') === 'navigate'
    if (isPage || request.path === ENTRANCE_PATH) return refusalPage(request.headers, code, sn)
    // Not 200: nothing of this is an answer of the hub.
    return jsonReply({ result: code, message: relayText(request.headers, code) }, GATEWAY_STATUS[code] ?? 200)
  }
}

/** The console shows the sentence. */
const refusePictures = ({ headers }: HubRequest, limit: ReachedLimit): Reply =>
  jsonReply({ result: TOO_MANY, max: limit.max, message: limitText(headers, limit) })

/** @returns the context in which cookies are set, and the cookies that were set in it */
function collectCookies({ secure }: Peer) {
  const cookies: string[] = []
  return { cookies, context: { secure, headers: { append: (_: 'set-cookie', value: string) => cookies.push(value) } } }
}

const portOf = (host: string) => /:\d+$/.exec(host)?.[0]
