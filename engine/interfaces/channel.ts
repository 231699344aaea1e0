// The engine's input and output data: the wanted state of each channel, set by the hub, and its observed state.
// A channel is one input with optional backups, any number of outputs, and an on/off switch.

import type { NdiUrl } from '../../contract/ndi/url.ts'
import type { EngineChannelSettings } from '../../contract/stream/channel-settings.schema.ts'
import type { ContentReport } from '../../contract/stream/content-report.schema.ts'
import type { StreamFormat } from '../../contract/stream/format.ts'
import type { EngineInputSettings } from '../../contract/stream/input-settings.schema.ts'
import { CONNECTION_STATE, type PROTOCOL_DEFAULT, type RTMP, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { TypedOutput } from '../../contract/stream/source.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import type { ObservedRecording, WantedRecording } from './recording.ts'
import type { RelayProgram } from './relay.ts'

/** How a device pushes its stream; the fields are those of `PushOrder`. */
export interface PushSettings {
  /** 1: RTMP, to the shared port. Absent: SRT. */
  protocol?: typeof RTMP
  /** SRT latency in milliseconds. */
  latency: number
  /** 0 main stream, 1 sub stream. */
  'stream-index': 0 | 1
}

/** Which device plays the channel, and how; the fields are those of `PlayOrder`. */
export interface PlaybackSettings {
  sn: string
  /** SRT latency in milliseconds. */
  latency: number
  'buffer-ms'?: number
}

export type WantedInput = (
  | { id: number; name: string; kind: 'device'; sn: string; push?: PushSettings }
  | { id: number; name: string; kind: 'url'; url: SourceUrl }
  | { id: number; name: string; kind: 'ndi'; source: NdiUrl }
  | PushedInput
) &
  Partial<EngineInputSettings>

/** The publisher that connects to the shared ports with the push key of a channel. */
export interface PushedInput {
  id: 0
  name: string
  kind: 'pushed'
  /** Channel ID. */
  channel: number
}

/**
 * Keys, protocols and allowed addresses of a channel at the shared ports. `allow-ip` also applies to listening outputs
 * of the channel. Default of `replace-publisher`: only a publisher that has been silent for a second is replaced.
 */
export type ChannelAccess = Partial<EngineChannelSettings<'access'>> &
  Pick<EngineChannelSettings<'access'>, 'play-key' | 'push-key' | 'allow-ip'> & {
    /** Whether players may connect over SRT. */
    srt: boolean
    /** Whether players may connect over RTMP. */
    rtmp: boolean
  }

/** An output with its configuration; secrets are in plain text. */
export type WantedOutput = {
  id: number
  name: string
  /** A disabled output is known but does not run. Default: enabled. */
  enable?: boolean
} & (TypedOutput | { protocol: typeof PROTOCOL_DEFAULT; config: PlaybackSettings })

/** What an operator has put on air. It stays until the channel's rule may choose again, or until it has no media. */
export interface WantedHold {
  /** ID of the main input or a backup; `slate` for the slate. */
  input: number | 'slate'
  /** Differs from that of an earlier choice of the channel. */
  version: number
}

/** The settings of a channel that the engine gets, and what it needs to know besides them. */
export interface WantedChannel extends Partial<EngineChannelSettings<'own'>> {
  id: number
  name: string
  enable: boolean
  input: WantedInput | null
  outputs: WantedOutput[]
  /** Backup inputs, in the order in which they take over. Default: none. */
  backups?: WantedInput[]
  /** Default: the rule chooses. A choice that has ended has no effect. */
  hold?: WantedHold
  access?: ChannelAccess
  /** Records the stream of the outputs. Default: it is not recorded. */
  recording?: WantedRecording
}

/** Measured state of an input or output. */
export interface ObservedLeg {
  /** A value of `SOURCE_STATE`. */
  state: number
  /** A value of `CONNECTION_STATE`; `connected` only if bytes were counted in the last 3 seconds. */
  connState: number
  /** Rate over the last 2 seconds; 0 unless connected. */
  kbps: number
  /** Seconds since the stream started or was last interrupted; 0 unless connected. */
  livingTimeS: number
  /** The reason for a failure. Contains no secrets. */
  reason?: Reason
  /** The last caller that was refused, while the leg waits for one. */
  refusal?: ObservedRefusal
  /** Programs of a source that has several, with the stream types of each. */
  programs?: readonly RelayProgram[]
  /** Inputs: what arrives. */
  format?: StreamFormat
  /** Inputs: what the checks of the content have found. Absent: none are on. */
  content?: ContentReport
}

/** A caller that a listening leg has refused. */
export interface ObservedRefusal {
  /** Contains no secrets. */
  reason: Reason
  /** IP address, if it is known. */
  address?: string
  /** Milliseconds since the epoch. */
  at: number
}

/** A leg that does not run, or of which nothing is known yet. */
export const IDLE_LEG: ObservedLeg = {
  state: SOURCE_STATE.initializing,
  connState: CONNECTION_STATE.waiting,
  kbps: 0,
  livingTimeS: 0
}

export interface ObservedOutput extends ObservedLeg {
  /** Number of connected players, for an output that players connect to. */
  clientNum?: number
  /** Bytes dropped since the output opened because its target was too slow; absent if none. */
  droppedBytes?: number
}

/** A player of an output that players connect to. */
export interface ObservedPlayer {
  /** Increases with each connection; unique until the engine restarts. */
  id: number
  /** IP address, with the port if it is known. */
  address: string
  kbps: number
  /** Seconds since the player connected. */
  livingTimeS: number
}

/** A client of a channel, at the shared ports or at one of its outputs. */
export interface ObservedClient extends ObservedPlayer {
  /** Publisher if true, player if false. */
  isPublisher: boolean
  /** One of the protocol bits, such as `SRT`. */
  protocol: number
  /** ID of the output that it plays; absent at the shared ports. */
  outputId?: number
}

/**
 * The channel's own values are those of the input on air, or of the first input if none is on air. Its uptime is that
 * of the stream for the outputs, which continues when another input takes over without an interruption.
 */
export interface ObservedChannel extends ObservedLeg {
  input: ObservedLeg
  /** By input ID. */
  backups?: Map<number, ObservedLeg>
  /** By output ID. */
  outputs: Map<number, ObservedOutput>
  /** Oldest first. */
  clients?: ObservedClient[]
  /** Absent if the channel is stopped or has no input. */
  onAir?: ObservedOnAir
  /** Absent: the channel is not recorded, or is stopped. */
  recording?: ObservedRecording
}

/** The stream that the outputs of a channel receive. */
export interface ObservedOnAir {
  /** Input ID; undefined until an input has been active. */
  inputId: number | undefined
  /** Whether the slate is on air. */
  slate: boolean
  reason: Reason
  /** Whether an operator has chosen it and the rule does not change it. Default: no. */
  isHeld?: boolean
  /** A backup is on air. Whether the first input has media again. Default: no. */
  isFirstBack?: boolean
  /** Seconds after which the first input, which has media again, returns by itself. Absent: it does not. */
  returnsInS?: number
}

export interface StreamEvent {
  channelId: number
  kind:
    | 'channel-started'
    | 'channel-stopped'
    | 'channel-switched'
    | 'input-up'
    | 'input-down'
    /** An input that has media has lost a track, and has all of them again. */
    | 'track-lost'
    | 'track-found'
    /** The codecs or the tracks of an input are others than before. */
    | 'input-changed'
    | 'output-up'
    | 'output-down'
    /** A leg that listens at a port of its own has refused a caller. */
    | 'caller-refused'
  /** Name of the channel, input or output. */
  name: string
  /** Version of the operator's choice that has ended (`WantedHold`). */
  endedHold?: number
  /** ID of the input, for input events. */
  inputId?: number
  /** Serial number of the playing device, for events of device outputs. */
  playerSn?: string
  /** IP address of a refused caller, if it is known. */
  address?: string
  reason?: Reason
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
