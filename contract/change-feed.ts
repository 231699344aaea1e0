// The change feed: a WebSocket at `/api/socket` that announces which topics changed. The console then requests the
// lists with `since`. Without a WebSocket, the console polls `getRevisions`. See docs/wire.md, "Change feed".
import { declareCall, type Envelope } from './call.ts'
import type { Topic } from './change-feed.schema.ts'

export type { Topic } from './change-feed.schema.ts'

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
  'portforward',
  'problem',
  'timeline',
  'ndi',
  'trash',
  'tag',
  'view',
  'alert'
] as const

/** Hub → console, as JSON text. `{}` is a heartbeat, sent after one second without another message. */
export interface FeedMessage {
  /** Topics that changed since the last message, with their newest revisions. */
  changed?: Partial<Record<Topic, number>>
  /** The session has ended. The hub closes the socket with code 4001. */
  over?: true
  /** With `changed`: the hub accepts `FeedRequest` and `PreviewAck` messages. */
  asks?: true
  /** Number of the `FeedRequest` that `reply` belongs to. */
  turn?: number
  reply?: Envelope
}

/** Console → hub, as JSON text: subscribes to these topics. Replaces the previous subscription. */
export interface FeedSubscription {
  topics: Topic[]
}

/**
 * Console → hub: makes a GET call with a JSON response over the socket, with the headers of the socket. The socket is
 * compressed with a shared context, so a repeated call costs about 100 bytes in both directions instead of well over
 * 1,000.
 */
export interface FeedRequest {
  /** Unique number of the request; the response has the same number. */
  turn: number
  /** Path below `/api`, with its query string. */
  path: string
}

/** Console → hub: acknowledges preview images. */
export interface PreviewAck {
  /** Handle id of the preview stream. */
  seen: string
  /** Number of images received. */
  count: number
}

/** WebSocket close code: the session has ended. */
export const CLOSE_SESSION_OVER = 4001

/** Query parameter of the socket in place of `BACKGROUND_HEADER`. */
export const BACKGROUND_PARAM = 'background'

export const getRevisions = declareCall('GET /changes', 'session')
