// Inputs and outputs as nodes of their own: reference 4.8, 4.9, 5.5 and section 8 for what is not public.
import { call, type ListReply, type Page } from './call.ts'
import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from './permissions.ts'

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

/** SRT target or server, by analogy with the Audio DX API (reference 4.9). */
export interface SrtOutput {
  mode: 'caller' | 'listener'
  /** Caller. */
  'dst-ip'?: string
  'dst-port'?: number
  /** Listener. */
  'bind-port'?: number
  /** Answered only to who may edit: it often carries a key. */
  'stream-id'?: string
  /** Milliseconds, 20-8000. */
  latency?: number
  enc?: 'disable' | 'aes-128' | 'aes-192' | 'aes-256'
  /** Write only: an empty or absent one with an encryption chosen keeps the stored one (reference 8, point 7). */
  passphrase?: string
}

export interface Output {
  id: number
  name: string
  dir: number
  type: number
  /** Protocol bit: tells the shape of `config`. */
  protocol: number
  /** Ours: where it goes, without secrets, as in the outputs of a channel. */
  addr: string
  config: RtmpOutput | SrtOutput
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

/**
 * Saved sources: the presets. Those of NDI are the NDI presets (specification 3): they are kept and found, and no channel of this hub
 * can take one yet.
 */
export const listInputs = call<SourceListRequest, ListReply<InputSource>>(
  'GET',
  '/input/source/list',
  INPUT_OUTPUT_VIEW
)
export interface AddInputRequest {
  name: string
  config: { type: 1; url: string }
}
/** Ours besides: answers the node. 1003 for a name in use; with `force` the source of that name is overridden, and keeps its id. */
export const addInput = call<AddInputRequest & { force?: boolean }, { id: number }>(
  'POST',
  '/input/source/add',
  INPUT_OUTPUT_EDIT
)
/** 9, as of `addInput` with `force`, for an NDI source in the place of one that a channel uses. */
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
  config: RtmpOutput | SrtOutput
}
/** 1007 for an SRT listener port that another output or the hub itself uses. */
export const addOutput = call<AddOutputRequest, { id: number }>('POST', '/output/add', INPUT_OUTPUT_EDIT)
export const setOutput = call<AddOutputRequest & { id: number }>('POST', '/output/set', INPUT_OUTPUT_EDIT)
export const deleteOutputs = call<{ id: number | number[]; force?: boolean }>('POST', '/output/del', INPUT_OUTPUT_EDIT)
