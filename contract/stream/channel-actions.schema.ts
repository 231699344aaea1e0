// Schemas of stream/channel-actions.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { LICENSE_LIMIT, NOT_EXIST, WRONG_STATE } from '../codes.ts'
import { id } from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'

/** An input or output that a copy of a channel does not have. The name is empty if the caller may not see it. */
export const LeftOut = z.object({
  name: z.string(),
  why: z
    .enum(['port', 'target', 'device', 'hidden'])
    .describe(
      '`port`: it listens at a port. `target`: only one output may send there. `device`: it plays one channel only. `hidden`: not visible to the caller'
    )
})

export type LeftOut = z.infer<typeof LeftOut>

export const channelActionsSchemas = {
  'POST /channel/input/switch': {
    summary:
      'Puts an input on air at once: the node id of the main input (0 for a publisher) or of a backup, or the slate. A backup or the slate is then held: the failover rule chooses again with `auto`, when the channel stops, or when the input has lost its media for `after-s`. The main input needs no hold, because the rule keeps it as well.',
    operation: ['Switch input of channel', '切换频道输入'],
    request: z.object({
      id,
      input: z
        .union([id, z.enum(['slate', 'auto'])])
        .describe('node id of the main input (0: the publisher) or of a backup, `slate`, or `auto`'),
      ...dryRun
    }),
    errors: { [NOT_EXIST]: 'no input of the channel', [WRONG_STATE]: 'with `switch-fault`' },
    source: 'own',
    examples: [{ id: 1, input: 'auto' }]
  },
  'POST /channel/duplicate': {
    summary:
      'Adds a stopped copy of a channel with new keys and without its schedule. Outputs are copied with new keys, except those that cannot exist twice.',
    operation: ['Duplicate channel', '复制频道'],
    request: z.object({ id }),
    response: z.object({
      id: z.int(),
      name: z.string(),
      'left-out': z.array(LeftOut).describe('inputs and outputs that it does not have')
    }),
    responseNote:
      '`id`, `name` of the copy, which is stopped and has new keys and no schedule; `left-out`: inputs and outputs that it does not have, each with `name` and `why`: `port` (it listens at a port), `target` (only one output may send there), `device`, `hidden`',
    errors: { [NOT_EXIST]: '', [LICENSE_LIMIT]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
