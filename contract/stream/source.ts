// Input sources (presets) and outputs (docs/wire.md, "Inputs and outputs").

import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'
import type { AudioConfig, OutputConfigs, PlaybackConfig } from './output-settings.schema.ts'
import type { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'

export type { InputConfig, InputProgram, InputSource, Output, OutputConfig } from './source.schema.ts'

export type RtmpOutput = OutputConfigs[typeof RTMP]
export type SrtOutput = OutputConfigs[typeof SRT]
export type UdpOutput = OutputConfigs[typeof UDP]
export type RtspOutput = OutputConfigs[typeof RTSP]
export type HlsOutput = OutputConfigs[typeof HTTP]
export type NdiOutput = OutputConfigs[typeof NDI]
/** Common fields of outputs to which players connect. */
export type PlaybackOutput = PlaybackConfig

/** Common fields of outputs whose audio can be encoded. */
export type AudioOutput = AudioConfig

/** Protocol of an output with its configuration. */
export type TypedOutput =
  | { protocol: typeof RTMP; config: RtmpOutput }
  | { protocol: typeof SRT; config: SrtOutput }
  | { protocol: typeof UDP | typeof RTP; config: UdpOutput }
  | { protocol: typeof RTSP; config: RtspOutput }
  | { protocol: typeof HTTP; config: HlsOutput }
  | { protocol: typeof NDI; config: NdiOutput }

export type SourceListRequest = RequestTo<'GET /input/source/list'>

export const listInputs = declareCall('GET /input/source/list', INPUT_OUTPUT_VIEW)

export type AddInputRequest = RequestTo<'POST /input/source/add'>

export const addInput = declareCall('POST /input/source/add', INPUT_OUTPUT_EDIT, { interrupts: true })
export const setInput = declareCall('POST /input/source/set', INPUT_OUTPUT_EDIT, { interrupts: true })

export const deleteInputs = declareCall('POST /input/source/del', INPUT_OUTPUT_EDIT, { interrupts: true })

export const listOutputs = declareCall('GET /output/list', INPUT_OUTPUT_VIEW)

export type AddOutputRequest = RequestTo<'POST /output/add'>

export const proposePort = declareCall('GET /output/free-port', INPUT_OUTPUT_EDIT)
export const addOutput = declareCall('POST /output/add', INPUT_OUTPUT_EDIT, { interrupts: true })
export const setOutput = declareCall('POST /output/set', INPUT_OUTPUT_EDIT, { interrupts: true })
export const deleteOutputs = declareCall('POST /output/del', INPUT_OUTPUT_EDIT, { interrupts: true })
