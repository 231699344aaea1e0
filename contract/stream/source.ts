// Input sources (presets) and outputs (docs/wire.md, "Inputs and outputs").

import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest, type ListResponse, type PageRequest } from '../call.ts'
import type { OutputConfigs, PlaybackConfig } from './output-settings.schema.ts'
import type { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'

/** The configuration of an input. */
export interface InputConfig {
  type: 1
  url: string
  /** Number of the program to receive, 1-65535, for MPEG-TS with several programs over SRT, UDP or RTP. Absent: all programs. */
  program?: number
}

/** A program of an MPEG-TS. */
export interface InputProgram {
  number: number
  /** Names of the codecs of its tracks; empty until they are known. */
  codecs: string[]
}

export interface InputSource {
  id: number
  name: string
  dir: number
  type: number
  protocol: number
  /**
   * `type` 1 is a URL source; NDI sources have an `ntkndi:` URL (ndi-url.ts). For callers that may not edit inputs, `url` is masked: password,
   * passphrase, stream ID, RTMP stream key, and values of query options.
   */
  config: InputConfig
  /** The programs that a running channel currently receives from it, whether chosen or not; absent if there is only one. */
  programs?: InputProgram[]
  /** The masked URL, for all callers. Shown in lists. */
  'masked-url': string
  /** Names and ids of the channels that use it; returned only to callers that may view channels. */
  'owner-i'?: string[]
  'owner-i-d'?: number[]
  /** A channel that the caller may not see uses the input. */
  'owner-hidden'?: true
}

export type RtmpOutput = OutputConfigs[typeof RTMP]
export type SrtOutput = OutputConfigs[typeof SRT]
export type UdpOutput = OutputConfigs[typeof UDP]
export type RtspOutput = OutputConfigs[typeof RTSP]
export type HlsOutput = OutputConfigs[typeof HTTP]
export type NdiOutput = OutputConfigs[typeof NDI]
/** Common fields of outputs to which players connect. */
export type PlaybackOutput = PlaybackConfig

export type OutputConfig = OutputConfigs[keyof OutputConfigs]

/** Protocol of an output with its configuration. */
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
  /** Protocol bit; determines the type of `config`. */
  protocol: number
  config: OutputConfig
  /** Target, or address for players, without secrets. Shown in lists. */
  addr: string
  /** The channel of the output; an output belongs to at most one. Returned only to callers that may view channels. */
  'owner-o'?: string
  'owner-o-d'?: number
  /** A channel that the caller may not see has the output. */
  'owner-hidden'?: true
}

export interface SourceListRequest extends PageRequest {
  /** Substring of the name. */
  key?: string
  /** Inputs only: protocol bit, for example 64 for NDI presets. */
  protocol?: number
  sort?: 'name'
  order?: 'ascending' | 'descending'
}

/** Lists the saved input sources (presets). */
export const listInputs = declareCall<SourceListRequest, ListResponse<InputSource>>(
  'GET',
  '/input/source/list',
  INPUT_OUTPUT_VIEW
)

export interface AddInputRequest {
  name: string
  config: InputConfig
}

/** Returns the node id. 1003 if the name is in use, with `owner-i` as for 1005; `force` overwrites the source with that name and keeps its id. */
export const addInput = declareCall<AddInputRequest & { force?: boolean }, { id: number }>(
  'POST',
  '/input/source/add',
  INPUT_OUTPUT_EDIT
)
/** 1005 with `same-host` if a channel that uses it sends to the new host; `force` overrides. */
export const setInput = declareCall<AddInputRequest & { id: number; force?: boolean }>(
  'POST',
  '/input/source/set',
  INPUT_OUTPUT_EDIT
)

/** 1005 if a channel uses it; `force` overrides. */
export const deleteInputs = declareCall<{ id: number | number[]; force?: boolean }>(
  'POST',
  '/input/source/del',
  INPUT_OUTPUT_EDIT
)

export const listOutputs = declareCall<SourceListRequest, ListResponse<Output>>(
  'GET',
  '/output/list',
  INPUT_OUTPUT_VIEW
)

export interface AddOutputRequest {
  name: string
  protocol: number
  config: OutputConfig
}

/**
 * 1007 with `holder` if a local port is in use by another input or output or by the hub; 41 with `exists: 'server'` if another output has the same
 * target: URL and key for RTMP; address and port for SRT callers (and stream ID), UDP and RTP; key for HLS. 1001 if another output or channel
 * uses a key of an RTSP output, or its two keys are the same.
 */
/** A port for a new output that waits for players: the first from 9001 on that nothing on the hub's machine uses. 1007 if all are in use. */
export const proposePort = declareCall<EmptyRequest, { port: number }>('GET', '/output/free-port', INPUT_OUTPUT_EDIT)
export const addOutput = declareCall<AddOutputRequest, { id: number }>('POST', '/output/add', INPUT_OUTPUT_EDIT)
/** As `addOutput`; 1005 with `same-host` if its channel receives from the new host; `force` overrides. */
export const setOutput = declareCall<AddOutputRequest & { id: number; force?: boolean }>(
  'POST',
  '/output/set',
  INPUT_OUTPUT_EDIT
)
export const deleteOutputs = declareCall<{ id: number | number[]; force?: boolean }>(
  'POST',
  '/output/del',
  INPUT_OUTPUT_EDIT
)
