// What the engine is told, and what it answers: one channel is one input, N outputs and a switch.
import type { SwitchRule } from '../../contract/stream/channel.ts'
import type { NdiUrl } from '../../contract/stream/ndi-url.ts'
import type { PROTOCOL_DEFAULT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { TypedOutput } from '../../contract/stream/source.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'

/** How a device is to send its stream: as `PushOrder` has it. */
export interface PushManner {
  /** Milliseconds. */
  latency: number
  'stream-index': 0 | 1
}

/** Which device is to play, and how: as `PlayOrder` has it. */
export interface PlayManner {
  sn: string
  /** Milliseconds. */
  latency: number
  'buffer-ms'?: number
}

export type WantedInput =
  | { id: number; name: string; kind: 'device'; sn: string; manner?: PushManner }
  | { id: number; name: string; kind: 'url'; url: SourceUrl }
  | { id: number; name: string; kind: 'ndi'; source: NdiUrl }
  | PushedInput

/** Whoever comes to the hub's shared ports with the push key of a channel. */
export interface PushedInput {
  id: 0
  name: string
  kind: 'pushed'
  channel: number
}

/** How a channel is reached at the hub's shared ports. */
export interface Door {
  pushKey: string
  playKey: string
  /** Whether it can be played so. */
  srt: boolean
  rtmp: boolean
  /** IPv4 addresses, or ranges of them as `10.0.0.0/8`, that may send and play, here and at outputs that players come to; empty: all. */
  allowIp: readonly string[]
}

/** Configurations hold their secrets in the clear here. */
export type WantedOutput = {
  id: number
  name: string
  /** Its own switch: what is off is known and not run. Absent: on. */
  enable?: boolean
} & (TypedOutput | { protocol: typeof PROTOCOL_DEFAULT; config: PlayManner })

export interface Wanted {
  id: number
  name: string
  enable: boolean
  input: WantedInput | null
  outputs: WantedOutput[]
  /** Inputs that take over from the one before them; absent is none. */
  backups?: WantedInput[]
  /** When they do; the standard unless given. */
  switch?: SwitchRule
  /** A still picture while no input carries. */
  slate?: boolean
  door?: Door
}

/** What was measured of one leg; the codes are those of `contract/stream/protocols.ts`. */
export interface LegObserved {
  /** `SOURCE` */
  state: number
  /** `CONNECTION`; `connected` only while bytes were counted in the last 3 seconds. */
  connState: number
  /** Carried in the last 2 seconds; 0 unless connected. */
  kbps: number
  /** Seconds without a break; 0 unless connected. */
  livingTimeS: number
  /** What is wrong, without secrets. */
  reason?: Reason
}

export interface OutputObserved extends LegObserved {
  /** How many take it now, where players come to it. */
  clientNum?: number
  /** Bytes left out since it opened because it was too slow; absent when there were none. */
  dropped?: number
}

/** Who takes an output that players come to. */
export interface TakerObserved {
  /** In the order of their coming, and no other's while the hub runs. */
  id: number
  /** IP address, with the port where it is known. */
  address: string
  kbps: number
  livingTimeS: number
}

/** Who is connected to a channel, at the hub's shared ports or at one of its outputs. */
export interface ClientObserved extends TakerObserved {
  /** It is the publisher; else it plays. */
  sends: boolean
  protocol: number
  /** Id of the output that it takes; absent at the shared ports. */
  output?: number
}

/** A channel's own values are those of the input that is on air, else of its first. Without one, both wait. */
export interface ChannelObserved extends LegObserved {
  input: LegObserved
  /** By their ids. */
  backups?: Map<number, LegObserved>
  outputs: Map<number, OutputObserved>
  /** Oldest first. */
  clients?: ClientObserved[]
  /** Absent when it is stopped or has no input. */
  onAir?: OnAirObserved
}

/** What the outputs are given. */
export interface OnAirObserved {
  /** Id of an input; undefined before any has carried. */
  input: number | undefined
  slate: boolean
  why: Reason
}

export interface StreamEvent {
  channelId: number
  kind:
    | 'channel-started'
    | 'channel-stopped'
    | 'channel-switched'
    | 'input-up'
    | 'input-down'
    | 'output-up'
    | 'output-down'
  /** Of the channel, the input or the output. */
  name: string
  /** Id of the input that it is about. */
  input?: number
  /** Serial of the device that the output is which it is about. */
  player?: string
  reason?: Reason
}
