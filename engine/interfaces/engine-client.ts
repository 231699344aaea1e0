// The stream engine as the hub sees it: the client of the process `headend-engine`. State is read from a mirror that
// the engine updates.

import type { PlayOrder, PushOrder } from '../../contract/device/link.ts'
import type { NdiUrl } from '../../contract/ndi/url.ts'
import type { ChannelHistory, HistoryField, LegReport } from '../../contract/stream/channel-history.ts'
import type { MissingPartReport } from '../../contract/stream/missing-part.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { AudioLevel, ObservedChannel, PreviewSize, WantedChannel } from './channel.ts'
import type { NdiRuntimeReport, NdiSettings, NdiSources, NdiState, NdiStatus } from './ndi.ts'
import type { ObservedPorts, PortSettings } from './ports.ts'
import type { ObservedMatrix, Route, TakeOutcome, WantedMatrix } from './router.ts'
import type { DeviceState, EngineEvent, EngineUsage, HistoryQuery, LegRows } from './wire.ts'

export interface EngineClientOptions {
  /** Path of the engine's socket. */
  socket: string
  /** Orders a device to push its stream. Rejects if the device refuses. */
  orderPush(sn: string, order: PushOrder): Promise<void>
  cancelOrder(sn: string): Promise<void>
  /** Orders a device to play a stream of the engine. Rejects if the device refuses. */
  orderPlayback(sn: string, order: PlayOrder): Promise<void>
  cancelPlayback(sn: string): Promise<void>
  deviceState(sn: string): DeviceState
  /** Why a device is offline, for the legs that wait for it. Default: `device-offline`. */
  offlineReason?(sn: string): Reason
  /** Serial numbers of all devices that are online. */
  onlineDevices(): string[]
  /** Whether a device reports that it has no signal at its own input. Default: none does. */
  hasNoSignal?(sn: string): boolean
  /** Whether streams from and to this machine and private networks are forbidden. */
  forbidPrivate(): boolean
  /** Observed values of a channel changed. Not called if only `livingTimeS` changed. */
  onChannelChange(channelId: number): void
  /** A shared port opened or failed. */
  onPortsChange(): void
  /** NDI sources appeared or disappeared. */
  onNdiSourcesChange(): void
  /** The state of the NDI discovery server changed. */
  onNdiStateChange(): void
  /** All matrices of the NDI router, as the engine is to run them. */
  wantedMatrices(): WantedMatrix[]
  /** Observed values of a matrix changed. */
  onMatrixChange(matrixId: number): void
  /** The NDI runtime can be used, or cannot be used any more. */
  onNdiStatusChange(status: NdiStatus): void
  /**
   * Receives events of the engine, also of the time without a connection. Those for which it throws are received again.
   */
  onEvents(events: readonly EngineEvent[]): void
  /** The connection is lost, or could not be made for some seconds. */
  onAway(): void
  /** The engine was restarted, so that all streams were interrupted. Called before its first state. */
  onRestart(): void
  /** The connection is back after `onAway`, or the engine was restarted. */
  onBack(back: EngineReturn): void
  /** The parts that are missing on the machine of the engine. Called for each start of an engine. */
  onMissing(missing: readonly MissingPartReport[]): void
  /** The engine has another protocol number, so the hub demands its restart. */
  onOtherProtocol(protocol: number): void
}

interface EngineReturn {
  /** Milliseconds without a connection. */
  away: number
  /** Whether the engine was started in the meantime, so that all streams were interrupted. */
  isRestarted: boolean
}

/** A file of an HLS output. */
export interface HlsRequest {
  method: string
  /** Stream key. */
  key: string
  /** `index.m3u8`, or the name of a segment or initialization segment. */
  file: string
  /** IP address of the player. */
  address: string
}

/**
 * All methods can be passed on without their object. Those that return a promise resolve soon, also while the engine is
 * away.
 */
export interface EngineClient {
  /**
   * Connects, and keeps connecting. Everything that was applied before is what the engine is to run; it stops all other
   * channels.
   */
  connect(): void
  /** Resolves when the engine runs what the hub wants. */
  whenConnected(): Promise<void>
  /** Whether the engine cannot be reached, so that the state of channels is unknown. */
  isAway(): boolean
  /** Version of the release from which the engine runs; undefined if it is unknown. */
  version(): string | undefined
  /** Makes the engine end, which interrupts all streams. It is started again, from the newest release. */
  restart(): void
  /** Whether the engine can start one of the newest release, to which its channels are moved. */
  canSwitchOver(): boolean
  isSwitchingOver(): boolean
  /**
   * Moves all channels to an engine of the newest release, one after the other, and ends the engine that runs. Rejects
   * if that was not possible: each channel then runs on one of the two engines, and another call continues.
   */
  switchOver(): Promise<void>
  /** Adds or changes a channel. Resolves when the engine has taken it over and its new state can be observed. */
  apply(wanted: WantedChannel): Promise<void>
  remove(id: number): Promise<void>
  /**
   * The last known state of a channel. While the engine is away, its legs are disconnected with the reason
   * `engine-away`.
   */
  observe(id: number): ObservedChannel
  /** Statistics of a leg, a second old at most. @param leg ID of an output or backup input. Default: the first input */
  legReport(id: number, leg?: number): LegReport | undefined
  /** History of a leg. @throws EngineAwayError */
  legHistory(id: number, leg: number | undefined, query: HistoryQuery): Promise<ChannelHistory>
  /** The recorded seconds of a leg, oldest first, with those of the fields that it has. @throws EngineAwayError */
  legRows(id: number, leg: number | undefined, fields: readonly HistoryField[]): Promise<LegRows>
  /** Sets the totals of legs to 0. */
  resetStats(id: number, legs: readonly (number | undefined)[]): Promise<void>
  /** The audio level of the input on air; undefined if there is none. The first call starts the measurement. */
  audioLevel(id: number): AudioLevel | undefined
  /** As `Engine.watchPreview`. The subscription continues when the engine is back. */
  watchPreview(id: number, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): (() => void) | undefined
  /** As `Engine.watchNdi`. The subscription continues when the engine is back. */
  watchNdi(source: NdiUrl, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): () => void
  byteTotals(id: number): { input: number; outputs: Map<number, number> }
  /** Opens the shared ports, or moves them. */
  configurePorts(settings: PortSettings): Promise<void>
  observePorts(): ObservedPorts
  retryPorts(): void
  /** Disconnects a publisher or player of a channel, which may reconnect. */
  disconnectClient(channelId: number, client: number): Promise<void>
  trafficHistory(): { mbpsS: number[]; mbpsM: number[] }
  findNdiSources(): Promise<NdiSources>
  /** Applies the settings of NDI to processes that start afterwards. */
  configureNdi(settings: NdiSettings): Promise<void>
  /** Undefined while the engine is away. */
  observeNdi(): Promise<NdiState | undefined>
  checkNdiRuntime(): Promise<NdiRuntimeReport>
  /** Makes the engine run the matrices of `wantedMatrices`. */
  matricesChanged(): void
  /** Makes all of the routes of a matrix, or none. */
  takeRoutes(id: number, routes: readonly Route[]): Promise<TakeOutcome>
  /** Undefined while the engine is away. */
  observeMatrix(id: number): ObservedMatrix | undefined
  /** Whether NDI can be used, as last observed; undefined before the first connection. */
  ndiStatus(): NdiStatus | undefined
  /** A device went online or offline, or was removed. */
  notifyDeviceChange(sn: string): void
  /** Applies a changed address policy. */
  recheckAddresses(): Promise<void>
  /** Number of processes of the engine. */
  processCount(): number
  /** A second old at most; undefined while the engine is away. */
  usage(): EngineUsage | undefined
  /**
   * Opens the stream of a channel as endless fragmented MP4; the content type names its codecs. It ends when its format
   * changes. Responds 404 for a channel that is unknown or stopped, 503 if there is no stream within some seconds, and
   * while the engine is away.
   * @param signal ends the response
   */
  watchChannel(id: number, signal: AbortSignal): Promise<Response>
  /** Fetches a playlist or segment. Responds 503 while the engine is away. */
  fetchHls(request: HlsRequest): Promise<Response>
  /** Ends the connection. The engine continues. */
  close(): Promise<void>
}
