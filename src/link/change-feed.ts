// The change feed (contract/change-feed.ts): hears which topics changed, over a WebSocket where one can be had, else by polling.
import { atom } from 'nanostores'
import type { Call, Envelope } from '../../contract/call.ts'
import {
  CLOSE_SESSION_OVER,
  changes,
  type FeedAsk,
  type FeedMessage,
  type FeedSeen,
  type FeedWish,
  type Topic
} from '../../contract/change-feed.ts'
import { NOT_LOGGED_IN, SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { PACE, REQUEST_TIMEOUT, STALE_AFTER } from '../../contract/limits.ts'
import { systemStatus } from '../../contract/system.ts'
import { door, hear, refuse } from './fetch-json.ts'
import { poll } from './polling.ts'
import { feedAddress, withQuery } from './relay.ts'
import { send } from './send.ts'

/** Milliseconds before the first try to open the socket again; doubled up to the slowest pace. */
const REOPEN_AFTER = 500

/** Told the newest revision of its topic; nothing when words may have been missed, so that anything may have changed. */
export type WordListener = (rev?: number) => void

const listeners = new Map<Topic, Set<WordListener>>()
const revs = new Map<string, number>()
let socket: WebSocket | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let wishing: ReturnType<typeof setTimeout> | undefined
let wait = REOPEN_AFTER
let stopPolling: (() => void) | undefined
/** The socket speaks; or `changes` answers. */
let spoken = false
let polled = false
/** Words may have been missed since the last. */
let missed = false
/** The hub does not know `changes`. */
let plain = false

/** Whether the hub can be told what arrived of previews: it is behind a socket that takes asks. Nothing as long as that is not known. */
export const $asks = atom<boolean | undefined>()

/** The socket takes asks, and those that wait for their answers. */
let asks = false
const asked = new Map<number, (reply?: Envelope) => void>()
let turn = 0

/** Whether the feed can be relied on now: no word then means no change. */
export function vouched(): boolean {
  return spoken || polled
}

/**
 * Listens to a topic. The feed runs while anybody listens to anything.
 * @param listener a function of its own for each call
 * @returns how to stop it
 */
export function watch(topic: Topic, listener: WordListener): () => void {
  const theirs = listeners.get(topic) ?? new Set()
  listeners.set(topic, theirs.add(listener))
  wishSoon()
  return () => {
    theirs.delete(listener)
    if (theirs.size === 0 && listeners.get(topic) === theirs) listeners.delete(topic)
    wishSoon()
  }
}

/** A page that is left and one that is entered make one wish. */
function wishSoon(): void {
  if (wishing) return
  wishing = setTimeout(() => {
    wishing = undefined
    if (listeners.size === 0) close()
    else if (socket) wish()
    else if (!timer) open()
  }, 0)
}

function say(word: FeedWish | FeedAsk | FeedSeen): void {
  if (socket?.readyState === 1) socket.send(JSON.stringify(word))
}

function wish(): void {
  say({ topics: [...listeners.keys()] })
}

/**
 * Makes a GET call over the socket, which costs next to nothing where the answer is like the last one.
 * @returns undefined when it cannot be made there, or the socket was lost: `send` can
 */
export function ask<Request extends object, Reply>(
  { path }: Call<Request, Reply>,
  request: Request,
  signal: AbortSignal
): Promise<(Reply & Envelope) | undefined> | undefined {
  if (!asks) return undefined
  const since = performance.now()
  const number = ++turn
  return new Promise((resolve) => {
    const end = (reply?: Envelope) => {
      clearTimeout(limit)
      asked.delete(number)
      if (reply?.result === NOT_LOGGED_IN) refuse(since)
      resolve(reply as never)
    }
    const limit = setTimeout(end, REQUEST_TIMEOUT)
    asked.set(number, end)
    signal.addEventListener('abort', () => end())
    say({ turn: number, path: withQuery(path, request) })
  })
}

/** Tells how many pictures of a preview stream have arrived. */
export function tellSeen(seen: string, count: number): void {
  if (asks) say({ seen, count })
}

/** Opens the socket anew, as whoever is signed in now and in the present language. */
export function reopen(): void {
  if (!socket) return
  drop()
  open()
}

function open(): void {
  socket = door.socket(feedAddress())
  socket.onopen = wish
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data) as FeedMessage
    hear()
    if (message.over) return refuse()
    expectWord()
    spoken = true
    if (message.turn) asked.get(message.turn)?.(message.reply)
    wait = REOPEN_AFTER
    endPolling()
    if (!message.changed) return
    asks = message.asks === true
    $asks.set(asks)
    announce(message.changed)
  }
  socket.onclose = ({ code }) => {
    if (code === CLOSE_SESSION_OVER) refuse()
    lost()
  }
  expectWord()
}

function expectWord(): void {
  clearTimeout(timer)
  timer = setTimeout(lost, STALE_AFTER)
}

/** Lets go of the socket. On a dead line it would close only when TCP gives up: nobody waits for that. */
function drop(): void {
  clearTimeout(timer)
  timer = undefined
  spoken = asks = false
  for (const end of asked.values()) end()
  if (!socket) return
  socket.onopen = socket.onmessage = socket.onclose = null
  socket.close()
  socket = undefined
}

function lost(): void {
  missed ||= spoken
  drop()
  $asks.set(false)
  timer = setTimeout(open, wait)
  wait = Math.min(wait * 2, PACE.slowest)
  stopPolling ??= poll('normal', askChanges)
}

function close(): void {
  drop()
  $asks.set(undefined)
  endPolling()
  // Who listens next asks for everything anyway.
  revs.clear()
  missed = false
  wait = REOPEN_AFTER
}

function endPolling(): void {
  stopPolling?.()
  stopPolling = undefined
  polled = plain = false
}

/** Asks for what the socket would say. A hub without `changes` is asked for its status instead, to hear that it lives. */
async function askChanges(signal: AbortSignal): Promise<number> {
  const options = { signal, timeout: PACE.slowest }
  if (plain) return (await send(systemStatus, {}, options)).result
  const reply = await send(changes, {}, options)
  plain = reply.result === UNSUPPORTED
  missed ||= polled && reply.result !== SUCCESS
  polled = reply.result === SUCCESS
  if (polled) announce(reply.revs)
  return reply.result
}

function announce(newest: Partial<Record<Topic, number>>): void {
  const all = missed
  missed = false
  for (const [topic, rev] of Object.entries(newest)) {
    const before = revs.get(topic)
    revs.set(topic, rev)
    if (!all && rev === before) continue
    // Numbers that run backwards are those of a hub whose clock was set back.
    const known = all || (before !== undefined && rev < before) ? undefined : rev
    for (const listener of listeners.get(topic as Topic) ?? []) listener(known)
  }
}
