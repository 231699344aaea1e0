// Registers the hub with a cloud: dials it over a cloud link (contract/cloud/link.ts), and keeps the state that the
// cloud decides. Requests that the cloud relays are answered by `hub/cloud-relay/`.
import type { KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import type { CloudFault } from '../../contract/cloud-registration.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../contract/device/link.ts'
import { withoutBrackets } from '../../contract/ipv6.ts'
import { LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import { DeviceLink, type LinkState, NO_LINK_ERROR } from '../../device-link/dial.ts'
import { collectBody } from '../../device-link/read-body.ts'
import { Emitter } from '../emitter.ts'
import { lookUpServer } from '../machine/server-address.ts'
import type { Store } from '../store/store.ts'
import { type CloudOption, CloudSettings, parseCloudOption } from './cloud-settings.ts'

/** Maximum bytes of a request of the cloud. */
const REQUEST_MAX = 1024
/** Requests and connections that the cloud may have at a time. */
const REQUESTS_MAX = 256
/** Maximum characters of the name in a hello. */
const NAME_MAX = 64

const { registering, accepted, pending } = REGISTRATION_STATE
const STATES: readonly unknown[] = [...Object.values(REGISTRATION_STATE), ...Object.values(REFUSAL_STATE)]

interface CloudLinkOptions {
  store: Store
  version: string
  /** Name of the hub. */
  name: () => string
}

/** By what relayed requests are checked. */
export interface RelayIdentity {
  /** Key of the cloud; undefined: none is pinned. */
  publicKey: KeyObject | undefined
  sn: string
  organisation: string
}

/** Handles one stream of a link. @returns false if it is none of its own */
export type StreamHandler = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[]
) => boolean

/** State of the registration and of its link, as this hub observes them. */
export interface ObservedRegistration {
  state: number
  /** When the state began, on the clock of `performance.now()`. */
  since: number
  isUp: boolean
  /** Why the last attempt to connect failed; undefined if the cloud answered. */
  fault?: CloudFault | undefined
}

export class CloudLink {
  readonly settings: CloudSettings
  /** The hub does not work with the cloud that it worked with before, or gives it another role. */
  readonly changed = new Emitter()
  readonly #options: CloudLinkOptions
  #handlerForLink: (() => StreamHandler) | undefined
  #link: DeviceLink | undefined
  #observed: ObservedRegistration | undefined
  /** The last state and fault in the log. */
  #logged: { state?: number; fault?: CloudFault | undefined } = {}

  constructor(options: CloudLinkOptions) {
    this.#options = options
    this.settings = new CloudSettings(options.store)
  }

  /** Undefined while it is off. */
  get observed(): Readonly<ObservedRegistration> | undefined {
    return this.#observed
  }

  /** By what relayed requests are checked; undefined unless the hub is accepted: nothing is relayed. */
  relayIdentity(): RelayIdentity | undefined {
    if (this.#observed?.state !== accepted) return undefined
    const { settings } = this
    return { publicKey: settings.cloudKey(), sn: settings.serial, organisation: settings.stored.organisation }
  }

  get isOnline(): boolean {
    return this.#observed?.isUp === true && this.#observed.state === accepted
  }

  /**
   * Connects if the settings say so.
   * @param option replaces the settings. @throws Error if it is not valid
   */
  start(option: CloudOption | undefined): void {
    if (option) {
      const request = parseCloudOption(option)
      if (this.settings.needsInvitation(request)) throw new Error('CLOUD needs the INVITATION of the cloud')
      this.#options.store.database.transaction(() => this.settings.set(request))
    }
    this.apply()
  }

  /** Sets what answers the streams of each link other than its registration state. */
  answerStreams(handlerForLink: () => StreamHandler): void {
    this.#handlerForLink = handlerForLink
  }

  /** Closes the link, and connects again if the settings say so. */
  apply(): void {
    this.close()
    this.changed.emit()
    this.#observed = undefined
    this.#logged = {}
    const { enable, host, port, organisation } = this.settings.stored
    if (enable) {
      this.#observed = { state: registering, since: performance.now(), isUp: false }
      const secrets = this.settings.secrets()
      if (secrets) this.#dial(host, port, { organisation, sn: this.settings.serial, ...secrets })
      else this.#observe({ fault: 'secrets' })
    }
    this.#markChanged()
  }

  close(): void {
    const link = this.#link
    this.#link = undefined
    link?.stop()
  }

  #dial(host: string, port: number, identity: Omit<HubHello, 'name' | 'version'>): void {
    const { name, version } = this.#options
    // Callbacks of a link that was closed are ignored.
    const isCurrent = () => this.#link === link
    const link = new DeviceLink({
      host: withoutBrackets(host),
      port,
      lookup: lookUpServer,
      helloHeader: HUB_HELLO_HEADER,
      hello: (): HubHello => ({ ...identity, name: [...name()].slice(0, NAME_MAX).join(''), version }),
      onSession: (session) =>
        answerRequests(session, this.#handlerForLink?.(), (state) => isCurrent() && link.setRegistration(state)),
      onStateChange: (state, registration) => isCurrent() && this.#stateChanged(state, registration),
      onAttemptEnd: (error) => isCurrent() && this.#observe({ fault: error && faultOf(error) })
    })
    this.#link = link
    link.dial()
  }

  #stateChanged(link: LinkState, registration: number | undefined): void {
    const state = STATES.includes(registration) ? (registration as number) : registering
    // A hub that was refused stays so until the next attempt is answered.
    const isAskingAgain = link === 'refused' && state === registering
    this.#observe({ isUp: link === 'up', ...(!isAskingAgain && { state }) })
  }

  #observe(change: Partial<Omit<ObservedRegistration, 'since'>>): void {
    const before = this.#observed
    if (!before) return
    const isNewState = change.state !== undefined && change.state !== before.state
    const after = { ...before, ...change, ...(isNewState && { since: performance.now() }) }
    this.#observed = after
    if (!isNewState && after.isUp === before.isUp && after.fault === before.fault) return
    this.#log(after)
    this.#markChanged()
  }

  /** Logs each state once, and each fault once until the cloud answers. */
  #log({ state, fault }: ObservedRegistration): void {
    const { logEvent } = this.#options.store
    const { host } = this.settings.stored
    if (state !== registering && state !== this.#logged.state) {
      this.#logged.state = state
      const level = state === accepted || state === pending ? LOG_INFO : LOG_WARNING
      logEvent({ event: 'cloud-state', detail: `${host} ${state}`, level })
    }
    if (fault === this.#logged.fault) return
    if (fault) logEvent({ event: 'cloud-unreachable', detail: `${host} ${fault}`, level: LOG_WARNING })
    else logEvent({ event: 'cloud-reached', detail: host })
    this.#logged.fault = fault
  }

  #markChanged(): void {
    this.#options.store.changes.markChanged('status')
  }
}

/** Answers the requests of the cloud. */
function answerRequests(
  session: ServerHttp2Session,
  handleStream: StreamHandler | undefined,
  onState: (state: number) => void
): void {
  session.settings({ maxConcurrentStreams: REQUESTS_MAX })
  session.on('stream', (stream, headers, _flags, rawHeaders) => {
    const { ':method': method, ':path': path } = headers
    stream.on('error', () => {})
    if (method === 'POST' && path === '/link/state') readState(stream, onState)
    else if (!handleStream?.(stream, headers, rawHeaders)) endWith(stream.resume(), 404)
  })
}

function readState(stream: ServerHttp2Stream, onState: (state: number) => void): void {
  const body = collectBody(stream, REQUEST_MAX, () => endWith(stream, 413))
  stream.on('end', () => {
    if (stream.headersSent) return
    const state = parseState(body())
    // Answered first: the new state may close the link.
    endWith(stream, state === undefined ? 400 : 204)
    if (state !== undefined) onState(state)
  })
}

function endWith(stream: ServerHttp2Stream, status: number): void {
  if (!stream.headersSent && !stream.destroyed) stream.respond({ ':status': status }, { endStream: true })
}

function parseState(body: Buffer): number | undefined {
  try {
    const { state } = JSON.parse(body.toString())
    return Object.values(REGISTRATION_STATE).includes(state) ? state : undefined
  } catch {
    return undefined
  }
}

const FAULTS: Readonly<Record<string, CloudFault>> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  ENODATA: 'name',
  'forbidden-address': 'forbidden-address',
  [NO_LINK_ERROR]: 'no-cloud'
}

function faultOf(error: NodeJS.ErrnoException): CloudFault {
  const { code = '' } = error
  // The server does not speak HTTP.
  if (code.startsWith('HPE_')) return 'no-cloud'
  return FAULTS[code] ?? 'unreachable'
}
