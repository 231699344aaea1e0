// A client of the change feed over a real WebSocket.
import { WebSocket } from 'ws'
import type { FeedMessage, FeedSubscription } from '../../../contract/change-feed.ts'
import { until } from '../until.ts'

export interface FeedListener {
  socket: WebSocket
  /** Received messages, oldest first. */
  messages: FeedMessage[]
  /** Time of each message, in milliseconds of `performance.now()`. */
  receivedAt: number[]
  subscribe(...topics: FeedSubscription['topics']): void
  /** Resolves with the first result of `find` that is not undefined. */
  waitFor<T>(find: (messages: FeedMessage[]) => T | undefined, what: string): Promise<T>
  /** Resolves with the close code when the socket is closed. */
  closed: Promise<number>
}

/** Opens the change feed. @throws Error with the HTTP status in its message when the hub refuses the connection */
export async function openFeed(
  port: number,
  headers: Record<string, string>,
  path = '/api/socket'
): Promise<FeedListener> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  const messages: FeedMessage[] = []
  const receivedAt: number[] = []
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)))
    receivedAt.push(performance.now())
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return {
    socket,
    messages: messages,
    receivedAt: receivedAt,
    closed,
    subscribe: (...topics) => socket.send(JSON.stringify({ topics } satisfies FeedSubscription)),
    async waitFor(find, what) {
      await until(() => find(messages) !== undefined, what)
      return find(messages) as never
    }
  }
}
