// The change feed: a WebSocket to each console that reports changed topics, carries GET calls, and shows that the hub
// is alive (docs/wire.md, Change feed).

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { BACKGROUND_HEADER } from '../../contract/access/session.ts'
import { CLOSE_SESSION_OVER, type FeedMessage, TOPICS, type Topic } from '../../contract/change-feed.ts'
import type { Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { Caller } from '../auth/gate.ts'
import type { Changes } from '../store/changes.ts'
import { BUFFER_MAX, CLOSE_UNSUPPORTED_DATA, FeedCalls } from './feed-calls.ts'

/** The pace of the feed in milliseconds; the times below are multiples of it. */
const PACE = 50
/** Milliseconds for which changes are collected. */
const COLLECT_TIME = 250
/** Milliseconds between two messages with changes to one console, because it requests lists after each. */
const CHANGES_INTERVAL = 500
/**
 * Changes of these topics are collected for `URGENT_COLLECT_TIME` only, because operators at several consoles switch
 * the same matrix.
 */
const URGENT_TOPICS: ReadonlySet<Topic> = new Set(['ndi'])
const URGENT_COLLECT_TIME = 100
/** Milliseconds without a message after which a heartbeat is sent. */
const HEARTBEAT_INTERVAL = 1000
/** Milliseconds without a message leaving the process after which a socket with a full buffer is closed. */
export const BACKLOG_TIMEOUT = 30_000
const SOCKETS_PER_SESSION = 16

/**
 * Messages are compressed with context takeover: a response similar to the one before takes a tenth of its size. The
 * window of 16 KB holds a page of a list; one connection needs about 170 KB (zlib's formula). Messages below the
 * threshold are not worth compressing. The browser's own window is not limited, because Firefox refuses a connection
 * which demands that.
 */
const COMPRESSION = {
  threshold: 24,
  serverMaxWindowBits: 14,
  zlibDeflateOptions: { level: 6, memLevel: 7 }
}

/** Headers of the upgrade request that apply to calls over the socket. */
const CALL_HEADERS = ['host', 'origin', 'cookie', 'authorization', 'user-agent', 'accept-language', BACKGROUND_HEADER]

export interface ChangeFeedCalls {
  /** Handles a call that a console makes over its socket. */
  handleCall?(request: HubRequest, address: string): Promise<Reply | Response>
  /** A console received this many images of a preview stream in total. */
  previewsReceived?(session: string, streamId: string, count: number): void
}

/** The connection of one console. */
class Subscriber {
  readonly socket: WebSocket
  readonly caller: Caller
  /** Undefined if the feed handles no calls. */
  readonly calls: FeedCalls | undefined = undefined
  topics = new Set<Topic>()
  /** Changed topics that were not reported yet. */
  pendingTopics = new Set<Topic>()
  /**
   * Times in milliseconds of `performance.now()`: of the last message, of the last one with changes, and when one last
   * left the process.
   */
  lastMessageAt = 0
  lastChangesAt = Number.NEGATIVE_INFINITY
  lastSentAt = performance.now()

  constructor(socket: WebSocket, caller: Caller, { headers }: IncomingMessage, handle: ChangeFeedCalls['handleCall']) {
    this.socket = socket
    this.caller = caller
    const present = CALL_HEADERS.filter((name) => headers[name] !== undefined)
    const callHeaders = new Headers(present.map((name) => [name, String(headers[name])]))
    const onSent = () => {
      this.lastMessageAt = performance.now()
      this.lastSentAt = this.lastMessageAt
    }
    if (handle) this.calls = new FeedCalls(socket, callHeaders, (request) => handle(request, caller.address), onSent)
    // Answering pings would fill the buffer of a client that does not read.
    socket.on('ping', (data) => (this.isFull ? socket.terminate() : socket.pong(data, false, () => {})))
  }

  /** Whether the client reads so slowly that no message may be added. */
  get isFull(): boolean {
    return this.socket.bufferedAmount > BUFFER_MAX
  }

  send(message: FeedMessage): void {
    this.socket.send(JSON.stringify(message), () => {
      this.lastSentAt = performance.now()
    })
    this.lastMessageAt = performance.now()
  }

  refuseData(): void {
    // A client that does not read would not get the code either.
    if (this.isFull) this.socket.terminate()
    else this.socket.close(CLOSE_UNSUPPORTED_DATA)
  }
}

export class ChangeFeed {
  readonly #changes: Changes
  readonly #isSessionValid: (session: string) => boolean
  readonly #calls: ChangeFeedCalls
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    perMessageDeflate: COMPRESSION,
    autoPong: false
  })
  readonly #subscribers = new Set<Subscriber>()
  readonly #unsubscribe: () => void
  readonly #timer: NodeJS.Timeout
  #tickCount = 0

  /**
   * @param isSessionValid whether a session or token has not ended
   * @param calls handlers of the messages that consoles may send besides their topics
   */
  constructor(changes: Changes, isSessionValid: (session: string) => boolean, calls: ChangeFeedCalls = {}) {
    this.#changes = changes
    this.#isSessionValid = isSessionValid
    this.#calls = calls
    this.#unsubscribe = changes.subscribe((topic) => {
      for (const { topics, pendingTopics } of this.#subscribers) if (topics.has(topic)) pendingTopics.add(topic)
    })
    this.#timer = setInterval(() => this.#tick(), PACE).unref()
  }

  /** Accepts an upgraded connection of a signed-in caller. */
  acceptSocket(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): void {
    this.#limitSockets(caller.session)
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const subscriber = new Subscriber(webSocket, caller, request, this.#calls.handleCall)
      this.#subscribers.add(subscriber)
      webSocket.on('message', (data) => this.#receive(subscriber, String(data)))
      webSocket.on('close', () => this.#subscribers.delete(subscriber))
      webSocket.on('error', () => webSocket.terminate())
    })
  }

  /** Whether any console is connected. */
  hasSubscribers(): boolean {
    return this.#subscribers.size > 0
  }

  /** Closes the oldest socket of a session if it has too many. */
  #limitSockets(session: string): void {
    const ofSession = [...this.#subscribers].filter(({ caller }) => caller.session === session)
    const [oldest] = ofSession
    if (!oldest || ofSession.length < SOCKETS_PER_SESSION) return
    // The close event comes later, so the socket is removed now: otherwise it would be the oldest again.
    this.#subscribers.delete(oldest)
    oldest.socket.terminate()
  }

  /** Closes the sockets whose session or token has ended. */
  closeExpired(): void {
    for (const { caller, socket } of this.#subscribers) {
      if (this.#isSessionValid(caller.session)) continue
      socket.send(JSON.stringify({ over: true } satisfies FeedMessage))
      socket.close(CLOSE_SESSION_OVER)
    }
  }

  close(): void {
    this.#unsubscribe()
    clearInterval(this.#timer)
    for (const { socket } of this.#subscribers) socket.terminate()
    this.#server.close()
  }

  #tick(): void {
    const time = ++this.#tickCount * PACE
    for (const subscriber of this.#subscribers) {
      const isUrgent = [...subscriber.pendingTopics].some((topic) => URGENT_TOPICS.has(topic))
      if (isUrgent && time % URGENT_COLLECT_TIME === 0) this.#report(subscriber, 0)
      else if (time % COLLECT_TIME === 0) this.#report(subscriber)
    }
  }

  /**
   * Sends pending changes, or a heartbeat, if one is due and the socket's buffer has room.
   * @param interval milliseconds that must have passed since the last message with changes
   */
  #report(subscriber: Subscriber, interval = CHANGES_INTERVAL): void {
    const { pendingTopics, socket } = subscriber
    const now = performance.now()
    if (subscriber.isFull) {
      if (now - subscriber.lastSentAt > BACKLOG_TIMEOUT) socket.terminate()
      return
    }
    if (pendingTopics.size === 0) {
      if (now - subscriber.lastMessageAt >= HEARTBEAT_INTERVAL) subscriber.send({})
      return
    }
    if (now - subscriber.lastChangesAt < interval) return
    const revs = this.#changes.revs()
    const changed = Object.fromEntries([...pendingTopics].map((topic) => [topic, revs[topic]]))
    subscriber.send({ changed, ...(this.#calls.handleCall && { asks: true }) })
    subscriber.lastChangesAt = subscriber.lastMessageAt
    pendingTopics.clear()
  }

  #receive(subscriber: Subscriber, text: string): void {
    const { topics, turn, path, seen: streamId, count } = parseMessage(text)
    if (typeof turn === 'number' && typeof path === 'string') {
      if (!subscriber.calls?.add(turn, path)) subscriber.refuseData()
    } else if (typeof streamId === 'string' && typeof count === 'number')
      this.#calls.previewsReceived?.(subscriber.caller.session, streamId, count)
    else if (Array.isArray(topics)) this.#setTopics(subscriber, topics)
    else subscriber.refuseData()
  }

  #setTopics(subscriber: Subscriber, topics: readonly Topic[]): void {
    subscriber.topics = new Set(topics.filter((topic) => TOPICS.includes(topic)))
    // All revisions are reported at once: the console compares them with those of its lists, so that it misses no
    // change in between.
    subscriber.pendingTopics = new Set(subscriber.topics)
    subscriber.lastChangesAt = Number.NEGATIVE_INFINITY
    this.#report(subscriber)
  }
}

function parseMessage(text: string): Partial<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
