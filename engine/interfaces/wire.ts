// The messages between the hub and the process `headend-engine` (docs/architecture/processes.md). Both sides call
// functions of the other one; the arguments and results are JSON.

import { createHash } from 'node:crypto'
import type { PlayOrder, PushOrder } from '../../contract/device/link.ts'
import type { NdiUrl } from '../../contract/ndi/url.ts'
import type { ChannelHistory, HistoryField, LegReport } from '../../contract/stream/channel-history.ts'
import type { MissingPartReport } from '../../contract/stream/missing-part.ts'
import type {
  AudioLevel,
  ObservedChannel,
  ObservedLeg,
  ObservedOutput,
  PreviewSize,
  StreamEvent,
  WantedChannel
} from './channel.ts'
import type { Failure } from './errors.ts'
import type { HandOverGroup, OfferedInputs, TakenLegs } from './hand-over.ts'
import type { NdiRuntimeReport, NdiSettings, NdiState, NdiStatus } from './ndi.ts'
import type { ObservedPorts, PortRefusal, PortSettings } from './ports.ts'
import type { ObservedMatrix, Route, TakeOutcome, WantedMatrix } from './router.ts'

/**
 * Number of this protocol. It changes with every change that an older side would not understand. `hello` and `restart`
 * never change, so that a hub can restart an engine of another version.
 */
export const ENGINE_PROTOCOL = 4

/** Path of the WebSocket on the engine's socket. */
export const CONTROL_PATH = '/control'
/** Path prefix of HLS playlists and segments: `/hls/<stream key>/<file>`. */
export const HLS_PREFIX = '/hls/'
/** Path prefix of channels as fragmented MP4: `/watch/<channel ID>`. */
export const WATCH_PREFIX = '/watch/'
/** Response header with the codec of audio that is left out (`WatchHead.missingAudio`). */
export const MISSING_AUDIO_HEADER = 'missing-audio'
/** Request header with the IP address of an HLS player. */
export const PLAYER_HEADER = 'x-player-address'

interface HubHello {
  protocol: number
}

export interface EngineHello {
  protocol: number
  /** Differs after each start of the engine. */
  instance: string
  /** Version of the release from which the engine runs. Engines before it was added do not send it. */
  version?: string
  /**
   * The channels that the engine knows, each with the fingerprint of its wanted state; empty while it is taken over
   * from another engine.
   */
  channels: [id: number, fingerprint: string][]
  /** As `Engine.listMissing`. */
  missing: MissingPartReport[]
  /** Whether the engine can start one of the newest release, to which it hands its channels over. */
  canSwitchOver?: true
  /**
   * The engine that it has started: its socket, the IDs of the channels that were handed over to it, and whether it has
   * the shared ports.
   */
  successor?: { socket: string; channels: number[]; hasPorts?: true }
}

/** State of a device for the engine. A removed device was deleted or rejected, so that its streams end at once. */
export type DeviceState = 'online' | 'offline' | 'removed'

/** What the engine has to change after the connection was made. */
export interface Synchronization {
  /** Channels that differ from those of the engine. */
  apply: WantedChannel[]
  /** IDs of channels that do not exist any more. */
  remove: number[]
  /** Serial numbers of all devices that are online. */
  online: string[]
  /** Serial numbers of the devices among them that have no signal at their own input. Absent: none. */
  withoutSignal?: string[]
  forbidPrivate: boolean
  /** Undefined until the hub has configured NDI. */
  ndi?: NdiSettings
  /** All matrices of the NDI router. */
  matrices: WantedMatrix[]
  /** Undefined until the hub has opened its own ports. */
  ports?: PortSettings
}

/** `ObservedChannel` in JSON. */
export interface WireObserved extends Omit<ObservedChannel, 'backups' | 'outputs'> {
  backups?: [id: number, leg: ObservedLeg][]
  outputs: [id: number, output: ObservedOutput][]
}

/** A leg of a channel: an output or backup by its ID, or the first input. */
export type LegId = number | 'input'

/** State of one channel. */
export interface ChannelSnapshot {
  /**
   * Only uptimes, byte counts, statistics or the level differ from the last snapshot. Default: other values differ,
   * too.
   */
  isMinor?: true
  id: number
  observed: WireObserved
  /** Bytes of each leg since the engine started. */
  totals: { input: number; outputs: [id: number, bytes: number][] }
  /** Statistics of each leg. Absent: as before. */
  reports?: [leg: LegId, report: LegReport][]
  /** Null: no input is on air or it has no audio. Absent: as before. */
  level?: AudioLevel | null
}

/** State of the engine, sent at each change, and at least twice a second. */
export interface Snapshot {
  /** The channels that have changed since the last message. */
  channels: ChannelSnapshot[]
  /** Absent: as before. */
  ports?: ObservedPorts
  /** Absent: as before. */
  ndi?: NdiStatus
  /** The matrices that have changed since the last message. */
  matrices: ObservedMatrix[]
  /** Input traffic in Mbps, oldest first. Absent: as before. */
  traffic?: { mbpsS: number[]; mbpsM: number[] }
  processCount: number
  /** Absent: as before. */
  usage?: EngineUsage
}

/** What the engine's own process uses, without the processes of its legs. */
export interface EngineUsage {
  /** Processor time since its start. */
  cpuSeconds: number
  residentBytes: number
  /** As `Launcher.processorWait`. */
  processorWait?: number
  /** Content is checked in turns, because the processor or the memory is short. */
  checksInTurns?: true
}

/** An event of the engine that the hub logs. */
export type EngineEvent = {
  /** Increases with each event of an engine. */
  sequence: number
  /** Milliseconds since the epoch. */
  time: number
} & (
  | { kind: 'stream'; event: StreamEvent }
  | { kind: 'guessing'; address: string }
  | { kind: 'refusal'; refusal: PortRefusal }
)

/** The recorded seconds of a leg; null where nothing was measured. */
export interface LegRows {
  fields: HistoryField[]
  rows: { time: number; values: (number | null)[] }[]
}

/** `NdiSources` in JSON. */
interface WireNdiSources {
  sources: [name: string, address: string][]
  answers: [name: string, answers: boolean][]
  version?: string
  failure?: Failure
}

/** A question for the history of a leg. */
export interface HistoryQuery {
  /** Length in seconds. */
  span: number
  fields: readonly HistoryField[]
  /** Maximum number of points. Default: one per second. */
  points?: number | undefined
  /** How the seconds of one point are combined. Default: `mean`. */
  aggregate?: 'mean' | 'max' | undefined
}

/**
 * Functions with which the hub moves channels from the engine that runs to the one of another release that runs beside
 * it (`canSwitchOver`).
 */
export interface HandOverMethods {
  /** Starts an engine of the newest release beside this one. Resolves with its socket when that can be connected to. */
  startSuccessor(): Promise<string>
  /** As the methods of `HandOver`. */
  handOverGroups(): HandOverGroup[]
  offer(ids: number[]): OfferedInputs
  prepare(channels: WantedChannel[], offered: OfferedInputs): void
  take(ids: number[], onAir: number[]): Promise<TakenLegs>
  give(taken: TakenLegs): Promise<void>
  closePorts(): Promise<void>
  /** Ends the process, in whose place the engine that it has started goes on. */
  retire(): Promise<void>
}

/** Functions of the engine that the hub calls. */
export interface EngineMethods extends HandOverMethods {
  hello(hello: HubHello): EngineHello
  /** Ends the process, which the supervisor starts again. */
  restart(): void
  /** Makes the engine run what the hub wants. Its response follows a complete snapshot. */
  synchronize(changes: Synchronization): void
  /** The response to a change of a channel follows the snapshot of the channel. */
  apply(wanted: WantedChannel): void
  remove(id: number): void
  configurePorts(settings: PortSettings): void
  retryPorts(): void
  /** @param hasNoSignal whether it reports that it has no signal at its own input */
  setDevice(sn: string, state: DeviceState, hasNoSignal?: boolean): void
  recheckAddresses(forbidPrivate: boolean): void
  disconnectClient(channelId: number, client: number): void
  /** Starts to send preview images. @param watch number of the subscription, chosen by the hub */
  watchPreview(watch: number, channelId: number, size: PreviewSize): void
  /** Starts to send pictures of an NDI source. */
  watchNdi(watch: number, source: NdiUrl, size: PreviewSize): void
  /** Ends `watchPreview` or `watchNdi`. */
  endPreview(watch: number): void
  /** Measures the audio level of a channel for some seconds. */
  watchLevel(channelId: number): void
  history(channelId: number, leg: LegId, query: HistoryQuery): ChannelHistory
  rows(channelId: number, leg: LegId, fields: HistoryField[]): LegRows
  resetStats(channelId: number, legs: LegId[]): void
  findNdiSources(): Promise<WireNdiSources>
  configureNdi(settings: NdiSettings): Promise<void>
  observeNdi(): NdiState
  checkNdiRuntime(): Promise<NdiRuntimeReport>
  /** As `Engine.applyMatrices`. */
  applyMatrices(wanted: WantedMatrix[]): void
  /** The response follows the snapshot of the matrix. */
  takeRoutes(id: number, routes: Route[]): Promise<TakeOutcome>
}

/** Functions of the hub that the engine calls. */
export interface HubMethods {
  update(snapshot: Snapshot): void
  /** The response acknowledges the events. */
  logEvents(events: EngineEvent[]): void
  ndiSourcesChanged(): void
  ndiStateChanged(): void
  orderPush(sn: string, order: PushOrder): Promise<void>
  cancelOrder(sn: string): Promise<void>
  orderPlayback(sn: string, order: PlayOrder): Promise<void>
  cancelPlayback(sn: string): Promise<void>
}

/** A short text that differs for different values of JSON. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')
