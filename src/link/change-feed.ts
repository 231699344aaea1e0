// The change feed (docs/wire.md, "Change feed"): reports which topics have changed, over a WebSocket, or by polling
// while there is none.
import { atom } from 'nanostores'
import type { Call, Envelope } from '../../contract/call.ts'
import {
  CLOSE_SESSION_OVER,
  type FeedMessage,
  type FeedRequest,
  type FeedSubscription,
  type PreviewAck,
  type Topic
} from '../../contract/change-feed.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../contract/codes.ts'
import { REFRESH_INTERVAL, REQUEST_TIMEOUT, STALE_AFTER } from '../../contract/limits.ts'
import { isMissingCall, pollCall } from '../other-hubs.ts'
import { markAlive, markUnauthorized, transport } from './fetch-json.ts'
import { poll } from './polling.ts'
import { feedUrl, withQuery } from './relay.ts'
import { send } from './send.ts'

/**
 * Milliseconds before the first attempt to reopen the socket. Doubled with each attempt, up to the slowest refresh
 * interval.
 */
const FIRST_REOPEN_DELAY = 500

/**
 * Called with the newest revision of a topic; with undefined when messages may have been lost, so that anything may
 * have changed.
 */
type RevisionListener = (revision?: number) => void

const listeners = new Map<Topic, Set<RevisionListener>>()
/** The last known revisions by topic. */
const revisions = new Map<string, number>()
let socket: WebSocket | undefined
/**
 * Until the first message of a new socket and between messages: the timeout. While there is no socket: the delay before
 * it is reopened.
 */
let timer: ReturnType<typeof setTimeout> | undefined
let subscriptionTimer: ReturnType<typeof setTimeout> | undefined
let reopenDelay = FIRST_REOPEN_DELAY
let stopPolling: (() => void) | undefined
/** The socket has received a message. */
let isSocketAlive = false
/** The last poll of the revisions succeeded. */
let isPollingAlive = false
/** Messages may have been lost since the last one. */
let mayHaveMissed = false
/** Whether the hub has revisions to poll: it is asked first whenever the socket is lost. */
let hasRevisions = true

/**
 * The hub has no change feed, neither as a socket nor as revisions: it is another product, which has only the calls
 * that its vendor documents.
 */
export const $isOtherHub = atom(false)

/**
 * Whether the socket accepts requests and acknowledgements of preview images. Undefined until that is known; false
 * while there is no socket.
 */
export const $feedTakesRequests = atom<boolean | undefined>()

/** The socket accepts requests. */
let acceptsRequests = false
/** Handlers of the responses to running requests, by request number. */
const pendingRequests = new Map<number, (response?: Envelope) => void>()
let lastRequest = 0

/** Whether the feed is connected, so that no message means no change. */
export function isFeedCurrent(): boolean {
  return isSocketAlive || isPollingAlive
}

/**
 * Listens to a topic. The feed runs while it has listeners.
 * @param listener a separate function for each call
 * @returns removes the listener
 */
export function watchTopic(topic: Topic, listener: RevisionListener): () => void {
  const topicListeners = listeners.get(topic) ?? new Set()
  listeners.set(topic, topicListeners.add(listener))
  scheduleSubscription()
  return () => {
    topicListeners.delete(listener)
    if (topicListeners.size === 0 && listeners.get(topic) === topicListeners) listeners.delete(topic)
    scheduleSubscription()
  }
}

/** Deferred, so that leaving one page and entering another sends a single subscription. */
function scheduleSubscription(): void {
  if (subscriptionTimer) return
  subscriptionTimer = setTimeout(() => {
    subscriptionTimer = undefined
    if (listeners.size === 0) closeFeed()
    else if (socket) subscribe()
    else if (!timer) openSocket()
  }, 0)
}

function sendMessage(message: FeedSubscription | FeedRequest | PreviewAck): void {
  if (socket?.readyState === 1) socket.send(JSON.stringify(message))
}

function subscribe(): void {
  sendMessage({ topics: [...listeners.keys()] })
}

/**
 * Makes a GET call over the socket. A response that resembles the previous one then takes next to no bandwidth.
 * @returns undefined when the socket does not accept requests; a promise of undefined when it was lost. Use `send` in
 * both cases.
 */
export function requestOverFeed<Request extends object, Response>(
  { path }: Call<Request, Response>,
  request: Request,
  signal: AbortSignal
): Promise<(Response & Envelope) | undefined> | undefined {
  if (!acceptsRequests) return undefined
  const requestedAt = performance.now()
  const turn = ++lastRequest
  return new Promise((resolve) => {
    const finish = (response?: Envelope) => {
      clearTimeout(timeout)
      pendingRequests.delete(turn)
      if (response?.result === NOT_LOGGED_IN) markUnauthorized(requestedAt)
      resolve(response as never)
    }
    const timeout = setTimeout(finish, REQUEST_TIMEOUT)
    pendingRequests.set(turn, finish)
    signal.addEventListener('abort', () => finish())
    sendMessage({ turn, path: withQuery(path, request) })
  })
}

/** Reports the number of images received on a preview stream. @param handle id of the stream */
export function acknowledgePreviews(handle: string, count: number): void {
  if (acceptsRequests) sendMessage({ seen: handle, count })
}

/** Reopens the socket with the current session and language. */
export function reopenFeed(): void {
  if (!socket) return
  dropSocket()
  openSocket()
}

function openSocket(): void {
  socket = transport.socket(feedUrl())
  socket.onopen = subscribe
  socket.onmessage = ({ data }) => handleMessage(JSON.parse(data) as FeedMessage)
  socket.onclose = ({ code }) => {
    if (code === CLOSE_SESSION_OVER) {
      markUnauthorized()
      // The hub would refuse it at once; the feed ends as soon as the user is signed out.
      reopenDelay = REFRESH_INTERVAL.slowest
    }
    handleLostSocket()
  }
  restartTimeout()
}

function handleMessage({ over, turn, reply, changed, asks }: FeedMessage): void {
  markAlive()
  if (over) {
    markUnauthorized()
    return
  }
  restartTimeout()
  isSocketAlive = true
  $isOtherHub.set(false)
  if (turn) pendingRequests.get(turn)?.(reply)
  reopenDelay = FIRST_REOPEN_DELAY
  endPolling()
  if (!changed) return
  acceptsRequests = asks === true
  $feedTakesRequests.set(acceptsRequests)
  announce(changed)
}

function restartTimeout(): void {
  clearTimeout(timer)
  timer = setTimeout(handleLostSocket, STALE_AFTER)
}

/**
 * Abandons the socket without waiting for its close event, which on a broken connection comes only when TCP gives up.
 */
function dropSocket(): void {
  clearTimeout(timer)
  timer = undefined
  isSocketAlive = acceptsRequests = false
  for (const finish of pendingRequests.values()) finish()
  if (!socket) return
  socket.onopen = socket.onmessage = socket.onclose = null
  socket.close()
  socket = undefined
}

function handleLostSocket(): void {
  mayHaveMissed ||= isSocketAlive
  dropSocket()
  $feedTakesRequests.set(false)
  timer = setTimeout(openSocket, reopenDelay)
  reopenDelay = Math.min(reopenDelay * 2, REFRESH_INTERVAL.slowest)
  stopPolling ??= poll('normal', pollRevisions)
}

function closeFeed(): void {
  dropSocket()
  $feedTakesRequests.set(undefined)
  endPolling()
  // The next listener loads all of its data anyway.
  revisions.clear()
  mayHaveMissed = false
  reopenDelay = FIRST_REOPEN_DELAY
}

function endPolling(): void {
  stopPolling?.()
  stopPolling = undefined
  isPollingAlive = false
  hasRevisions = true
}

/** Polls the revisions. */
async function pollRevisions(signal: AbortSignal): Promise<number> {
  const { result, revs } = await send(pollCall(hasRevisions), {}, { signal, timeout: REFRESH_INTERVAL.slowest })
  if (hasRevisions && isMissingCall(result)) {
    hasRevisions = false
    $isOtherHub.set(true)
  }
  const isAlive = hasRevisions && result === SUCCESS
  mayHaveMissed ||= isPollingAlive && !isAlive
  isPollingAlive = isAlive
  if (isAlive && revs) announce(revs)
  return result
}

/** Calls the listeners of all topics that have a new revision. */
function announce(newest: Partial<Record<Topic, number>>): void {
  const isAll = mayHaveMissed
  mayHaveMissed = false
  for (const [topic, revision] of Object.entries(newest)) {
    const previous = revisions.get(topic)
    revisions.set(topic, revision)
    if (!isAll && revision === previous) continue
    // A revision decreases when the hub's clock was set back: its number then says nothing.
    const isReset = previous !== undefined && revision < previous
    for (const listener of listeners.get(topic as Topic) ?? []) listener(isAll || isReset ? undefined : revision)
  }
}
