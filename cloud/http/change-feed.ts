// The change feed of the cloud's own pages (docs/wire.md, Change feed): a WebSocket that says when something has
// changed. It makes the call that pages without it poll, every second and when a link has changed, so that both say the
// same.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { BACKGROUND_HEADER } from '../../contract/access/session.ts'
import { CLOSE_SESSION_OVER, type FeedMessage, getRevisions, type Topic } from '../../contract/change-feed.ts'
import { STALE_HEADER } from '../../contract/cloud/calls.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../contract/codes.ts'
import { readSessionSecrets } from '../../web-server/credentials.ts'
import { isSameOrigin } from '../../web-server/origin.ts'
import { type Peer, peerOf } from '../../web-server/peer.ts'
import { refuseUpgrade } from '../../web-server/refuse-upgrade.ts'
import type { Reply } from '../../web-server/reply.ts'
import { type HubRequest, headersOf } from '../../web-server/request.ts'
import { readSessionKey } from '../auth/sessions.ts'

const FEED_PATH = '/api/socket'
/** Milliseconds between two checks of a socket, of which each sends a message. */
const INTERVAL = 1000
/** Bytes that may wait for a page that does not read, and sockets of one session. */
const BUFFER_MAX = 64 << 10
const SOCKETS_PER_SESSION = 16

interface Subscriber {
  socket: WebSocket
  /** Reads the revisions as the page would. */
  request: HubRequest
  peer: Peer
  cookie: string
  organisations: readonly string[]
  topics: readonly string[]
  /** The revision that was sent last. */
  revision: number | undefined
  timer: NodeJS.Timeout | undefined
  isChecking: boolean
  isDue: boolean
}

interface Revisions {
  result: number
  revs?: Partial<Record<Topic, number>>
}

export class CloudFeed {
  readonly #callCloud: (request: HubRequest, peer: Peer) => Promise<Reply>
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: 4096, perMessageDeflate: false })
  readonly #subscribers = new Set<Subscriber>()

  /** @param onRevision calls a function when links of an organisation have changed */
  constructor(
    callCloud: (request: HubRequest, peer: Peer) => Promise<Reply>,
    onRevision: (listener: (organisation: string) => void) => void
  ) {
    this.#callCloud = callCloud
    onRevision((organisation) => this.#report(organisation))
  }

  /** Opens a socket. @returns whether the request is for one */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, admit: () => void): boolean {
    if (request.url?.split('?')[0] !== FEED_PATH) return false
    this.#accept(request, socket, head, admit).catch(() => socket.destroy())
    return true
  }

  close(): void {
    for (const { socket } of this.#subscribers) socket.terminate()
    this.#server.close()
  }

  #report(organisation: string): void {
    for (const subscriber of this.#subscribers)
      if (subscriber.organisations.includes(organisation)) void this.#check(subscriber)
  }

  async #accept(incoming: IncomingMessage, socket: Duplex, head: Buffer, admit: () => void): Promise<void> {
    // The page opens it by itself, so it does not extend the session.
    incoming.headers[BACKGROUND_HEADER] = '1'
    const headers = headersOf(incoming)
    if (!isSameOrigin(headers, incoming.headers.host ?? '')) return refuseUpgrade(socket, '403 Forbidden')
    const request: HubRequest = {
      ...{ method: 'GET', path: `/api${getRevisions.path}`, search: '', headers, body: null },
      readText: async () => ''
    }
    const peer = peerOf(headers, incoming.socket)
    const { result } = await this.#read(request, peer)
    if (result !== SUCCESS)
      return refuseUpgrade(socket, result === NOT_LOGGED_IN ? '401 Unauthorized' : '503 Service Unavailable')
    admit()
    const cookie = headers.get('cookie') ?? ''
    const organisations = readSessionSecrets(cookie).flatMap((value) => readSessionKey(value)?.organisation ?? [])
    this.#server.handleUpgrade(incoming, socket, head, (webSocket) =>
      this.#open({
        ...{ socket: webSocket, request, peer, cookie, organisations },
        ...{ topics: [], revision: undefined, timer: undefined, isChecking: false, isDue: false }
      })
    )
  }

  #open(subscriber: Subscriber): void {
    const { socket, cookie } = subscriber
    const [oldest, ...others] = [...this.#subscribers].filter((each) => each.cookie === cookie)
    if (oldest && others.length + 1 >= SOCKETS_PER_SESSION) {
      this.#subscribers.delete(oldest)
      oldest.socket.terminate()
    }
    this.#subscribers.add(subscriber)
    socket.on('message', (data) => {
      subscriber.topics = readTopics(String(data))
      subscriber.revision = undefined
      void this.#check(subscriber)
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(subscriber.timer)
      this.#subscribers.delete(subscriber)
    })
    void this.#check(subscriber)
  }

  /** Sends the revision if it has changed, otherwise that the cloud is there. One check of a socket at a time. */
  async #check(subscriber: Subscriber): Promise<void> {
    subscriber.isDue = true
    if (subscriber.isChecking) return
    subscriber.isChecking = true
    clearTimeout(subscriber.timer)
    while (subscriber.isDue && subscriber.socket.readyState === subscriber.socket.OPEN) {
      subscriber.isDue = false
      this.#send(subscriber, await this.#read(subscriber.request, subscriber.peer))
    }
    subscriber.isChecking = false
    if (this.#subscribers.has(subscriber))
      subscriber.timer = setTimeout(() => void this.#check(subscriber), INTERVAL).unref()
  }

  #send(subscriber: Subscriber, { result, revs = {} }: Revisions): void {
    const { socket, topics } = subscriber
    const send = (message: FeedMessage) => socket.send(JSON.stringify(message))
    if (result === NOT_LOGGED_IN) {
      send({ over: true })
      return void socket.close(CLOSE_SESSION_OVER)
    }
    // Without its socket the page polls, and shows the result code of the responses.
    if (result !== SUCCESS || socket.bufferedAmount > BUFFER_MAX) return void socket.terminate()
    const [revision] = Object.values(revs)
    if (revision === subscriber.revision) return void send({})
    subscriber.revision = revision
    send({ changed: Object.fromEntries(Object.entries(revs).filter(([topic]) => topics.includes(topic))) })
  }

  /** An answer from memory, because the database does not answer, counts as none. */
  async #read(request: HubRequest, peer: Peer): Promise<Revisions> {
    const { headers, body } = await this.#callCloud(request, peer)
    return headers?.[STALE_HEADER] === undefined ? JSON.parse(String(body)) : { result: -1 }
  }
}

function readTopics(text: string): string[] {
  try {
    const { topics } = JSON.parse(text)
    return Array.isArray(topics) ? topics.map(String) : []
  } catch {
    return []
  }
}
