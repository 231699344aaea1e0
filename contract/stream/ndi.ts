// NDI sources that the network announces. The call is not public (reference section 8); a found source is a node of reference 4.8 without
// an id: it gets one when it is saved as an input with the same `config`.
import { call, type ListReply, type Page } from '../call.ts'
import { INPUT_OUTPUT_VIEW } from '../permissions.ts'
import type { NDI, NDI_FOUND } from './protocols.ts'

export interface FoundSource {
  /** `MACHINE (Source)`. */
  name: string
  dir: number
  type: typeof NDI_FOUND
  protocol: typeof NDI
  /** By the name alone: its address changes when it is started anew. */
  config: { type: 1; url: string }
  /** Where it is now. */
  addr: string
}

export interface FoundSources extends ListReply<FoundSource> {
  /** The NDI runtime of the hub: what it calls itself, or why there is none that can be used, and what to do about it. */
  runtime: { version?: string; reason?: string; 'next-step'?: string }
}

/** By name. It is looked for while somebody asks; the first answer waits a moment for the network, later ones may know more. */
export const listNdiSources = call<Page & { /** Part of the name. */ key?: string }, FoundSources>(
  'GET',
  '/ndi/source/list',
  INPUT_OUTPUT_VIEW
)
