// An input that is fetched from a URL, or that a sender pushes to a port of the engine.
import { CONNECTION_STATE, HTTP } from '../../contract/stream/protocols.ts'
import { sourceHost } from '../../contract/stream/stream-hosts.ts'
import { interfaceFault, multicastInterface } from '../access/address-policy.ts'
import { listenAddress } from '../access/listen-address.ts'
import type { WantedInput } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Launch, Process, Verification } from '../interfaces/launcher.ts'
import type { HostLookup } from '../interfaces/leg-parts.ts'
import type { InputCommand } from '../interfaces/legs.ts'
import type { Relay } from '../interfaces/relay.ts'
import { failure, systemFailure } from '../process/failure.ts'
import { verificationOf } from '../process/verification.ts'
import { runIntoRelay } from '../relay/relay-address.ts'
import { bestVariant } from './hls-variants.ts'
import { HttpProxy } from './http-proxy.ts'
import { type HttpStream, openHttpStream } from './http-stream.ts'
import { buildInputCommand, type Route } from './input-command.ts'
import type { Origin } from './origin.ts'
import { SrtListener, type SrtListenerParts } from './srt-listener.ts'

export type UrlOriginParts = SrtListenerParts & HostLookup

type UrlInput = Extract<WantedInput, { kind: 'url' }>

/** The host of a URL of which the engine listens, at all addresses of IPv6 and IPv4. */
const ANY_HOST = '0.0.0.0'

const NO_COMMAND: InputCommand = { args: [], secrets: [], isListener: false, isConnectionless: false }

export class UrlOrigin implements Origin {
  readonly isDevice = false
  readonly #input: UrlInput
  readonly #context: UrlOriginParts
  readonly #proxy: HttpProxy | undefined
  readonly #listener: SrtListener | undefined
  /** An endless MPEG-TS over HTTP, for which ffmpeg is not needed. */
  #stream: HttpStream | undefined
  /** Text of the HLS playlist that the server has last sent. */
  #playlist: string | undefined
  /** Whether the server sends faster than in real time, so that ffmpeg must read it. */
  #isPaced = false
  #isReleased = false

  constructor(input: UrlInput, context: UrlOriginParts) {
    this.#input = input
    this.#context = context
    const { protocol, srt } = input.url
    if (protocol === HTTP) this.#proxy = new HttpProxy(context.resolveHost)
    if (srt?.mode === 'listener') this.#listener = new SrtListener(context)
  }

  changePushSettings(): boolean {
    return false
  }

  isAvailable(): boolean {
    return true
  }

  async command(): Promise<InputCommand> {
    const stream = await this.#openStream()
    if (stream) {
      const ended = failure(CONNECTION_STATE.disconnected, 'other-end')
      return { ...NO_COMMAND, formatChanged: () => stream.isTooFast(), failure: () => ended }
    }
    const command = buildInputCommand(this.#input.url, await this.#findRoute(), this.#verification())
    const [proxy, listener] = [this.#proxy, this.#listener]
    const { host, group } = this.#input.url
    const iface = group?.iface
    if (iface && command.datagrams) return { ...command, machineFault: () => findInterfaceFailure(iface, host) }
    // ffmpeg tries the segments of a live playlist again and again.
    if (proxy) return { ...command, failure: () => proxy.takeFailure(), problem: () => proxy.failure() }
    return listener ? { ...command, failure: () => listener.failure() } : command
  }

  async run(launch: Launch, relay: Relay): Promise<Process> {
    if (this.#stream) return this.#stream.run(launch, relay)
    const { url } = this.#input
    return this.#listener
      ? this.#listener.run(url.host === ANY_HOST ? { ...url, host: listenAddress('::') } : url, launch, relay)
      : runIntoRelay(this.#context.launcher, launch, relay)
  }

  async onStarted(): Promise<void> {}

  async release(): Promise<void> {
    this.#isReleased = true
    this.#proxy?.close()
    this.#stream?.close()
  }

  async #openStream(): Promise<HttpStream | undefined> {
    const { url } = this.#input
    this.#isPaced ||= this.#stream?.isTooFast() ?? false
    this.#stream?.close()
    this.#stream = undefined
    if (!this.#proxy || this.#isPaced) return undefined
    const { stream, playlist } = await openHttpStream(url, this.#context.resolveHost, this.#verification())
    this.#playlist = playlist
    if (this.#isReleased) stream?.close()
    else this.#stream = stream
    return this.#stream
  }

  /** How certificates are verified; undefined if the input uses no TLS, or accepts any certificate. */
  #verification(): Verification | undefined {
    const { url } = this.#input
    return url.protocol === HTTP || url.scheme === 'rtmps' ? verificationOf(url.host, this.#input) : undefined
  }

  /** Applies the address policy to the host, as far as the destination is known before connecting. */
  async #findRoute(): Promise<Route> {
    const host = sourceHost(this.#input)
    if (host === undefined) {
      const { iface } = this.#input.url.group ?? {}
      return iface ? { iface: multicastInterface(iface, this.#input.url.host) } : {}
    }
    const address = await this.#context.resolveHost(host)
    if (!this.#proxy) return { address }
    const variant = this.#playlist === undefined ? undefined : bestVariant(this.#playlist)
    return { proxy: await this.#proxy.url(), ...(variant !== undefined && { variant }) }
  }
}

/** The failure of an input that receives a multicast group on an interface which is gone. */
function findInterfaceFailure(iface: string, group: string): Failure | undefined {
  const fault = interfaceFault(iface, group)
  return fault && systemFailure(fault)
}
