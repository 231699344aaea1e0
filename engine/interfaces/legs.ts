// The inputs and outputs of channels, independent of their protocols.

import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedLeg, ObservedOutput, ObservedPlayer } from './channel.ts'
import type { Failure } from './errors.ts'
import type { Verification } from './launcher.ts'
import type { DatagramSource, RelayAddress, Stream, TransportCounts } from './relay.ts'

/** An output of a channel, independent of its protocol. Times are milliseconds of `Clock.now`. */
export interface Output {
  /** Identifies a resource that only one output at a time can use: the playing device. */
  key?: string
  /** Subscribes to a stream, instead of the one before. */
  attach(stream: Stream): void
  observe(now: number): ObservedOutput
  /** Why the last run ended, if that was not a failure and the output has not connected again. */
  lastEndReason(): Reason | undefined
  /** Call about twice a second. */
  tick(now: number): void
  /** Bytes sent so far. */
  totalBytes(): number
  counters(now: number): LegCounters
  /** The connected players, if they can be distinguished. */
  players?(now: number): ObservedPlayer[]
  /** Disconnects a player, which may reconnect. Returns false if there is no such player. */
  disconnect?(player: number): boolean
  /** Disconnects players whose address is no longer allowed. */
  recheckAddresses?(): void
  /** The playing device went online or offline. */
  onDeviceChange?(): void
  /**
   * Where the output of another engine is handed over to this one, which sends nothing until then. Undefined: nothing
   * can be handed over to it now.
   */
  takeOverAddress?(): RelayAddress | undefined
  /** Sends by itself, unless the output of the other engine was handed over. */
  endTakeOver?(): void
  /** Hands the output over to that of another engine at the next start point. */
  handOver?(address: RelayAddress): void
  /** Whether it was handed over, according to the last report of its relay. */
  isHandedOver?(): boolean
  stop(): Promise<void>
}

/** An SRT connection in caller or rendezvous mode. */
export interface SrtCall {
  /** Whether the other end sends the stream; otherwise it receives it. */
  isReceiver: boolean
  host: string
  port: number
  streamId: string
  /** Empty: no encryption. */
  passphrase: string
  /** AES key length in bytes; 0 lets the other end choose. */
  keyLength: number
  /** Milliseconds. */
  latency: number
  /** Bandwidth for retransmission in percent of the stream's rate; 0 is unlimited. */
  overhead: number
  /** Rendezvous: the hub's own port. 0: caller mode. */
  localPort: number
}

/** How ffmpeg, or another program, receives an input. */
export interface InputCommand {
  args: string[]
  /** As `Launch.hiddenArgs`. Any part of a URL can be a login or key. */
  hiddenArgs?: string[]
  /** As `Launch.allowedHosts`. */
  allowedHosts?: Readonly<Record<string, string>>
  /** As `Launch.verification`. */
  verification?: Verification
  /** Strings that must not leave the engine. */
  secrets: string[]
  /** It waits for a caller, so silence is not a failure. */
  isListener: boolean
  /** Protocol without a connection (UDP, RTP), so silence is not a failure of the other end. */
  isConnectionless: boolean
  /** It is remuxed to MPEG-TS, so its continuity counters do not show losses of the source. */
  isRemuxed?: boolean
  /** Why the run ended, if there is a more specific source than ffmpeg's stderr. */
  failure?(): Failure | undefined
  /** Whether the run ended because the source changed its format, which is not a failure. */
  formatChanged?(): boolean
  /**
   * Whether the run ended because its source has disappeared. The next run waits for the source, so it need not start
   * later each time.
   */
  hasLostSource?(): boolean
  /** A fault of this machine because of which no media arrives. */
  machineFault?(): Failure | undefined
  /** State before the first media arrives, if it is known. */
  problem?(): Pick<ObservedLeg, 'state' | 'connState' | 'reason'> | undefined
  /** The same connection for `headend-srt`. */
  srtCall?: SrtCall
  /** Datagrams that the relay receives itself, without a process. */
  datagrams?: DatagramSource
}

/** Counters of a leg since it was created. A counter that the protocol does not have is absent. */
export interface LegCounters {
  bytes: number
  packets?: number
  lost?: number
  dropped?: number
  retransmitted?: number
  recovered?: number
  /** Gaps in the continuity counters of MPEG-TS packets. */
  gaps?: number
  /** Errors of the transport stream. */
  transport?: TransportCounts
  /** Current round-trip time in milliseconds. */
  rtt?: number
}
