// The dialling end of a device link (contract/device/link.ts) or cloud link (contract/cloud/link.ts): connects, and
// reconnects when the link is lost. A device dials a hub, and a hub the cloud.
import { performServerHandshake, type ServerHttp2Session } from 'node:http2'
import type { LookupFunction, Socket } from 'node:net'
import { REGISTRATION_STATE } from '../contract/device/device.ts'
import { LINK_PROTOCOL, STATE_HEADER } from '../contract/device/link.ts'
import { afterWrites } from './after-writes.ts'
import { acquireDialSlot } from './dial-slots.ts'
import { DialledConnection } from './dialled-connection.ts'
import { SESSION_MEMORY } from './link.ts'
import type { LinkTls, TlsSession } from './link-tls.ts'

/** Milliseconds until the next attempt: the first delay, the longest, and the delay after a refusal. */
const RETRY_DELAY = { first: 500, longest: 5000, refusal: 30_000 } as const
/** Milliseconds without an answer after which an attempt ends. */
const DIAL_TIMEOUT = 5000
/** Milliseconds between pings, and to wait for a response. */
const PING_INTERVAL = 5000
const PING_TIMEOUT = 10_000
/** Maximum length in characters of the body of a refusal. */
const REFUSAL_MAX = 1024
/** Code of the error if the server answered, but neither with a link nor with a registration state. */
export const NO_LINK_ERROR = 'no-link'
/** Code of the error if the server accepts links over TLS only. */
export const TLS_REQUIRED_ERROR = 'tls-required'

/** `away`: the hub deleted the device, so it does not connect until it is started again. */
export type LinkState = 'dialling' | 'up' | 'refused' | 'away' | 'stopped'

export interface LinkOptions {
  /** The address of the server for the next attempt. */
  chooseAddress(): { host: string; port: number }
  /** Connects over TLS, and verifies the hub. */
  tls?: LinkTls | undefined
  /** Address from which it connects; undefined = chosen by the system. */
  localAddress?: string | undefined
  /** Looks up `host` if it is a name; by default the system does. */
  lookup?: LookupFunction | undefined
  /** Milliseconds without an answer after which an attempt ends; 5000 by default. */
  timeout?: number
  /** Verifies the server over the connection before the hello is sent. @throws to end the attempt */
  verify?(connection: DialledConnection): Promise<void>
  /** Name of the header with the hello. */
  helloHeader: string
  /** Called for each attempt, because the name may have changed. */
  hello(): object
  /** The link is up. The hub sends its requests on this session. */
  onSession(session: ServerHttp2Session): void
  onStateChange(state: LinkState, registration: number | undefined): void
  /** @param error undefined: the server has answered with a registration state */
  onAttemptEnd?(error: NodeJS.ErrnoException | undefined): void
}

/** A connection attempt or a link. Callbacks of a connection that is not the current one are ignored. */
interface Connection {
  close(): void
}

export class DeviceLink {
  readonly #options: LinkOptions
  #state: LinkState = 'stopped'
  #registration: number | undefined
  #current: Connection | undefined
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  /** Session of the last connection over TLS, and the server with which it was. */
  #session: { server: string; session: TlsSession } | undefined

  constructor(options: LinkOptions) {
    this.#options = options
  }

  get state(): LinkState {
    return this.#state
  }

  /** Registration state that the hub sent last. */
  get registration(): number | undefined {
    return this.#registration
  }

  /** Connects at once. */
  dial(): void {
    this.#failures = 0
    this.#state = 'dialling'
    this.#connect()
  }

  /** Closes the link and reconnects after a delay. */
  reconnectAfter(milliseconds: number): void {
    this.#disconnect()
    this.#failures = 0
    this.#setState('dialling')
    this.#scheduleDial(milliseconds)
  }

  /** Stores a registration state that the hub sent over the link. */
  setRegistration(registration: number): void {
    this.#registration = registration
    this.#options.onStateChange(this.#state, registration)
  }

  stop(): void {
    this.#disconnect()
    this.#setState('stopped')
  }

  #setState(state: LinkState): void {
    this.#state = state
    this.#options.onStateChange(state, this.#registration)
  }

  #scheduleDial(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#connect(), milliseconds)
  }

  #disconnect(): void {
    clearTimeout(this.#timer)
    const connection = this.#current
    this.#current = undefined
    connection?.close()
  }

  #connect(): void {
    this.#disconnect()
    if (this.#state !== 'refused') this.#setState('dialling')
    const connection: Connection = { close: () => stopWaiting() }
    this.#current = connection
    const stopWaiting = acquireDialSlot((release) => void this.#attempt(connection, release))
  }

  /** @param release releases the dial slot: after the hub has responded, or the attempt has failed */
  async #attempt(connection: Connection, release: () => void): Promise<void> {
    const { chooseAddress, localAddress, lookup, tls, timeout = DIAL_TIMEOUT, verify } = this.#options
    const { host, port } = chooseAddress()
    const server = `${host} ${port}`
    const dialled = new DialledConnection({
      target: { host, port, localAddress, lookup },
      ...{ tls, timeout, session: this.#session?.server === server ? this.#session.session : undefined },
      onSession: (session) => {
        this.#session = { server, session }
      }
    })
    connection.close = () => dialled.destroy()
    // A device that was accepted stays so while it connects again.
    if (this.#registration !== REGISTRATION_STATE.accepted) this.setRegistration(REGISTRATION_STATE.registering)
    try {
      await verify?.(dialled)
    } catch (error) {
      release()
      dialled.destroy()
      this.#handleFailure(connection, error as Error)
      return
    }
    if (this.#current !== connection) return release()
    this.#sendHello(dialled, connection, release)
  }

  #handleFailure(connection: Connection, error: Error): void {
    // The server may have another certificate than that of the session.
    this.#session = undefined
    if (this.#current !== connection) return
    this.#options.onAttemptEnd?.(error)
    this.#retry()
  }

  #sendHello(dialled: DialledConnection, connection: Connection, release: () => void): void {
    const { helloHeader, hello } = this.#options
    const header = Buffer.from(JSON.stringify(hello())).toString('base64url')
    const headers = { connection: 'Upgrade', upgrade: LINK_PROTOCOL, [helloHeader]: header }
    const dialling = dialled.request({ path: '/link', headers })
    let isUpgraded = false
    dialling.on('close', () => isUpgraded || release())
    dialling.on('upgrade', (response, socket, head) => {
      isUpgraded = true
      if (this.#current !== connection) {
        release()
        return void socket.destroy()
      }
      this.#registration = Number(response.headers[STATE_HEADER])
      if (head.length > 0) socket.unshift(head)
      afterWrites(socket, () => {
        if (this.#current === connection && !socket.destroyed)
          return this.#openSession(connection, socket as Socket, release)
        release()
        socket.destroy()
        this.#handleFailure(connection, new Error('the connection was closed'))
      })
    })
    dialling.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text = (text + part).slice(0, REFUSAL_MAX)
      })
      response.on('close', () => {
        if (this.#current !== connection) return
        const state = readState(text)
        const error = response.statusCode === 426 ? tlsRequiredError() : noLinkError()
        this.#options.onAttemptEnd?.(state === undefined ? error : undefined)
        dialled.destroy()
        if (response.statusCode === 403 && state !== undefined) this.#handleRefusal(state)
        else this.#retry()
      })
      response.on('error', () => {})
    })
    dialling.on('error', (error) => this.#handleFailure(connection, error))
    dialling.end()
  }

  #openSession(connection: Connection, socket: Socket, release: () => void): void {
    socket.setTimeout(0)
    socket.setNoDelay(true)
    const session = performServerHandshake(socket, { maxSessionMemory: SESSION_MEMORY })
    // Destroying the session alone waits for pending writes: only both together end the connection at once.
    const close = () => {
      session.destroy()
      socket.destroy()
    }
    connection.close = close
    session.on('error', () => {})
    // The hub ends the link. The session would wait for open streams to end, but previews never end.
    session.on('goaway', close)
    socket.on('error', () => {})
    const pingTimer = startPings(session, close)
    session.once('remoteSettings', () => {
      this.#failures = 0
      release()
    })
    socket.on('close', () => {
      release()
      clearInterval(pingTimer)
      session.destroy()
      if (this.#current === connection) this.#handleClose()
    })
    this.#options.onSession(session)
    this.#options.onAttemptEnd?.(undefined)
    this.#setState('up')
  }

  #handleClose(): void {
    this.#current = undefined
    const registration = this.#registration
    // The hub closes the link of a device that was rejected or deleted.
    if (registration === REGISTRATION_STATE.rejected || registration === REGISTRATION_STATE.deleted)
      this.#handleRefusal(registration)
    else this.#retry()
  }

  #retry(): void {
    const delay = Math.min(RETRY_DELAY.longest, RETRY_DELAY.first * 2 ** this.#failures++)
    this.#setState('dialling')
    // Varied, so that not all devices connect at the same time when the hub restarts.
    this.#scheduleDial(delay * (0.75 + Math.random() * 0.5))
  }

  #handleRefusal(registration: number): void {
    this.#registration = registration
    if (registration === REGISTRATION_STATE.deleted) {
      this.#setState('away')
      return
    }
    this.#setState('refused')
    this.#scheduleDial(RETRY_DELAY.refusal)
  }
}

/** Pings the hub, and calls `onTimeout` if it stops responding. */
function startPings(session: ServerHttp2Session, onTimeout: () => void): NodeJS.Timeout {
  let lastResponseAt = Date.now()
  return setInterval(() => {
    if (session.destroyed) return
    if (Date.now() - lastResponseAt > PING_TIMEOUT + PING_INTERVAL) return onTimeout()
    session.ping(() => {
      lastResponseAt = Date.now()
    })
  }, PING_INTERVAL)
}

const noLinkError = () => Object.assign(new Error('the server has no links'), { code: NO_LINK_ERROR })
const tlsRequiredError = () => Object.assign(new Error('the server demands TLS'), { code: TLS_REQUIRED_ERROR })

function readState(text: string): number | undefined {
  try {
    const { state } = JSON.parse(text)
    return typeof state === 'number' ? state : undefined
  } catch {
    return undefined
  }
}
