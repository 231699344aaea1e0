// What the engine is told, and what it answers: one channel is one input, N outputs and a switch.
import type { RTMP, SRT } from '../../contract/protocols.ts'
import type { RtmpOutput, SrtOutput } from '../../contract/source.ts'
import type { SourceUrl } from '../../contract/source-url.ts'
import type { Reason } from '../words/reasons.ts'

/** How a device is to send its stream: as `PushOrder` has it. */
export interface PushManner {
  /** Milliseconds. */
  latency: number
  'stream-index': 0 | 1
}

export type WantedInput =
  | { id: number; name: string; kind: 'device'; sn: string; manner?: PushManner }
  | { id: number; name: string; kind: 'url'; url: SourceUrl }

/** Configurations hold their secrets in the clear here. */
export type WantedOutput = { id: number; name: string } & (
  | { protocol: typeof RTMP; config: RtmpOutput }
  | { protocol: typeof SRT; config: SrtOutput }
)

export interface Wanted {
  id: number
  name: string
  enable: boolean
  input: WantedInput | null
  outputs: WantedOutput[]
}

/** What was measured of one leg; the codes are those of `contract/protocols.ts`. */
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
  /** SRT listener: how many take it now. */
  clientNum?: number
  /** Bytes left out since it opened because it was too slow; absent when there were none. */
  dropped?: number
}

/** A channel's own values are those of its input. Without one, both wait. */
export interface ChannelObserved extends LegObserved {
  input: LegObserved
  outputs: Map<number, OutputObserved>
}

export interface StreamEvent {
  channelId: number
  kind: 'channel-started' | 'channel-stopped' | 'input-up' | 'input-down' | 'output-up' | 'output-down'
  /** Of the channel, the input or the output. */
  name: string
  reason?: Reason
}
