// Schemas of stream/channel-security.
import * as z from 'zod'
import { masks, ObjectSecurity, Visibility } from '../access/visibility.schema.ts'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_EXIST } from '../codes.ts'
import { emptyRequest, ids } from '../fields.schema.ts'

/** Result per channel of a call for several channels. */
export const ChannelResults = z.object({
  details: z.array(
    z.object({
      id: z.int(),
      result: z.number()
    })
  )
})
/** Defaults for all channels. `security` applies to channels that inherit. */
export const GlobalChannelSettings = z.object({
  security: Visibility
})

export type ChannelResults = z.infer<typeof ChannelResults>
export type GlobalChannelSettings = z.infer<typeof GlobalChannelSettings>

export const channelSecuritySchemas = {
  'POST /channel/security/set': {
    summary: 'Sets who sees channels. Takes one id or several.',
    operation: ['Set access to channels', '设置频道可见范围'],
    request: z.object({
      id: ids.describe('one or several'),
      security: ObjectSecurity.describe('`is-inherit`, `group-mask`, `usr-mask`')
    }),
    response: ChannelResults,
    responseNote: '`details`, one `{ id, result }` for each channel',
    errors: { [INVALID_ARG]: 'unknown bit', [NOT_EXIST]: 'per channel' },
    source: 'own',
    examples: [
      { id: 100001, security: { 'is-inherit': 1 } },
      { id: [100001, 100002], security: { 'is-inherit': 0, 'group-mask': 4294967295, 'usr-mask': 0 } }
    ]
  },
  'GET /channel/global/get': {
    summary: 'Returns the visibility of channels that inherit it.',
    request: emptyRequest,
    response: GlobalChannelSettings,
    responseNote: '`security` (`group-mask`, `usr-mask`)',

    source: 'own',
    examples: [{}]
  },
  'POST /channel/global/set': {
    summary: 'Sets the visibility of channels that inherit it.',
    operation: ['Set default access to channels', '设置频道默认可见范围'],
    request: z.object({ security: z.object(masks).describe('`group-mask`, `usr-mask`') }),
    errors: { [INVALID_ARG]: '' },
    source: 'own',
    examples: [{ security: { 'group-mask': 4294967295, 'usr-mask': 0 } }]
  }
} satisfies CallSchemas
