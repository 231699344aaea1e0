// A console's end of the change feed, over a real WebSocket.
import { WebSocket } from 'ws'
import type { FeedMessage, FeedSubscription } from '../../contract/change-feed.ts'
import { until } from './until.ts'

export interface Listener {
  socket: WebSocket
  /** What the hub said, oldest first. */
  heard: FeedMessage[]
  /** When it said so: milliseconds of `performance.now()`. */
  at: number[]
  wish(...topics: FeedSubscription['topics']): void
  /** Resolves with what `find` makes of the messages as soon as it makes anything of them. */
  hear<T>(find: (heard: FeedMessage[]) => T | undefined, what: string): Promise<T>
  /** The close code, once it is closed. */
  closed: Promise<number>
}

/** Opens the feed. @throws Error with the HTTP status in its message when the hub refuses */
export async function listenAt(port: number, headers: Record<string, string>, path = '/api/socket'): Promise<Listener> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  const heard: FeedMessage[] = []
  const at: number[] = []
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)))
    at.push(performance.now())
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return {
    socket,
    heard,
    at,
    closed,
    wish: (...topics) => socket.send(JSON.stringify({ topics } satisfies FeedSubscription)),
    async hear(find, what) {
      await until(() => find(heard) !== undefined, what)
      return find(heard) as never
    }
  }
}
