// The whole console in a document, connected to a hub in this process without a network.
import { STORE_UNMOUNT_DELAY } from 'nanostores'
import { createElement } from 'preact'
import type { FeedMessage, FeedSubscription, Topic } from '../../../contract/change-feed.ts'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { LANGUAGE_COOKIE } from '../../../contract/text/language.ts'
import { toLoginUser } from '../../../hub/auth/gate.ts'
import { App } from '../../../src/frame/app.tsx'
import { markUnauthorized, setTransport } from '../../../src/link/fetch-json.ts'
import { writeLoginCache } from '../../../src/state/login-cache.ts'
import { $session, startSession } from '../../../src/state/session.ts'
import { $toasts } from '../../../src/state/toasts.ts'
import { $language, setLanguage } from '../../../src/text/language.ts'
import { startTooltips } from '../../../src/ui/tooltip.ts'
import { respondAsDocumented } from '../hub/documented-calls.ts'
import type { Client, TestHub } from '../hub/hub.ts'
import { until } from '../until.ts'
import { mount, unmountAll } from './mount.ts'
import { click, fill, findByRole, waitForEffects } from './page.ts'

/** Milliseconds between heartbeats of the change feed, as in the hub. */
const HEARTBEAT = 1000

export interface Visit {
  /** The first route. */
  at?: string
  /** The signed-in user, as after a reload; `null` for none. */
  user?: string | null
  /** IP address of the browser. */
  address?: string
  /** The hub has only the calls and fields that the vendor documents, and no change feed. */
  hasDocumentedCallsOnly?: boolean
  /** The user has not seen the tour. */
  isNew?: boolean
}

export interface TestConsole {
  /** The browser with its cookies. */
  browser: Client
  /**
   * Handles requests instead of the hub, given the path with its query and the body; undefined passes a request to the
   * hub.
   */
  intercept: (path: string, body?: string) => Response | Promise<Response | undefined> | undefined
  /** Blocks all responses and feed messages of the hub. */
  disconnect(): void
  /** Keeps the heartbeats of the feed, but blocks its change messages. */
  muteFeed(): void
  /** Undoes `disconnect` and `muteFeed`. */
  reconnect(): void
  /** The path and query of the address bar. */
  currentPath(): string
}

let close = async () => {}

/** Opens the console. The test must call `closeConsole` afterwards. */
export async function openConsole(
  hub: TestHub,
  { at = '/', user = 'Admin', address, hasDocumentedCallsOnly = false, isNew = false }: Visit = {}
): Promise<TestConsole> {
  const browser = user === null ? hub.client(address) : hub.clientAs(user, address)
  const feed = openFeed(hub)
  if (hasDocumentedCallsOnly) feed.setMode('nothing')
  let connected = true
  const self: TestConsole = {
    browser,
    intercept: () => undefined,
    disconnect() {
      connected = false
      feed.setMode('nothing')
    },
    muteFeed: () => feed.setMode('heartbeats'),
    reconnect() {
      connected = true
      feed.setMode('all')
    },
    currentPath: () => location.hash.slice(1)
  }
  setTransport({
    base: '',
    relayedHub: undefined,
    cloudCalls: undefined,
    socket: feed.socket,
    async fetch(input, init = {}) {
      if (!connected) throw new TypeError('fetch failed')
      const path = String(input)
      const { method = 'GET', signal } = init
      const body = init.body as string | undefined
      // The console sends its language to the hub in a cookie.
      const cookie = `${browser.cookie}; ${LANGUAGE_COOKIE}=${$language.get()}`
      const headers = { ...(init.headers as Record<string, string>), cookie }
      const request = () => browser.raw(method, path, { body, headers })
      const response =
        (await self.intercept(path, body)) ??
        (await (hasDocumentedCallsOnly ? respondAsDocumented(method, path, request) : request()))
      signal?.throwIfAborted()
      return response
    }
  })
  const release = trackStoreTimers()
  setLanguage('en')
  history.replaceState(null, '', `#${at}`)
  if (!isNew) localStorage.setItem(`${CACHE_PREFIX}tour-${user}`, '1')
  const storedUser = user === null ? undefined : hub.parts.store.users.byName(user)
  if (storedUser) writeLoginCache(toLoginUser(storedUser))
  const tooltips = new AbortController()
  startTooltips(tooltips.signal)
  const stops = [startSession(), () => tooltips.abort(), feed.close]
  mount(createElement(App, null))
  close = async () => {
    close = async () => {}
    await unmountAll()
    markUnauthorized()
    $toasts.set([])
    for (const stop of stops) stop()
    await release()
  }
  if (user === null || hasDocumentedCallsOnly) {
    await waitForEffects()
    return self
  }
  await until(
    () => Boolean($session.get()?.['group-name']) && feed.hasSent(),
    `the session of ${user} is loaded and the feed has sent a message`
  )
  await waitForEffects()
  return self
}

/** Unmounts the console and resets its stores. */
export function closeConsole(): Promise<void> {
  return close()
}

/** Signs in on the login page that is open. */
export async function signInAs(name: string, password = name): Promise<void> {
  await fill(await findByRole('textbox', 'User name'), name)
  await fill(await findByRole('textbox', 'Password'), password)
  await click(await findByRole('button', 'Sign in'))
}

/**
 * Tracks the timers that unmount stores after their last listener has left, so that tests do not have to wait for them.
 * @returns a function that runs the pending timers at once and stops tracking
 */
function trackStoreTimers(): () => Promise<void> {
  const { setTimeout: schedule, clearTimeout } = globalThis
  const waiting = new Map<unknown, () => void>()
  function trackedSetTimeout(run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) {
    const act = () => {
      waiting.delete(timer)
      run(...values)
    }
    const timer = schedule(act, ms)
    if (ms === STORE_UNMOUNT_DELAY) waiting.set(timer, act)
    return timer
  }
  function trackedClearTimeout(timer: NodeJS.Timeout | undefined): void {
    waiting.delete(timer)
    clearTimeout(timer)
  }
  Object.assign(globalThis, { setTimeout: trackedSetTimeout, clearTimeout: trackedClearTimeout })
  return async () => {
    // Unmounting a store can start the timer of a store that it listened to.
    for (let turn = 0; turn < 3; turn++) {
      for (const [timer, act] of [...waiting]) {
        clearTimeout(timer as NodeJS.Timeout)
        act()
      }
      await new Promise((resolve) => schedule(resolve))
    }
    Object.assign(globalThis, { setTimeout: schedule, clearTimeout })
  }
}

/** The change feed without a network socket: reports changes in the hub soon after they happen. */
function openFeed({ parts: { store } }: TestHub) {
  const open = new Set<WebSocket>()
  let mode: 'all' | 'heartbeats' | 'nothing' = 'all'
  let subscribed: readonly Topic[] = []
  const pending = new Set<Topic>()
  let hasSent = false

  function sendMessage(message: FeedMessage): void {
    if (mode === 'nothing') return
    for (const socket of open) socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent)
  }
  function sendChanges(): void {
    if (mode !== 'all' || pending.size === 0) return
    const revs = store.changes.revs()
    const changed = Object.fromEntries([...pending].map((topic) => [topic, revs[topic]]))
    pending.clear()
    hasSent = true
    sendMessage({ changed })
  }
  function scheduleChanges(topics: readonly Topic[]): void {
    for (const topic of topics) if (subscribed.includes(topic)) pending.add(topic)
  }
  const stop = store.changes.subscribe((topic) => scheduleChanges([topic]))
  const changes = setInterval(sendChanges, 10)
  const heartbeat = setInterval(sendMessage, HEARTBEAT, {})
  return {
    socket(): WebSocket {
      const socket = {
        readyState: 0,
        send(text: string) {
          subscribed = (JSON.parse(text) as FeedSubscription).topics
          scheduleChanges(subscribed)
        },
        close: () => void open.delete(socket)
      } as unknown as WebSocket & { readyState: number }
      queueMicrotask(() => {
        if (mode === 'nothing') return socket.onclose?.({ code: 1006 } as CloseEvent)
        open.add(socket)
        socket.readyState = 1
        socket.onopen?.({} as Event)
      })
      return socket
    },
    hasSent: () => hasSent,
    setMode(how: typeof mode) {
      mode = how
      if (how === 'all') sendChanges()
    },
    close() {
      stop()
      clearInterval(heartbeat)
      clearInterval(changes)
    }
  }
}
