// The stream engine: keeps the running streams in line with the wanted channels. It is independent of HTTP, SQLite and
// device protocols.

import type { PlayOrder, PushOrder } from '../contract/device/link.ts'
import type { NdiUrl } from '../contract/ndi/url.ts'
import type { MissingPartReport } from '../contract/stream/missing-part.ts'
import { resolveHost } from './access/address-policy.ts'
import { createKeyThrottle, hashKey } from './access/key-throttle.ts'
import { ChannelSet } from './channels/channel-set.ts'
import type { HandOver } from './channels/hand-over.ts'
import { Releases } from './channels/releases.ts'
import type { AudioLevel, ObservedChannel, PreviewSize, StreamEvent, WantedChannel } from './interfaces/channel.ts'
import type { Launcher } from './interfaces/launcher.ts'
import type { HlsStores, KeyThrottle, Timeouts } from './interfaces/leg-parts.ts'
import type { NdiRuntimeReport, NdiSettings, NdiSources, NdiState } from './interfaces/ndi.ts'
import type { ObservedPorts, PortRefusal, PortSettings } from './interfaces/ports.ts'
import type { Route, TakeOutcome, WantedMatrix } from './interfaces/router.ts'
import type { Snapshot } from './interfaces/wire.ts'
import { NdiService } from './ndi/ndi-service.ts'
import { NdiPictures } from './ndi/pictures.ts'
import { Router } from './ndi/router.ts'
import { type SharedPortParts, SharedPorts } from './ports/shared-ports.ts'
import { findProgram } from './process/find-program.ts'
import { createLauncher } from './process/launcher.ts'
import { listMissingRelay } from './relay/relay.ts'
import { SRT_PROGRAM } from './srt/caller.ts'
import { StateReporter } from './state-reporter.ts'
import type { LegStats } from './stats/leg-stats.ts'
import type { WatchSink } from './watch/broadcast.ts'

const TIMEOUTS: Timeouts = { stall: 10_000, start: 15_000 }
/** Listens at all IPv4 addresses. */
const ANY_ADDRESS = '0.0.0.0'

export interface EngineOptions {
  /** Name or path of ffmpeg. */
  ffmpeg?: string
  /** Path of the library that hides arguments. */
  hideArgsLibrary?: string
  /** Path of `headend-srt`. */
  srtProgram?: string
  /**
   * Path of `headend-ndi`, folders to search for the NDI runtime, whether sources are searched by DNS-SD without it,
   * the folder of the account's own NDI configuration, names or paths of the discovery server's program, and the port
   * at which machines are asked whether they are there.
   */
  ndi?: {
    program?: string
    folders?: readonly string[]
    dnsSd?: boolean
    accountFolder?: string
    serverPrograms?: readonly string[]
    machinePort?: number
  }
  /** NDI sources appeared or disappeared. Called only while clients poll the list. */
  onNdiSourcesChange?(): void
  /** The state of the NDI discovery server changed. */
  onNdiStateChange?(): void
  /** Address at which devices push. Default: 0.0.0.0. */
  pushHost?: string
  /** Address of listening outputs. Default: 0.0.0.0. */
  outputHost?: string
  /** Whether members of the engine's group may read and delete recordings. Default: they may not. */
  isGroupShared?: boolean
  /** Whether streams from and to this machine and private networks are forbidden. Default: they are allowed. */
  forbidPrivate?(): boolean
  timeouts?: Partial<Timeouts>
  /** Address of the shared SRT and RTMP ports. Default: 0.0.0.0. */
  sharedHost?: string
  /** An address was blocked, for the first time, because it guesses stream keys. */
  onKeyGuessing?(address: string): void
  /** A client was refused at a shared port. */
  onPortRefusal?(refusal: PortRefusal): void
  /** Orders a device to push its stream. Rejects if the device refuses. */
  orderPush(sn: string, order: PushOrder): Promise<void>
  cancelOrder(sn: string): Promise<void>
  /** Orders a device to play a stream of the engine. Rejects if the device refuses. */
  orderPlayback(sn: string, order: PlayOrder): Promise<void>
  cancelPlayback(sn: string): Promise<void>
  isDeviceOnline(sn: string): boolean
  /** Whether a device reports that it has no signal at its own input. Default: none does. */
  hasNoSignal?(sn: string): boolean
  /** Receives changed state, four times a second and soon after an event; twice a second also without a change. */
  onUpdate(snapshot: Snapshot): void
  onEvent(event: StreamEvent): void
}

const now = () => performance.now()

export class Engine {
  /** Playlists and segments for the web server. */
  readonly hlsStores: HlsStores = new Map()
  /** Tracks clients that try wrong stream keys, across all protocols. */
  readonly keyThrottle: KeyThrottle
  readonly #launcher: Launcher
  readonly #releases = new Releases()
  readonly #ndi: NdiService
  readonly #pictures: NdiPictures
  readonly #router: Router
  readonly #ports: SharedPorts
  readonly #channels: ChannelSet
  readonly #reporter: StateReporter
  /** The parts that have to be closed, in the order in which they were made. */
  readonly #parts: { close(): void | Promise<void> }[] = []
  #isClosed = false

  constructor(options: EngineOptions) {
    const launcher = createLauncher(options.ffmpeg, options.hideArgsLibrary)
    const resolve = (host: string) => resolveHost(host, options.forbidPrivate?.() ?? false)
    this.#launcher = launcher
    this.keyThrottle = createKeyThrottle({
      // Keys of stopped channels are known, although no port accepts them.
      isKnownHash: (hash) =>
        [...this.#channels.all()].some(({ wanted }) => issuedKeys(wanted).some((key) => hashKey(key) === hash)),
      onFirstBlock: (address) => options.onKeyGuessing?.(address),
      now
    })
    this.#ndi = this.#add(
      new NdiService({
        launcher,
        ffmpeg: options.ffmpeg,
        now,
        ...options.ndi,
        resolveHost: resolve,
        onSourcesChange: () => options.onNdiSourcesChange?.(),
        onStateChange: () => options.onNdiStateChange?.()
      })
    )
    const { keyThrottle, hlsStores } = this
    const { ndi, machines } = this.#ndi
    const onChange = () => this.#reporter.reportSoon()
    this.#pictures = this.#add(
      new NdiPictures({
        context: { ndi, launcher, now, resolveHost: resolve },
        findSources: () => this.findNdiSources()
      })
    )
    this.#router = this.#add(new Router({ ndi, launcher, machines, now }, onChange))
    let lastClientId = 0
    const shared: SharedPortParts = {
      launcher,
      now,
      timeouts: { ...TIMEOUTS, ...options.timeouts },
      onChange,
      resolveHost: resolve,
      srtProgram: () => findProgram(options.srtProgram ?? SRT_PROGRAM),
      outputHost: options.outputHost ?? ANY_ADDRESS,
      nextClientId: () => ++lastClientId,
      keyThrottle
    }
    const ports = this.#add(
      new SharedPorts({
        host: options.sharedHost ?? ANY_ADDRESS,
        context: shared,
        onPublisherChange: (id) => this.#channels.notifyPublisherChange(id),
        onRefusal: (refusal) => options.onPortRefusal?.(refusal)
      })
    )
    this.#ports = ports
    this.#channels = this.#add(
      new ChannelSet({
        context: {
          ...{ ...shared, ndi, hlsStores, isGroupShared: options.isGroupShared ?? false },
          pushHost: options.pushHost ?? ANY_ADDRESS,
          orderPush: (sn, order) => options.orderPush(sn, order),
          cancelOrder: (sn) => options.cancelOrder(sn),
          orderPlayback: (sn, order) => options.orderPlayback(sn, order),
          cancelPlayback: (sn) => options.cancelPlayback(sn),
          isDeviceOnline: (sn) => options.isDeviceOnline(sn),
          hasNoSignal: (sn) => options.hasNoSignal?.(sn) ?? false,
          publisher: (id) => ports.publisher(id),
          openRtmpPush: (onPublisher) => ports.openRtmpPush(onPublisher),
          lastRefusal: (id) => ports.lastRefusal(id),
          portFailure: (id) => ports.portFailure(id),
          whenReleased: (key) => this.#releases.whenReleased(key)
        },
        ports,
        releases: this.#releases,
        onEvent: (event) => options.onEvent(event),
        onHandedOver: (id) => this.#reporter.forget(id)
      })
    )
    this.#reporter = this.#add(
      new StateReporter({
        channels: this.#channels,
        ports: this.#ports,
        router: this.#router,
        launcher,
        onEvent: (event) => options.onEvent(event),
        onUpdate: (snapshot) => options.onUpdate(snapshot),
        now
      })
    )
  }

  /** Adds or changes a channel. Only legs that differ are restarted; a new name restarts nothing. */
  apply(wanted: WantedChannel): void {
    this.#channels.apply(wanted)
  }

  remove(id: number): void {
    this.#channels.remove(id)
    this.#reporter.forget(id)
  }

  /** Exchanges channels with the engine that runs beside this one. */
  get handOver(): HandOver {
    return this.#channels.handOver
  }

  /** Observes a channel. An unknown channel is observed as waiting. */
  observe(id: number): ObservedChannel {
    return this.#channels.observe(id)
  }

  /** Reports changes now, those of the named channels among them. @param withReports whether statistics are included */
  report(channelIds?: readonly number[], withReports?: boolean): void {
    this.#reporter.report(channelIds, withReports)
  }

  /** Reports the complete state now. */
  reportAll(): void {
    this.#reporter.reportAll()
  }

  /** Includes the audio level of a channel in reports for some seconds. */
  watchLevel(id: number): void {
    this.#reporter.watchLevel(id)
  }

  /**
   * Statistics of a leg since it is known, whether or not it runs.
   * @param leg ID of an output or backup input. Default: the first input
   */
  legStats(id: number, leg?: number): LegStats | undefined {
    return this.#channels.find(id)?.findStats(leg ?? 'input')
  }

  /** The audio level of the input on air; undefined if there is none. */
  audioLevel(id: number): AudioLevel | undefined {
    return this.#channels.find(id)?.audioLevel(now())
  }

  /**
   * Subscribes to preview images of the stream that a channel's outputs receive. There are none while no input is
   * active. The bytes of an image are not changed later.
   * @returns a function that ends the subscription; undefined if the channel is unknown
   */
  watchPreview(id: number, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): (() => void) | undefined {
    return this.#channels.watchPreview(id, size, onImage)
  }

  /**
   * Subscribes to pictures of an NDI source, also while it does not exist. Many sources take turns, so that their
   * pictures are rarer.
   * @returns a function that ends the subscription
   */
  watchNdi(source: NdiUrl, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): () => void {
    return this.#pictures.watch(source, size, onImage)
  }

  /**
   * Plays the stream that a channel's outputs receive in a page. One process repackages it for all watchers of the
   * channel.
   * @returns a function that removes the watcher; undefined if the channel is unknown or stopped
   */
  watchChannel(id: number, sink: WatchSink): (() => void) | undefined {
    return this.#channels.watch(id, sink)
  }

  /** Bytes of each leg since the engine started. They only increase until the leg changes. */
  byteTotals(id: number): { input: number; outputs: Map<number, number> } {
    return this.#channels.find(id)?.totalBytes() ?? { input: 0, outputs: new Map() }
  }

  /** Opens the shared ports, or moves them. Before the first call there are none. */
  configurePorts(settings: PortSettings): void {
    if (!this.#isClosed) this.#ports.configure(settings)
  }

  observePorts(): ObservedPorts {
    return this.#ports.observe()
  }

  /** Tries immediately to open ports that have failed. */
  retryPorts(): void {
    this.#ports.retryNow()
  }

  /** Disconnects a publisher or player of a channel, which may reconnect. Returns false if there is no such client. */
  disconnectClient(channelId: number, client: number): boolean {
    return this.#ports.disconnect(channelId, client) || this.#channels.disconnectPlayer(channelId, client)
  }

  /** Input traffic of all channels in Mbps, oldest first: 60 seconds and 60 minutes. */
  trafficHistory(): { mbpsS: number[]; mbpsM: number[] } {
    return this.#channels.trafficHistory()
  }

  /** The NDI sources in the network. */
  findNdiSources(): Promise<NdiSources> {
    return this.#ndi.findSources()
  }

  /**
   * Applies the settings of NDI to processes that start afterwards. Those on air keep their configuration until they
   * restart.
   */
  configureNdi(settings: NdiSettings): Promise<void> {
    return this.#ndi.configure(settings)
  }

  observeNdi(): NdiState {
    return this.#ndi.observe()
  }

  /** Loads the NDI runtime in a process of its own, unless its version is known. */
  checkNdiRuntime(): Promise<NdiRuntimeReport> {
    return this.#ndi.checkRuntime()
  }

  /** Runs these matrices, and no others. Destinations that do not differ are not touched. */
  applyMatrices(wanted: readonly WantedMatrix[]): void {
    this.#router.apply(wanted)
  }

  /** Makes all of the routes, or none. */
  takeRoutes(id: number, routes: readonly Route[]): Promise<TakeOutcome> {
    return this.#router.take(id, routes)
  }

  /** Tells the engine that a device went online or offline. */
  notifyDeviceChange(sn: string): void {
    this.#channels.notifyDeviceChange(sn)
  }

  /** Whether a device sends a stream to the engine, or plays one. */
  isDeviceActive(sn: string): boolean {
    return this.#channels.isDeviceActive(sn)
  }

  /** The parts that are missing on this machine. */
  listMissing(): MissingPartReport[] {
    const required = [...this.#launcher.listMissing(), ...listMissingRelay(), ...this.#ports.listMissing()]
    return [
      ...required.map((text) => ({ text, optional: false })),
      // Many hubs never use NDI.
      ...this.#ndi.ndi.listMissing().map((text) => ({ text, optional: true }))
    ]
  }

  /** Applies a changed address policy: legs with forbidden addresses end with that reason, others continue. */
  recheckAddresses(): void {
    this.#channels.recheckAddresses()
  }

  /** Number of running processes. */
  processCount(): number {
    return this.#launcher.processCount()
  }

  /** Stops all processes and cancels the orders of devices. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const part of this.#parts.toReversed()) await part.close()
    await Promise.all([this.#releases.whenAllReleased(), this.#launcher.stopAll()])
    await this.#launcher.waitForStops()
  }

  /** Adds a part, which is closed before those that were made earlier. */
  #add<Part extends { close(): void | Promise<void> }>(part: Part): Part {
    this.#parts.push(part)
    return part
  }
}

/** All stream keys that a channel has. */
function issuedKeys({ access, outputs }: WantedChannel): string[] {
  const outputKeys = outputs.flatMap(({ config }) => ('key' in config && config.key ? [config.key] : []))
  return access ? [access['push-key'], access['play-key'], ...outputKeys] : outputKeys
}
