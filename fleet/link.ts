// The device's end of the link (contract/device/link.ts): dials the hub, and dials again when the link is gone.
import { request } from 'node:http'
import { performServerHandshake, type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { REGISTRATION } from '../contract/device/device.ts'
import { type DeviceHello, HELLO_HEADER, LINK_PROTOCOL, STATE_HEADER } from '../contract/device/link.ts'
import { takeTurn } from './dialling.ts'

/** Milliseconds between attempts: first, longest, and after the hub said no. */
const WAIT = { first: 500, longest: 5000, refused: 30_000 } as const
/** Milliseconds for an attempt. */
const DIAL_TIMEOUT = 5000
/** Milliseconds between questions whether the hub is still there, and for its answer. */
const PING_EVERY = 5000
const PING_TIMEOUT = 10_000

/** `away`: told that it is deleted, so it stays away until started again. */
export type LinkState = 'dialling' | 'up' | 'refused' | 'away' | 'stopped'

export interface LinkOptions {
  host: string
  port: number
  /** Asked at each attempt: the name may have changed. */
  hello(): DeviceHello
  /** The link is up: what the hub asks comes on this session. */
  serve(session: ServerHttp2Session): void
  changed(state: LinkState, registration: number | undefined): void
}

export interface Link {
  readonly state: LinkState
  /** What the hub said last. */
  readonly registration: number | undefined
  /** Dials now, whatever it waited for. */
  dial(): void
  /** Closes the link and dials again after so many milliseconds. */
  drop(milliseconds: number): void
  /** The hub told its decision. */
  told(registration: number): void
  stop(): void
}

export function createLink({ host, port, hello, serve, changed }: LinkOptions): Link {
  let state: LinkState = 'stopped'
  let registration: number | undefined
  /** Ends the attempt or the link under way. */
  let cut: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  // Answers of attempts and links that are over no longer count.
  let generation = 0

  function become(next: LinkState): void {
    state = next
    changed(state, registration)
  }

  function again(milliseconds: number): void {
    clearTimeout(timer)
    timer = setTimeout(dial, milliseconds)
  }

  function retry(): void {
    const wait = Math.min(WAIT.longest, WAIT.first * 2 ** failures++)
    become('dialling')
    // Spread, so that a fleet does not come all at once when the hub is back.
    again(wait * (0.75 + Math.random() * 0.5))
  }

  function refused(said: number): void {
    registration = said
    if (said === REGISTRATION.deleted) {
      become('away')
      return
    }
    become('refused')
    again(WAIT.refused)
  }

  function hangUp(): void {
    generation++
    clearTimeout(timer)
    cut?.()
    cut = undefined
  }

  function dial(): void {
    hangUp()
    const mine = generation
    if (state !== 'refused') become('dialling')
    const giveUp = takeTurn((done) => attempt(() => mine === generation, done))
    cut ??= giveUp
  }

  /** @param done ends its turn: the hub has answered, or does not */
  function attempt(current: () => boolean, done: () => void): void {
    const head = Buffer.from(JSON.stringify(hello())).toString('base64url')
    const asking = request({
      ...{ host, port, path: '/link', agent: false, timeout: DIAL_TIMEOUT },
      headers: { connection: 'Upgrade', upgrade: LINK_PROTOCOL, [HELLO_HEADER]: head }
    })
    cut = () => asking.destroy()
    let isLink = false
    asking.on('close', () => isLink || done())
    asking.on('upgrade', (response, upgraded, early) => {
      isLink = true
      if (!current()) {
        done()
        return void upgraded.destroy()
      }
      registration = Number(response.headers[STATE_HEADER])
      if (early.length > 0) upgraded.unshift(early)
      connected(upgraded as Socket, current, done)
    })
    asking.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text = (text + part).slice(0, 1024)
      })
      response.on('close', () => {
        if (!current()) return
        const said = response.statusCode === 403 ? stateIn(text) : undefined
        if (said === undefined) retry()
        else refused(said)
      })
      response.on('error', () => {})
    })
    asking.on('timeout', () => asking.destroy(new Error('timeout')))
    asking.on('error', () => current() && retry())
    asking.end()
  }

  function connected(upgraded: Socket, current: () => boolean, done: () => void): void {
    upgraded.setTimeout(0)
    upgraded.setNoDelay(true)
    const session = performServerHandshake(upgraded)
    // The session owns the socket's reading and writing: only both together end it at once.
    const end = () => {
      session.destroy()
      upgraded.destroy()
    }
    cut = end
    session.on('error', () => {})
    // The hub takes its leave. The session alone would wait for pictures under way to end, which they never do.
    session.on('goaway', end)
    upgraded.on('error', () => {})
    let answered = Date.now()
    const watch = setInterval(() => {
      if (session.destroyed) return
      if (Date.now() - answered > PING_TIMEOUT + PING_EVERY) return end()
      session.ping(() => {
        answered = Date.now()
      })
    }, PING_EVERY)
    session.once('remoteSettings', () => {
      failures = 0
      done()
    })
    upgraded.on('close', () => {
      done()
      clearInterval(watch)
      session.destroy()
      if (!current()) return
      cut = undefined
      // The hub closes the link of a device that it rejected or deleted.
      if (registration === REGISTRATION.rejected || registration === REGISTRATION.deleted) refused(registration)
      else retry()
    })
    serve(session)
    become('up')
  }

  return {
    get state() {
      return state
    },
    get registration() {
      return registration
    },
    dial() {
      failures = 0
      state = 'dialling'
      dial()
    },
    drop(milliseconds) {
      hangUp()
      failures = 0
      become('dialling')
      again(milliseconds)
    },
    told(said) {
      registration = said
      changed(state, registration)
    },
    stop() {
      hangUp()
      become('stopped')
    }
  }
}

function stateIn(text: string): number | undefined {
  try {
    const { state } = JSON.parse(text)
    return typeof state === 'number' ? state : undefined
  } catch {
    return undefined
  }
}
