// NDI discovery: sources that are announced on the network. A discovered source is a node without an id; it gets one when it is saved as an
// input with the same `config`.

import { INPUT_OUTPUT_VIEW } from '../access/permissions.ts'
import { declareCall, type ListResponse, type PageRequest } from '../call.ts'
import type { NDI, NDI_DISCOVERED } from './protocols.ts'

export interface NdiSource {
  /** `MACHINE (Source)`. */
  name: string
  dir: number
  type: typeof NDI_DISCOVERED
  protocol: typeof NDI
  /** URL with the name only, because the address changes when the source restarts. */
  config: { type: 1; url: string }
  /** Current address. */
  addr: string
}

export interface NdiSourceList extends ListResponse<NdiSource> {
  /** NDI runtime of the hub: its version, or the reason why it is not usable and the next step, in the language of the request. */
  runtime: { version?: string; reason?: string; 'next-step'?: string }
}

/** Lists discovered sources by name. Discovery runs while clients poll this call; the first response waits briefly for announcements. */
export const listNdiSources = declareCall<PageRequest & { /** Substring of the name. */ key?: string }, NdiSourceList>(
  'GET',
  '/ndi/source/list',
  INPUT_OUTPUT_VIEW
)
