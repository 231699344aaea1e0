import * as z from 'zod'
import { ALLOWED_MAX, BACKUPS_MAX, SCHEDULE_RULES_MAX, SERVERS_MAX, SWITCH_AFTER, SWITCH_BACK } from '../limits.ts'
import { ipRange } from '../rules/network.ts'
import { optional, streamName, wireKey } from '../rules/rules.ts'
import { scheduleTime, timeZone } from '../rules/schedule.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannelOutputs,
  deleteChannels,
  dropChannelClients,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannel,
  setChannelInput
} from '../stream/channel.ts'
import { EVERY_DAY } from '../stream/schedule.ts'
import { id, ids, order, page, queryNumber, ruled, shape, since, wholeNumber } from './shape.ts'
import { ndiOutput } from './source.ts'

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
const config = z
  .object({
    'play-key': ruled(optional(wireKey)).optional(),
    'push-key': ruled(optional(wireKey)).optional(),
    ndi: ndiOutput.extend({ enable: z.boolean() }).optional(),
    protocol: z.object({ rtmp: z.boolean(), srt: z.boolean() }).partial().optional(),
    'allow-ip': z.array(ruled(ipRange)).max(ALLOWED_MAX).optional(),
    backups: z.array(id).max(BACKUPS_MAX).optional(),
    switch: z
      .object({
        'after-s': wholeNumber(SWITCH_AFTER.min, SWITCH_AFTER.max),
        back: z.enum(['never', 'first']),
        'back-after-s': wholeNumber(SWITCH_BACK.min, SWITCH_BACK.max)
      })
      .optional(),
    slate: z.boolean().optional(),
    schedule: z
      .object({
        zone: ruled(timeZone),
        rules: z
          .array(z.object({ days: wholeNumber(1, EVERY_DAY), start: ruled(scheduleTime), stop: ruled(scheduleTime) }))
          .max(SCHEDULE_RULES_MAX)
      })
      .optional()
  })
  .optional()
shape(addChannel, z.object({ name: ruled(streamName), config }))
shape(setChannel, z.object({ id, name: ruled(streamName), config }))
shape(enableChannel, z.object({ id, enable: z.boolean() }))
shape(deleteChannels, z.object({ id: ids }))
shape(dropChannelClients, z.object({ id, clients: z.array(id).min(1).max(1000) }))
shape(setChannelInput, z.object({ id, input: id }))
const outputs = { id, outputs: z.array(id).min(1).max(SERVERS_MAX) }
shape(addChannelOutputs, z.object(outputs))
shape(deleteChannelOutputs, z.object(outputs))
shape(enableChannelOutputs, z.object({ ...outputs, enable: z.boolean() }))
