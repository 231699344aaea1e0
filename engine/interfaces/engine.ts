// The stream engine as the hub sees it: the hub applies wanted channels and reads observed ones.

import type { PlayOrder, PushOrder } from '../../contract/device/link.ts'
import type { MissingPartReport } from '../../contract/stream/missing-part.ts'
import type { NdiUrl } from '../../contract/stream/ndi-url.ts'
import type { ObservedChannel, StreamEvent, WantedChannel } from './channel.ts'
import type { Timeouts } from './engine-context.ts'
import type { HlsStores } from './hls-store.ts'
import type { KeyThrottle } from './key-throttle.ts'
import type { LegStats } from './leg-stats.ts'
import type { NdiRuntimeReport, NdiSettings, NdiSources, NdiState, NdiStatus } from './ndi.ts'
import type { ObservedPorts, PortRefusal, PortSettings } from './ports.ts'
import type { ObservedMatrix, Route, TakeOutcome, WantedMatrix } from './router.ts'
import type { WatchSink } from './watch.ts'

export interface EngineOptions {
  /** Name or path of ffmpeg. */
  ffmpeg?: string
  /** Path of the library that hides arguments. */
  hideArgsLibrary?: string
  /** Path of `headend-srt`. */
  srtProgram?: string
  /**
   * Path of `headend-ndi`, folders to search for the NDI runtime, whether sources are searched by DNS-SD without it, the folder of the account's
   * own NDI configuration, and names or paths of the discovery server's program.
   */
  ndi?: {
    program?: string
    folders?: readonly string[]
    dnsSd?: boolean
    accountFolder?: string
    serverPrograms?: readonly string[]
  }
  /** NDI sources appeared or disappeared. Called only while clients poll the list. */
  onNdiSourcesChange?(): void
  /** The state of the NDI discovery server changed. */
  onNdiStateChange?(): void
  /** The NDI runtime can be used, or cannot be used any more; or observed values of a matrix changed. */
  onRouterChange?(): void
  /** Address at which devices push. Default: 0.0.0.0. */
  pushHost?: string
  /** Address of listening outputs. Default: 0.0.0.0. */
  outputHost?: string
  /** Whether streams from and to this machine and private networks are forbidden. Default: they are allowed. */
  forbidPrivate?(): boolean
  timeouts?: Partial<Timeouts>
  /** Address of the shared SRT and RTMP ports. Default: 0.0.0.0. */
  sharedHost?: string
  /** A shared port opened or failed. */
  onPortsChange?(): void
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
  /** Observed values of a channel changed. Called at most every 20 ms per channel, and not if only `livingTimeS` changed. */
  onChannelChange(channelId: number): void
  onEvent(event: StreamEvent): void
}

export interface PreviewSize {
  /** Pixels; the height keeps the aspect ratio. */
  width: number
  /** Maximum images per second. */
  fps: number
}

export interface AudioLevel {
  /** ID of the backup input that was measured; undefined for the first input. */
  backupId: number | undefined
  /** Peak of each audio channel in dBFS. */
  levels: number[]
}

/** All methods can be passed on without their object. */
export interface Engine {
  /** Adds or changes a channel. Only legs that differ are restarted; a new name restarts nothing. */
  apply(wanted: WantedChannel): void
  remove(id: number): void
  /** Observes a channel. An unknown channel is observed as waiting. */
  observe(id: number): ObservedChannel
  /**
   * Statistics of a leg since it is known, whether or not it runs.
   * @param leg ID of an output or backup input. Default: the first input
   */
  legStats(id: number, leg?: number): LegStats | undefined
  /** The audio level of the input on air; undefined if there is none. */
  audioLevel(id: number): AudioLevel | undefined
  /**
   * Subscribes to preview images of the stream that a channel's outputs receive. There are none while no input is active. The bytes of an image are not
   * changed later.
   * @returns a function that ends the subscription; undefined if the channel is unknown
   */
  watchPreview(id: number, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): (() => void) | undefined
  /**
   * Subscribes to pictures of an NDI source, also while it does not exist. Many sources take turns, so that their pictures are rarer.
   * @returns a function that ends the subscription
   */
  watchNdi(source: NdiUrl, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): () => void
  /**
   * Plays the stream that a channel's outputs receive in a page. One process repackages it for all watchers of the channel.
   * @returns a function that removes the watcher; undefined if the channel is unknown or stopped
   */
  watchChannel(id: number, sink: WatchSink): (() => void) | undefined
  /** Bytes of each leg since the engine started. They only increase until the leg changes. */
  byteTotals(id: number): { input: number; outputs: Map<number, number> }
  /** Opens the shared ports, or moves them. Before the first call there are none. */
  configurePorts(settings: PortSettings): void
  observePorts(): ObservedPorts
  /** Tries immediately to open ports that have failed. */
  retryPorts(): void
  /** Disconnects a publisher or player of a channel, which may reconnect. Returns false if there is no such client. */
  disconnectClient(channelId: number, client: number): boolean
  /** Input traffic of all channels in Mbps, oldest first: 60 seconds and 60 minutes. */
  trafficHistory(): { mbpsS: number[]; mbpsM: number[] }
  /** The NDI sources in the network. */
  findNdiSources(): Promise<NdiSources>
  /** Applies the settings of NDI to processes that start afterwards. Those on air keep their configuration until they restart. */
  configureNdi(settings: NdiSettings): Promise<void>
  observeNdi(): NdiState
  /** Loads the NDI runtime in a process of its own, unless its version is known. */
  checkNdiRuntime(): Promise<NdiRuntimeReport>
  /** Whether NDI can be used; undefined until that is known. */
  ndiStatus(): NdiStatus | undefined
  /** Runs these matrices, and no others. Destinations that do not differ are not touched. */
  applyMatrices(wanted: readonly WantedMatrix[]): void
  /** Makes all of the routes, or none. */
  takeRoutes(id: number, routes: readonly Route[]): Promise<TakeOutcome>
  observeMatrices(): ObservedMatrix[]
  /** Tells the engine that a device went online or offline. */
  notifyDeviceChange(sn: string): void
  /** Whether a device sends a stream to the engine, or plays one. */
  isDeviceActive(sn: string): boolean
  /** The parts that are missing on this machine. */
  listMissing(): MissingPartReport[]
  /** Applies a changed address policy: legs with forbidden addresses end with that reason, others continue. */
  recheckAddresses(): void
  /** Playlists and segments for the web server. */
  readonly hlsStores: HlsStores
  /** Tracks clients that try wrong stream keys, across all protocols. */
  readonly keyThrottle: KeyThrottle
  /** Number of running processes. */
  processCount(): number
  /** Stops all processes and cancels the orders of devices. */
  close(): Promise<void>
}
