import * as z from 'zod'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannelOutputs,
  deleteChannels,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../channel.ts'
import { SERVERS_MAX } from '../limits.ts'
import { streamName, wireKey } from '../rules.ts'
import { id, ids, order, page, queryNumber, ruled, shape, since } from './shape.ts'

const parts = {
  'output-start': queryNumber(0, 1e6),
  'output-count': queryNumber(0, 1000),
  'client-start': queryNumber(0, 1e6),
  'client-count': queryNumber(0, 1000)
}

shape(
  channelDashboard,
  z.object({
    ...page,
    ...parts,
    live: queryNumber(0, 1),
    history: queryNumber(0, 1),
    sort: z.enum(['name']).optional(),
    order,
    since
  })
)
shape(
  queryChannel,
  z
    .object({ ...parts, level: queryNumber(0, 1), id: queryNumber(0, Number.MAX_SAFE_INTEGER) })
    .refine((value) => value.id !== undefined, {
      path: ['id']
    }) as unknown as z.ZodType<{ id: number }>
)
const keys = z.object({ 'play-key': ruled(wireKey).optional(), 'push-key': ruled(wireKey).optional() }).optional()
shape(addChannel, z.object({ name: ruled(streamName), config: keys }))
shape(setChannel, z.object({ id, name: ruled(streamName), config: keys }))
shape(enableChannel, z.object({ id, enable: z.boolean() }))
shape(deleteChannels, z.object({ id: ids }))
shape(setChannelInput, z.object({ id, input: id }))
const outputs = z.object({ id, outputs: z.array(id).min(1).max(SERVERS_MAX) })
shape(addChannelOutputs, outputs)
shape(deleteChannelOutputs, outputs)
