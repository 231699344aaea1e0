// The whole console on a page, over a hub in process: what a browser would have, but for the wire between.
import { STORE_UNMOUNT_DELAY } from 'nanostores'
import { createElement } from 'preact'
import type { FeedMessage, FeedSubscription, Topic } from '../../contract/change-feed.ts'
import { LANGUAGE_COOKIE } from '../../contract/language.ts'
import { toLoginUser } from '../../hub/auth/gate.ts'
import { App } from '../../src/frame/app.tsx'
import { markUnauthorized, setTransport } from '../../src/link/fetch-json.ts'
import { writeLoginCache } from '../../src/state/login-cache.ts'
import { $session, startSession } from '../../src/state/session.ts'
import { $toasts } from '../../src/state/toasts.ts'
import { $language, setLanguage } from '../../src/text/language.ts'
import { startTooltips } from '../../src/ui/tooltip.ts'
import type { Client, TestHub } from './hub.ts'
import { mount, unmountAll } from './mount.ts'
import { click, fill, one, settled } from './page.ts'
import { until } from './until.ts'

/** Milliseconds between words of the feed, as the hub has it. */
const HEARTBEAT = 1000

export interface Visit {
  /** The link to begin at. */
  at?: string
  /** Who is signed in, as after a reload; `null` for nobody. */
  user?: string | null
  /** Where the browser is: another machine unless it is this one. */
  address?: string
}

export interface TestConsole {
  /** The browser, with the cookies that the hub gave it. */
  browser: Client
  /** Answers in the place of the hub, by path and query, and by what was sent; undefined lets the hub answer. */
  instead: (path: string, body?: string) => Response | Promise<Response | undefined> | undefined
  /** Nothing comes from the hub any more, neither answers nor words of its feed. */
  cut(): void
  /** The feed goes on, but says no more what changed. */
  hush(): void
  /** All as it was. */
  mend(): void
  /** The path and query of the address bar. */
  place(): string
}

let close = async () => {}

/** Opens the console. `closeConsole` has to follow. */
export async function openConsole(
  hub: TestHub,
  { at = '/', user = 'Admin', address }: Visit = {}
): Promise<TestConsole> {
  const browser = user === null ? hub.client(address) : hub.enter(user, address)
  const feed = openFeed(hub)
  let whole = true
  const self: TestConsole = {
    browser,
    instead: () => undefined,
    cut() {
      whole = false
      feed.speaks('nothing')
    },
    hush: () => feed.speaks('nothing new'),
    mend() {
      whole = true
      feed.speaks('all')
    },
    place: () => location.hash.slice(1)
  }
  setTransport({
    base: '',
    relayedHub: undefined,
    socket: feed.socket,
    async fetch(input, init = {}) {
      if (!whole) throw new TypeError('fetch failed')
      const path = String(input)
      const { method = 'GET', signal } = init
      const body = init.body as string | undefined
      // The hub knows the language by the console's own cookie.
      const cookie = `${browser.cookie}; ${LANGUAGE_COOKIE}=${$language.get()}`
      const headers = { ...(init.headers as Record<string, string>), cookie }
      const response = (await self.instead(path, body)) ?? (await browser.raw(method, path, { body, headers }))
      signal?.throwIfAborted()
      return response
    }
  })
  const release = noteReleases()
  setLanguage('en')
  history.replaceState(null, '', `#${at}`)
  const known = user === null ? undefined : hub.context.store.users.byName(user)
  if (known) writeLoginCache(toLoginUser(known))
  const tips = new AbortController()
  startTooltips(tips.signal)
  const stops = [startSession(), () => tips.abort(), feed.close]
  mount(createElement(App, null))
  close = async () => {
    close = async () => {}
    await unmountAll()
    markUnauthorized()
    $toasts.set([])
    for (const stop of stops) stop()
    await release()
  }
  if (user === null) {
    await settled()
    return self
  }
  await until(
    () => Boolean($session.get()?.['group-name']) && feed.spoke(),
    `the hub knows ${user}, and the feed speaks`
  )
  await settled()
  return self
}

/** Takes the console off the page, and forgets what it knew. */
export function closeConsole(): Promise<void> {
  return close()
}

/** Signs in by the login page, which is there. */
export async function signInAs(name: string, password = name): Promise<void> {
  await fill(await one('textbox', 'User name'), name)
  await fill(await one('textbox', 'Password'), password)
  await click(await one('button', 'Sign in'))
}

/**
 * Notes what waits for as long as a store stays awake after its last listener, so that a test need not.
 * @returns does now what still waits, and notes no more
 */
function noteReleases(): () => Promise<void> {
  const { setTimeout, clearTimeout } = globalThis
  const waiting = new Map<unknown, () => void>()
  function noted(run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) {
    const act = () => {
      waiting.delete(timer)
      run(...values)
    }
    const timer = setTimeout(act, ms)
    if (ms === STORE_UNMOUNT_DELAY) waiting.set(timer, act)
    return timer
  }
  function cleared(timer: NodeJS.Timeout | undefined): void {
    waiting.delete(timer)
    clearTimeout(timer)
  }
  Object.assign(globalThis, { setTimeout: noted, clearTimeout: cleared })
  return async () => {
    // Stores that were kept awake by others follow those.
    for (let turn = 0; turn < 3; turn++) {
      for (const [timer, act] of [...waiting]) {
        clearTimeout(timer as NodeJS.Timeout)
        act()
      }
      await new Promise((resolve) => setTimeout(resolve))
    }
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}

/** The change feed without the socket: says what changed in the hub soon after it did. */
function openFeed({ context: { store } }: TestHub) {
  const open = new Set<WebSocket>()
  let manner: 'all' | 'nothing new' | 'nothing' = 'all'
  let wished: readonly Topic[] = []
  const due = new Set<Topic>()
  let soon: ReturnType<typeof setTimeout> | undefined
  let spoke = false

  function say(message: FeedMessage): void {
    if (manner === 'nothing') return
    for (const socket of open) socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent)
  }
  function speak(): void {
    soon = undefined
    if (manner !== 'all' || due.size === 0) return
    const revs = store.changes.revs()
    const changed = Object.fromEntries([...due].map((topic) => [topic, revs[topic]]))
    due.clear()
    spoke = true
    say({ changed })
  }
  function hurry(topics: readonly Topic[]): void {
    for (const topic of topics) if (wished.includes(topic)) due.add(topic)
    soon ??= setTimeout(speak, 10)
  }
  const stop = store.changes.subscribe((topic) => hurry([topic]))
  const heart = setInterval(say, HEARTBEAT, {})
  return {
    socket(): WebSocket {
      const socket = {
        readyState: 0,
        send(text: string) {
          wished = (JSON.parse(text) as FeedSubscription).topics
          hurry(wished)
        },
        close: () => void open.delete(socket)
      } as unknown as WebSocket & { readyState: number }
      queueMicrotask(() => {
        if (manner === 'nothing') return socket.onclose?.({ code: 1006 } as CloseEvent)
        open.add(socket)
        socket.readyState = 1
        socket.onopen?.({} as Event)
      })
      return socket
    },
    spoke: () => spoke,
    speaks(how: typeof manner) {
      manner = how
      if (how === 'all') speak()
    },
    close() {
      stop()
      clearInterval(heart)
      clearTimeout(soon)
    }
  }
}
