// Request schemas of the calls for channels.
import * as z from 'zod'
import {
  ALLOW_LIST_MAX,
  BACKUPS_MAX,
  CHANNEL_OUTPUTS_MAX,
  SCHEDULE_RULES_MAX,
  SWITCH_AFTER,
  SWITCH_BACK
} from '../limits.ts'
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
import { defineSchema, id, ids, order, page, queryNumber, since, textRule, wholeNumber } from './schema.ts'
import { ndiOutput } from './source.ts'

const sublistPages = {
  'output-start': queryNumber(0, 1e6),
  'output-count': queryNumber(0, 1000),
  'client-start': queryNumber(0, 1e6),
  'client-count': queryNumber(0, 1000)
}

defineSchema(
  channelDashboard,
  z.object({
    ...page,
    ...sublistPages,
    live: queryNumber(0, 1),
    history: queryNumber(0, 1),
    sort: z.enum(['name']).optional(),
    order,
    since
  })
)
defineSchema(
  queryChannel,
  z
    .object({ ...sublistPages, level: queryNumber(0, 1), id: queryNumber(0, Number.MAX_SAFE_INTEGER) })
    .refine((value) => value.id !== undefined, {
      path: ['id']
    }) as unknown as z.ZodType<{ id: number }>
)
const config = z
  .object({
    'play-key': textRule(optional(wireKey)).optional(),
    'push-key': textRule(optional(wireKey)).optional(),
    ndi: ndiOutput.extend({ enable: z.boolean() }).optional(),
    protocol: z.object({ rtmp: z.boolean(), srt: z.boolean() }).partial().optional(),
    'allow-ip': z.array(textRule(ipRange)).max(ALLOW_LIST_MAX).optional(),
    'replace-publisher': z.boolean().optional(),
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
        zone: textRule(timeZone),
        rules: z
          .array(
            z.object({ days: wholeNumber(1, EVERY_DAY), start: textRule(scheduleTime), stop: textRule(scheduleTime) })
          )
          .max(SCHEDULE_RULES_MAX)
      })
      .optional()
  })
  .optional()
defineSchema(addChannel, z.object({ name: textRule(streamName), config }))
defineSchema(setChannel, z.object({ id, name: textRule(streamName), config }))
defineSchema(enableChannel, z.object({ id, enable: z.boolean() }))
defineSchema(deleteChannels, z.object({ id: ids }))
defineSchema(dropChannelClients, z.object({ id, clients: z.array(id).min(1).max(1000) }))
defineSchema(setChannelInput, z.object({ id, input: id }))
const outputs = { id, outputs: z.array(id).min(1).max(CHANNEL_OUTPUTS_MAX) }
defineSchema(addChannelOutputs, z.object(outputs))
defineSchema(deleteChannelOutputs, z.object(outputs))
defineSchema(enableChannelOutputs, z.object({ ...outputs, enable: z.boolean() }))
