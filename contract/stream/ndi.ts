// NDI discovery: sources that are announced on the network. A discovered source is a node without an id; it gets one when it is saved as an
// input with the same `config`, which is a preset (`ndi/preset.ts`).

import { INPUT_OUTPUT_VIEW, NDI_VIEW } from '../access/permissions.ts'
import { declareCall, type ListResponse, type PageRequest } from '../call.ts'
import type { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../codes.ts'
import type { MissingReason, NdiSearchSettings } from '../ndi/missing.ts'
import type { VideoFormat } from './format.ts'
import type { NDI, NDI_DISCOVERED } from './protocols.ts'

/** What uses a source. */
export interface NdiSourceUse {
  /** Names and ids of the channels whose inputs are presets of it; returned only to callers that may view channels. */
  'owner-i'?: string[]
  'owner-i-d'?: number[]
  /** A channel that the caller may not see uses it. */
  'owner-hidden'?: true
  /** Ids of its presets. */
  presets: number[]
  /** Matrices of the NDI router that have it as a source; returned only to callers that may view NDI. */
  matrices?: { id: number; name: string }[]
}

export interface NdiSource extends NdiSourceUse {
  /** `MACHINE (Source)`. */
  name: string
  dir: number
  type: typeof NDI_DISCOVERED
  protocol: typeof NDI
  /** URL with the name only, because the address changes when the source restarts. */
  config: { type: 1; url: string }
  /** Current address. */
  addr: string
  /** Whether its port answers: the announcements of a machine without a cable last for an hour. Absent: not known yet, or the address is forbidden. */
  state?: typeof NDI_SOURCE_ONLINE | typeof NDI_SOURCE_OFFLINE
  /** The format in which a channel receives it now. */
  format?: Pick<VideoFormat, 'width' | 'height' | 'fps' | 'interlaced'>
}

/** A source that a preset or a matrix names and discovery does not find. */
export interface MissingNdiSource extends NdiSourceUse {
  name: string
  /** Possible reasons, the most likely first. */
  reasons: MissingReason[]
}

export interface NdiSourceList extends ListResponse<NdiSource> {
  /** By name. Without presets that search elsewhere than where the settings of the hub say. */
  missing: MissingNdiSource[]
  /** Where the hub searches; returned only to callers that may view NDI. */
  search?: NdiSearchSettings
  /** NDI runtime of the hub: its version, or the reason why it is not usable and the next step, in the language of the request. */
  runtime: { version?: string; reason?: string; 'next-step'?: string }
}

/** Lists discovered sources by name. Discovery runs while clients poll this call; the first response waits briefly for announcements. */
export const listNdiSources = declareCall<PageRequest & { /** Substring of the name. */ key?: string }, NdiSourceList>(
  'GET',
  '/ndi/source/list',
  INPUT_OUTPUT_VIEW | NDI_VIEW
)
