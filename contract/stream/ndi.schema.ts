// Schemas of stream/ndi.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../codes.ts'
import { listOf, own, page, text, vendor } from '../fields.schema.ts'
import { MissingReason, NdiSearchSettings } from '../ndi/missing.schema.ts'
import { VideoFormat } from './format.schema.ts'
import { NDI, NDI_DISCOVERED } from './protocols.ts'

/** What uses a source. */
export const NdiSourceUse = z.object({
  'owner-i': z
    .array(z.string())
    .optional()
    .meta(vendor('Names of the channels whose inputs are presets of it. For callers with CHANNEL_VIEW')),
  'owner-i-d': z.array(z.number()).optional().meta(vendor('Ids of the channels in `owner-i`, in the same order')),
  'owner-hidden': z
    .literal(true)
    .optional()
    .meta(own('`true`: a channel that the caller may not see uses or plays it')),
  presets: z.array(z.number()).describe('Ids of its presets'),
  matrices: z
    .array(
      z.object({
        id: z.int(),
        name: z.string()
      })
    )
    .optional()
    .describe('Matrices of the NDI router that have it as a source; returned only to callers that may view NDI')
})
export const NdiSource = z.object({
  ...NdiSourceUse.shape,
  name: z.string().describe('`MACHINE (Source)`'),
  dir: z.int(),
  type: z.literal(NDI_DISCOVERED),
  protocol: z.literal(NDI),
  config: z
    .object({
      type: z.literal(1),
      url: z.string()
    })
    .describe('URL with the name only, because the address changes when the source restarts'),
  addr: z.string().describe('Current address'),
  state: z
    .union([z.literal(NDI_SOURCE_ONLINE), z.literal(NDI_SOURCE_OFFLINE)])
    .optional()
    .describe(
      'Whether its machine answers: the announcements of a machine without a cable last for an hour. Absent: it has never answered, as behind some firewalls, or the address is forbidden'
    ),
  format: VideoFormat.pick({ width: true, height: true, fps: true, interlaced: true })
    .optional()
    .describe('The format in which a channel receives it now')
})
/** A source that a preset or a matrix names and discovery does not find. */
export const MissingNdiSource = z.object({
  ...NdiSourceUse.shape,
  name: z.string(),
  reasons: z.array(MissingReason).describe('Possible reasons, the most likely first'),
  texts: z.array(z.string()).describe('`reasons` as sentences in the language of the request')
})
export const NdiSourceList = z.object({
  ...listOf(NdiSource).shape,
  missing: z
    .array(MissingNdiSource)
    .describe('By name. Without presets that search elsewhere than where the settings of the hub say'),
  search: NdiSearchSettings.optional().describe('Where the hub searches; returned only to callers that may view NDI'),
  runtime: z
    .object({
      version: z.string().optional(),
      reason: z.string().optional(),
      'next-step': z.string().optional()
    })
    .describe(
      'NDI runtime of the hub: its version, or the reason why it is not usable and the next step, in the language of the request'
    )
})

export type NdiSourceUse = z.infer<typeof NdiSourceUse>
export type NdiSource = z.infer<typeof NdiSource>
export type MissingNdiSource = z.infer<typeof MissingNdiSource>
export type NdiSourceList = z.infer<typeof NdiSourceList>

export const ndiSchemas = {
  'GET /ndi/source/list': {
    summary:
      'Lists discovered sources by name. Discovery runs while clients poll this call; the first response waits briefly for announcements.',
    request: z.object({ ...page, key: text.optional().describe('substring of the name') }),
    response: NdiSourceList,
    responseNote: 'list of sources by name, `missing`, `search`, `runtime` (`version`; or `reason` and `next-step`)',

    source: 'own',
    examples: [{}, { start: 0, count: 10000, key: 'cam' }]
  }
} satisfies CallSchemas
