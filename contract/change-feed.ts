// The change feed: ours. A WebSocket at `/api/socket` says which topics changed; the console then asks the lists for what is new
// `since` the revision it holds. Where there is no WebSocket the same word comes by polling `changes`.
import { call, type Envelope } from './call.ts'

export const TOPICS = [
  'device',
  'channel',
  'source',
  'log',
  'status',
  'session',
  'user',
  'catalog',
  'firmware',
  'rollout',
  'portforward'
] as const

export type Topic = (typeof TOPICS)[number]

/** Hub → console, as JSON text. `{}` is a heartbeat, sent every second in which nothing else was. */
export interface FeedMessage {
  /** Topics that changed since the last message, each with its newest revision. */
  changed?: Partial<Record<Topic, number>>
  /** The session is over: sign in again. The hub closes the socket with code 4001. */
  over?: true
  /** Beside `changed`: calls can be made here, and what was seen of previews can be told (`FeedAsk`, `FeedSeen`). */
  asks?: true
  /** The answer to the ask of this number. */
  turn?: number
  reply?: Envelope
}

/** Console → hub, as JSON text: which topics it wants to hear of. Replaces what it wanted before. */
export interface FeedWish {
  topics: Topic[]
}

/**
 * Console → hub: makes a GET call that answers JSON, as over HTTP with the headers of the socket. Messages are compressed with those
 * before them in view, so that what is asked again and again costs about a hundred bytes both ways, not well over a thousand.
 */
export interface FeedAsk {
  /** A number of its own, which the answer bears. */
  turn: number
  /** Path below `/api`, with its query. */
  path: string
}

/** Console → hub: how many pictures of a preview stream have arrived. */
export interface FeedSeen {
  /** Handle id of the stream. */
  seen: string
  count: number
}

export const CLOSE_SESSION_OVER = 4001

/** The newest revision of each topic. */
export const changes = call<Record<never, never>, { revs: Record<Topic, number> }>('GET', '/changes', 'session')
