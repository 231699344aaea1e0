// The change feed (contract/feed.ts): hears which topics changed, over a WebSocket where one can be had, else by polling.
import { SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { CLOSE_SESSION_OVER, changes, type FeedMessage, type FeedWish, type Topic } from '../../contract/feed.ts'
import { PACE, STALE_AFTER } from '../../contract/limits.ts'
import { systemStatus } from '../../contract/system.ts'
import { door, hear, refuse } from './exchange.ts'
import { poll } from './pace.ts'
import { feedAddress } from './relay.ts'
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

function wish(): void {
  if (socket?.readyState === 1) socket.send(JSON.stringify({ topics: [...listeners.keys()] } satisfies FeedWish))
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
    wait = REOPEN_AFTER
    endPolling()
    if (message.changed) announce(message.changed)
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
  spoken = false
  if (!socket) return
  socket.onopen = socket.onmessage = socket.onclose = null
  socket.close()
  socket = undefined
}

function lost(): void {
  missed ||= spoken
  drop()
  timer = setTimeout(open, wait)
  wait = Math.min(wait * 2, PACE.slowest)
  stopPolling ??= poll('normal', ask)
}

function close(): void {
  drop()
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
async function ask(signal: AbortSignal): Promise<number> {
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
