// The change feed (contract/change-feed.ts): tells each console over its WebSocket which topics changed, and that the hub is alive.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Envelope } from '../../contract/call.ts'
import { CLOSE_SESSION_OVER, type FeedMessage, TOPICS, type Topic } from '../../contract/change-feed.ts'
import type { Caller } from '../auth/gate.ts'
import type { Changes } from '../store/changes.ts'

/**
 * Milliseconds: changes are gathered for so long; after a word of changes a console hears the next one so much later at the soonest,
 * since it asks for lists each time; and no console waits longer for a word than the third.
 */
const GATHER = 250
const APART = 500
const HEARTBEAT = 1000
/** Bytes waiting in a socket above which nothing more is added: what is due stays due, and one message says it all later. */
const BACKLOG = 64 * 1024
const SOCKETS_PER_SESSION = 16
/** Asks of one console that are answered at a time. */
const ASKS_AT_ONCE = 32

/**
 * Messages are compressed with those before them in view: an answer that is like the last one costs a tenth. The window holds a page of a
 * list; with these sizes a console takes some 170 KB by zlib's formula. Below the threshold there is nothing to gain. The console's own window is left
 * to it: Firefox lets nobody set it, and who demands it gets no socket at all.
 */
const COMPRESSION = {
  threshold: 24,
  serverMaxWindowBits: 14,
  zlibDeflateOptions: { level: 6, memLevel: 7 }
}

interface Listener {
  socket: WebSocket
  caller: Caller
  topics: Set<Topic>
  /** Topics to speak of in the next message. */
  due: Set<Topic>
  /** The headers that its socket came with: who asks, in which language. */
  headers: Headers
  /** Asks that are not answered yet. */
  asks: number
  /** When it was last told anything, and told of changes: milliseconds of the process. */
  spoke: number
  told: number
}

export interface Feed {
  /** Takes over an upgraded connection of a signed-in caller. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): void
  /** Closes the sockets whose session or token is over. */
  check(): void
  close(): void
}

/** Headers of an upgrade that a call has, too. */
function headersOf({ headers }: IncomingMessage): Headers {
  const kept = ['host', 'origin', 'cookie', 'authorization', 'user-agent', 'accept-language']
  return new Headers(kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))
}

export interface FeedCalls {
  /** Answers what a console asks over its socket. */
  answer?(request: Request, address: string): Promise<Response>
  /** Told that so many pictures of a preview stream have arrived at a console. */
  seen?(session: string, handle: string, count: number): void
}

/**
 * @param good whether a session or token is still good
 * @param calls what consoles may do here besides listening
 */
export function createFeed(
  changes: Changes,
  good: (session: string) => boolean,
  { answer, seen }: FeedCalls = {}
): Feed {
  const server = new WebSocketServer({ noServer: true, maxPayload: 4096, perMessageDeflate: COMPRESSION })
  const listeners = new Set<Listener>()

  /** @returns whether the message went on its way */
  function send(listener: Listener, message: FeedMessage): boolean {
    if (listener.socket.bufferedAmount > BACKLOG) return false
    listener.socket.send(JSON.stringify(message))
    listener.spoke = performance.now()
    return true
  }

  function speak(listener: Listener): void {
    if (listener.due.size === 0) {
      if (performance.now() - listener.spoke >= HEARTBEAT) send(listener, {})
      return
    }
    if (performance.now() - listener.told < APART) return
    const revs = changes.revs()
    const changed = Object.fromEntries([...listener.due].map((topic) => [topic, revs[topic]]))
    if (!send(listener, { changed, ...(answer && { asks: true }) })) return
    listener.told = listener.spoke
    listener.due.clear()
  }

  /** Answers an ask. What is no call with a JSON answer gets none. */
  async function reply(listener: Listener, turn: number, path: string): Promise<void> {
    const refuse = () => listener.socket.close(1003)
    if (!answer || !path.startsWith('/') || listener.asks >= ASKS_AT_ONCE) return refuse()
    listener.asks++
    try {
      const host = listener.headers.get('host') ?? 'hub'
      const request = new Request(new URL(`http://${host}/api${path}`), { headers: listener.headers })
      const response = await answer(request, listener.caller.address)
      if (!response.headers.get('content-type')?.startsWith('application/json')) {
        await response.body?.cancel()
        return refuse()
      }
      const message: FeedMessage = { turn, reply: (await response.json()) as Envelope }
      listener.socket.send(JSON.stringify(message))
      listener.spoke = performance.now()
    } catch (error) {
      console.error(`${path}:`, error)
      refuse()
    } finally {
      listener.asks--
    }
  }

  function hear(listener: Listener, text: string): void {
    let said: Partial<Record<string, unknown>> = {}
    try {
      said = Object(JSON.parse(text))
    } catch {}
    const { topics: wish, turn, path, seen: handle, count } = said
    if (typeof turn === 'number' && typeof path === 'string') return void reply(listener, turn, path)
    if (typeof handle === 'string' && typeof count === 'number')
      return void seen?.(listener.caller.session, handle, count)
    if (!Array.isArray(wish)) {
      listener.socket.close(1003)
      return
    }
    listener.topics = new Set(wish.filter((topic) => TOPICS.includes(topic)))
    // The console compares with what it holds: what changed between its last list and this word is not lost.
    listener.due = new Set(listener.topics)
    listener.told = Number.NEGATIVE_INFINITY
    speak(listener)
  }

  function check(): void {
    for (const listener of listeners) {
      if (good(listener.caller.session)) continue
      listener.socket.send(JSON.stringify({ over: true } satisfies FeedMessage))
      listener.socket.close(CLOSE_SESSION_OVER)
    }
  }

  const stop = changes.listen((topic) => {
    for (const listener of listeners) if (listener.topics.has(topic)) listener.due.add(topic)
  })
  const ticker = setInterval(() => {
    for (const listener of listeners) speak(listener)
  }, GATHER)
  ticker.unref()

  return {
    accept(request, socket, head, caller) {
      const mine = [...listeners].filter((listener) => listener.caller.session === caller.session)
      const [oldest] = mine
      if (oldest && mine.length >= SOCKETS_PER_SESSION) {
        // Its end is told later: until then it would be the oldest again.
        listeners.delete(oldest)
        oldest.socket.terminate()
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const listener: Listener = {
          socket: webSocket,
          caller,
          topics: new Set(),
          due: new Set(),
          headers: headersOf(request),
          asks: 0,
          spoke: 0,
          told: Number.NEGATIVE_INFINITY
        }
        listeners.add(listener)
        webSocket.on('message', (data) => hear(listener, String(data)))
        webSocket.on('close', () => listeners.delete(listener))
        webSocket.on('error', () => webSocket.terminate())
      })
    },
    check,
    close() {
      stop()
      clearInterval(ticker)
      for (const { socket } of listeners) socket.terminate()
      server.close()
    }
  }
}
