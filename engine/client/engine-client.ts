// The connection to a process `headend-engine`: keeps the connection and a mirror of the engine's state, and makes the
// engine run what the hub wants after each connection.
import type { WebSocket } from 'ws'
import { type EnginePeer, type Handlers, Peer } from '../connection/peer.ts'
import type { AudioLevel, ObservedChannel, WantedChannel } from '../interfaces/channel.ts'
import type { EngineClientOptions } from '../interfaces/engine-client.ts'
import { EngineAwayError } from '../interfaces/errors.ts'
import type { PortSettings } from '../interfaces/ports.ts'
import { CHANGE_WAIT, waitAtMost } from '../interfaces/wait-at-most.ts'
import {
  ENGINE_PROTOCOL,
  type EngineHello,
  type EngineMethods,
  fingerprint,
  type HubMethods
} from '../interfaces/wire.ts'
import { Connector } from './connector.ts'
import { HlsFetcher, openWatch } from './media-fetch.ts'
import { Mirror, observeAway } from './mirror.ts'
import { NdiClient, RouterClient } from './ndi-client.ts'
import { PreviewWatches } from './preview-watches.ts'

/** Milliseconds after the start within which an engine is not reported as away. */
const START_TIME = 3000
/**
 * Milliseconds for which a connection that has ended is not reported. The engine may have dropped it because this
 * process did not run.
 */
const RECONNECT_TIME = 1000
/** Milliseconds between two demands that an engine of another version restarts. */
const RESTART_INTERVAL = 60_000

export interface SocketClientOptions extends EngineClientOptions {
  /**
   * The engine runs beside one that it has started, and to which it has handed channels over. Undefined: it does not.
   * Called before the engine gets what it is to run.
   */
  onSuccessor?(successor: EngineHello['successor']): void
}

/** The connection to one engine. */
export class SocketEngineClient {
  readonly #options: SocketClientOptions
  readonly #mirror: Mirror
  readonly #previews = new PreviewWatches(() => this.#synchronized)
  readonly #connector: Connector
  readonly #hls: HlsFetcher
  /** The NDI router. */
  readonly router: RouterClient
  /** Wanted channels by ID. */
  readonly #wanted = new Map<number, WantedChannel>()
  readonly #connected = Promise.withResolvers<void>()
  /** Path of the engine's socket, and where the engine is found that is started when this one has ended. */
  #socket: string
  #place: string
  #ports: PortSettings | undefined
  readonly #ndi = new NdiClient(() => this.#synchronized)
  /** The current connection. */
  #peer: EnginePeer | undefined
  /** The current connection, once the engine runs what the hub wants. */
  #synchronized: EnginePeer | undefined
  /** The start of the engine that was found last. */
  #instance: string | undefined
  /** Version of the release from which it runs. */
  #version: string | undefined
  #canSwitchOver = false
  /** Whether the engine was reported as away. */
  #isAway = false
  /** When the last connection ended. */
  #lostAt = 0
  /** Reports that the engine is away. */
  #awayTimer: ReturnType<typeof setTimeout> | undefined
  #restartDemandedAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(options: SocketClientOptions) {
    this.#options = options
    this.#socket = options.socket
    this.#place = options.socket
    this.#mirror = new Mirror(options)
    this.#connector = new Connector(
      () => this.#socket,
      (socket) => this.#open(socket)
    )
    this.#hls = new HlsFetcher(() => this.#socket)
    this.router = new RouterClient(options, () => this.#synchronized)
  }

  connect(): void {
    this.#lostAt = performance.now()
    this.#awayTimer = setTimeout(() => this.#setAway(), START_TIME)
    this.#connector.connect()
  }

  whenConnected(): Promise<void> {
    return this.#connected.promise
  }

  get isConnected(): boolean {
    return this.#synchronized !== undefined
  }

  isAway(): boolean {
    return this.#isAway
  }

  async apply(wanted: WantedChannel): Promise<void> {
    this.#wanted.set(wanted.id, wanted)
    await this.#change((peer) => peer.call('apply', wanted))
  }

  async remove(id: number): Promise<void> {
    this.#wanted.delete(id)
    this.#mirror.forget(id)
    await this.#change((peer) => peer.call('remove', id))
  }

  observe(id: number): ObservedChannel {
    const wanted = this.#wanted.get(id)
    return this.isAway() && wanted ? observeAway(wanted) : this.#mirror.observe(id, wanted, this.#options.offlineReason)
  }

  async configurePorts(settings: PortSettings): Promise<void> {
    this.#ports = structuredClone(settings)
    await this.#change((peer) => peer.call('configurePorts', settings))
  }

  /** Another engine opens the shared ports. */
  forgetPorts(): void {
    this.#ports = undefined
  }

  async recheckAddresses(): Promise<void> {
    await this.#change((peer) => peer.call('recheckAddresses', this.#options.forbidPrivate()))
  }

  notifyDeviceChange(sn: string): void {
    const { deviceState, hasNoSignal } = this.#options
    this.#synchronized?.notify('setDevice', sn, deviceState(sn), hasNoSignal?.(sn) ?? false)
  }

  audioLevel(id: number): AudioLevel | undefined {
    this.#synchronized?.notify('watchLevel', id)
    return this.isAway() ? undefined : this.#mirror.level(id)
  }

  /** @throws EngineAwayError */
  require(): EnginePeer {
    if (!this.#synchronized) throw new EngineAwayError('The stream engine is not running')
    return this.#synchronized
  }

  async disconnectClient(channelId: number, id: number): Promise<void> {
    await this.#change((peer) => peer.call('disconnectClient', channelId, id))
  }

  async resetStats(id: number, legs: readonly (number | undefined)[]): Promise<void> {
    await this.#change((peer) =>
      peer.call(
        'resetStats',
        id,
        legs.map((leg) => leg ?? 'input')
      )
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#awayTimer)
    this.#connector.close()
    this.#hls.close()
    this.#peer?.close()
  }

  get mirror(): Mirror {
    return this.#mirror
  }

  get previews(): PreviewWatches {
    return this.#previews
  }

  get ndi(): NdiClient {
    return this.#ndi
  }

  get hls(): HlsFetcher {
    return this.#hls
  }

  /** As `EngineClient.watchChannel`. */
  watchChannel(id: number, signal: AbortSignal): Promise<Response> {
    return openWatch(this.#socket, id, signal)
  }

  notify<Name extends keyof EngineMethods>(name: Name, ...args: Parameters<EngineMethods[Name]>): void {
    this.#synchronized?.notify(name, ...args)
  }

  isWanted(id: number): boolean {
    return this.#wanted.has(id)
  }

  /**
   * Makes a change, and waits for the engine, but not for long. A change that does not reach the engine is made at the
   * next connection.
   */
  async #change(make: (peer: EnginePeer) => Promise<void>): Promise<void> {
    const peer = this.#synchronized
    if (!peer) return
    await waitAtMost(make(peer), CHANGE_WAIT)
  }

  #open(socket: WebSocket): void {
    const peer: EnginePeer = new Peer<EngineMethods, HubMethods>(socket, {
      handlers: this.#handlers(),
      onBinary: (data) => this.#previews.handleImage(data),
      onClose: (isStuck) => this.#handleClose(peer, isStuck)
    })
    this.#peer = peer
    // The connection is closed if the engine does not answer, and made again.
    this.#synchronize(peer).catch(() => peer.close())
  }

  #handlers(): Handlers<HubMethods> {
    const { orderPush, cancelOrder, orderPlayback, cancelPlayback, onEvents } = this.#options
    return {
      update: (snapshot) => {
        this.#mirror.update(snapshot)
        this.router.update(snapshot)
      },
      logEvents: (events) => onEvents(events),
      ndiSourcesChanged: () => this.#options.onNdiSourcesChange(),
      ndiStateChanged: () => this.#options.onNdiStateChange(),
      orderPush: async (sn, order) => orderPush(sn, order),
      cancelOrder: async (sn) => cancelOrder(sn),
      orderPlayback: async (sn, order) => orderPlayback(sn, order),
      cancelPlayback: async (sn) => cancelPlayback(sn)
    }
  }

  async #synchronize(peer: EnginePeer): Promise<void> {
    const { onMissing, onlineDevices, hasNoSignal, forbidPrivate } = this.#options
    const hello = await peer.call('hello', { protocol: ENGINE_PROTOCOL })
    if (hello.protocol !== ENGINE_PROTOCOL) return this.#demandRestart(peer, hello.protocol)
    const isNew = hello.instance !== this.#instance
    const isRestarted = isNew && this.#instance !== undefined
    if (isNew) {
      this.#mirror.clear()
      this.router.clear()
      if (isRestarted) this.#options.onRestart()
    }
    this.#instance = hello.instance
    this.#version = hello.version
    this.#canSwitchOver = hello.canSwitchOver ?? false
    this.#options.onSuccessor?.(hello.successor)
    const known = new Map(hello.channels)
    const done = peer.call('synchronize', {
      apply: [...this.#wanted.values()].filter((wanted) => known.get(wanted.id) !== fingerprint(wanted)),
      remove: [...known.keys()].filter((id) => !this.#wanted.has(id)),
      online: onlineDevices(),
      withoutSignal: onlineDevices().filter((sn) => hasNoSignal?.(sn)),
      forbidPrivate: forbidPrivate(),
      matrices: this.#options.wantedMatrices(),
      ...(this.#ndi.settings && { ndi: this.#ndi.settings }),
      ...(this.#ports && { ports: this.#ports })
    })
    // Changes from now on follow the message above.
    this.#synchronized = peer
    await done
    this.#connector.confirm()
    this.#previews.restartAll()
    if (isNew) onMissing(hello.missing)
    this.#setBack(isRestarted)
    this.#connected.resolve()
  }

  version(): string | undefined {
    return this.#version
  }

  restart(): void {
    this.#synchronized?.notify('restart')
  }

  /**
   * Called when the engine that started this one ends: this engine replaces it.
   * @param place path of the socket of the engine that ends
   */
  takePlace(place: string): void {
    this.#place = place
  }

  /** Whether the engine is connected, and can start another one. */
  get canSwitchOver(): boolean {
    return this.#canSwitchOver && this.isConnected
  }

  /** The channel as it is wanted; undefined if this engine is not to run it. */
  wanted(id: number): WantedChannel | undefined {
    return this.#wanted.get(id)
  }

  allWanted(): WantedChannel[] {
    return [...this.#wanted.values()]
  }

  /** Another engine runs the channel from now on. */
  forget(id: number): void {
    this.#wanted.delete(id)
    this.#mirror.forget(id)
  }

  /** The channel is to run at the next connection. */
  expect(wanted: WantedChannel): void {
    this.#wanted.set(wanted.id, wanted)
  }

  #demandRestart(peer: EnginePeer, protocol: EngineHello['protocol']): void {
    const now = performance.now()
    if (now - this.#restartDemandedAt > RESTART_INTERVAL) {
      this.#restartDemandedAt = now
      peer.notify('restart')
      this.#options.onOtherProtocol(protocol)
    }
    peer.close()
  }

  #handleClose(peer: EnginePeer, isStuck: boolean): void {
    if (this.#peer !== peer) return
    this.#peer = undefined
    this.#socket = this.#place
    const wasSynchronized = this.#synchronized === peer
    this.#synchronized = undefined
    if (this.#isClosed) return
    if (wasSynchronized) {
      this.#lostAt = performance.now()
      this.#awayTimer = setTimeout(() => this.#setAway(), isStuck ? 0 : RECONNECT_TIME)
    }
    this.#connector.retry()
  }

  #setAway(): void {
    if (this.#isAway || this.#isClosed) return
    this.#isAway = true
    this.#options.onAway()
    for (const id of this.#wanted.keys()) this.#options.onChannelChange(id)
    this.router.clear()
  }

  #setBack(isRestarted: boolean): void {
    clearTimeout(this.#awayTimer)
    if (!this.#isAway && !isRestarted) return
    this.#isAway = false
    this.#options.onBack({ away: performance.now() - this.#lostAt, isRestarted })
    for (const id of this.#wanted.keys()) this.#options.onChannelChange(id)
  }
}
