// Inputs and outputs as nodes of their own: reference 4.8, 4.9, 5.5 and section 8 for what is not public.
import { call, type ListReply, type Page } from '../call.ts'
import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../permissions.ts'
import type { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'

export interface InputSource {
  id: number
  name: string
  dir: number
  type: number
  protocol: number
  /**
   * `type` 1 is a URL source; of NDI it is `ntkndi:` (ndi-url.ts). In `url` all that may be a secret is masked for who may not edit: password, passphrase, stream id, the
   * key behind an RTMP application, and values of options.
   */
  config: { type: 1; url: string }
  /** Ours: that URL masked, whoever asks: what lists show. */
  'masked-url': string
  /** Names and ids of the channels that use it; answered only to who may view channels. */
  'owner-i'?: string[]
  'owner-i-d'?: number[]
}

/** RTMP target. `key` and `password` are answered only to who may edit; an absent one in a write keeps the stored one. */
export interface RtmpOutput {
  /** Without the key. */
  url: string
  key?: string
  'enable-auth'?: boolean
  username?: string
  password?: string
}

/** What outputs have in common that players come to. */
export interface PlayedOutput {
  /**
   * Ours: IPv4 addresses, or ranges as `10.0.0.0/8`, from which it can be taken, in the place of its channel's `allow-ip`; empty: as that
   * says. At most 32. Absent in a write: as it is.
   */
  'allow-ip'?: string[]
}

/** SRT target or server, by analogy with the Audio DX API (reference 4.9). */
export interface SrtOutput extends PlayedOutput {
  mode: 'caller' | 'listener'
  /** Caller. */
  'dst-ip'?: string
  'dst-port'?: number
  /** Listener. */
  'bind-port'?: number
  /** Listener: players at a time, 1-64 (8). */
  'max-client-num'?: number
  /** Answered only to who may edit: it often carries a key. Of a listener: what players must come with. */
  'stream-id'?: string
  /** Milliseconds, 20-8000. */
  latency?: number
  /** Percent beyond the stream for what is sent once more, 5-100, usually 25; absent: as much as it takes. */
  bandwidth?: number
  enc?: 'disable' | 'aes-128' | 'aes-192' | 'aes-256'
  /** Write only: an empty or absent one with an encryption chosen keeps the stored one (reference 8, point 7). */
  passphrase?: string
}

/** MPEG-TS to an address, over UDP or RTP. Not public: ours, with the names of reference 4.7 and 4.9. */
export interface UdpOutput {
  'dst-ip': string
  'dst-port': number
  /** Bytes of a packet with its headers, 228-1500 (1500, which holds seven packets of MPEG-TS). */
  mtu?: number
  /** 1-255 (1); for an address that many share. */
  'mcast-time-to-live'?: number
  /** Interface it goes through, by name or IPv4 address, for such an address. */
  iface?: string
}

/** RTSP server: reference 4.9. `key` and `password` as with RTMP. */
export interface RtspOutput extends PlayedOutput {
  port: number
  /** The path: `rtsp://<hub>:<port>/<key>`. Absent: one is made. */
  key?: string
  /** 1-64 (8). */
  'max-client-num'?: number
  'enable-auth'?: boolean
  username?: string
  password?: string
  type?: 0
}

/** HLS: the hub's web server has it at `/hls/<key>/index.m3u8`. */
export interface HlsOutput extends PlayedOutput {
  /** Absent: one is made. Answered only to who may edit. */
  key?: string
  /** Segments in the playlist, 3-20 (5). */
  'seg-count'?: number
  /** Seconds, 1-10 (2); a segment ends with the first key frame after that. */
  'seg-duration'?: number
}

/** NDI, as a channel has it (reference 4.7), under the output's name. Without the NDI runtime it is kept, and not carried. */
export interface NdiOutput {
  group?: string
  /** Reference 3.9: 0 UDP unicast, 1 multicast, 2 RUDP, 3 multi TCP. */
  'transport-mode'?: number
  'mcast-ip'?: string
  'mcast-sub-mask'?: string
  'mcast-time-to-live'?: number
}

export type OutputConfig = RtmpOutput | SrtOutput | UdpOutput | RtspOutput | HlsOutput | NdiOutput

/** A protocol, and what an output of it is made of. */
export type TypedOutput =
  | { protocol: typeof RTMP; config: RtmpOutput }
  | { protocol: typeof SRT; config: SrtOutput }
  | { protocol: typeof UDP | typeof RTP; config: UdpOutput }
  | { protocol: typeof RTSP; config: RtspOutput }
  | { protocol: typeof HTTP; config: HlsOutput }
  | { protocol: typeof NDI; config: NdiOutput }

export interface Output {
  id: number
  name: string
  dir: number
  type: number
  /** Protocol bit: tells the shape of `config`. */
  protocol: number
  config: OutputConfig
  /** Ours: where it goes to or is had, without secrets; what lists show. */
  addr: string
  /** The channel that has it; an output belongs to at most one. Answered only to who may view channels. */
  'owner-o'?: string
  'owner-o-d'?: number
}

export interface SourceListRequest extends Page {
  /** Part of the name. */
  key?: string
  /** Ours, of inputs: those of one protocol, as 64 for NDI presets. */
  protocol?: number
  sort?: 'name'
  order?: 'ascending' | 'descending'
}

/** Saved sources: the presets. Those of NDI are the NDI presets (specification 3). */
export const listInputs = call<SourceListRequest, ListReply<InputSource>>(
  'GET',
  '/input/source/list',
  INPUT_OUTPUT_VIEW
)
export interface AddInputRequest {
  name: string
  config: { type: 1; url: string }
}
/** Ours besides: answers the node. 1003 for a name in use, with `owner-i` as of 1005; with `force` the source of that name is overridden, and keeps its id. */
export const addInput = call<AddInputRequest & { force?: boolean }, { id: number }>(
  'POST',
  '/input/source/add',
  INPUT_OUTPUT_EDIT
)
export const setInput = call<AddInputRequest & { id: number }>('POST', '/input/source/set', INPUT_OUTPUT_EDIT)
/** 1005 when a channel uses it, unless forced. */
export const deleteInputs = call<{ id: number | number[]; force?: boolean }>(
  'POST',
  '/input/source/del',
  INPUT_OUTPUT_EDIT
)

export const listOutputs = call<SourceListRequest, ListReply<Output>>('GET', '/output/list', INPUT_OUTPUT_VIEW)
export interface AddOutputRequest {
  name: string
  protocol: number
  config: OutputConfig
}
/**
 * 1007 with `holder` for a port to listen at that another output or input or the hub itself has; 41 with `exists: 'server'` for the target of another
 * output: RTMP by URL and key, callers of SRT, UDP and RTP by address and port (SRT by stream id besides), HLS by key.
 */
export const addOutput = call<AddOutputRequest, { id: number }>('POST', '/output/add', INPUT_OUTPUT_EDIT)
export const setOutput = call<AddOutputRequest & { id: number }>('POST', '/output/set', INPUT_OUTPUT_EDIT)
export const deleteOutputs = call<{ id: number | number[]; force?: boolean }>('POST', '/output/del', INPUT_OUTPUT_EDIT)
