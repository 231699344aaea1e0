// Request schemas of the calls for channels.
import * as z from 'zod'
import {
  ALLOW_LIST_MAX,
  BACKUPS_MAX,
  CHANNEL_LEVELS_MAX,
  CHANNEL_OUTPUTS_MAX,
  DISCONTINUITIES_MAX,
  LOSS_PERCENT_MAX,
  SCHEDULE_RULES_MAX,
  SWITCH_AFTER,
  SWITCH_BACK
} from '../limits.ts'
import { ipRange } from '../rules/network.ts'
import { channelName, optional, wireKey } from '../rules/rules.ts'
import { eventOrder, scheduleDateTime, scheduleTime, timeZone } from '../rules/schedule.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  channelLevels,
  deleteChannelOutputs,
  deleteChannels,
  dropChannelClients,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannel,
  setChannelInput
} from '../stream/channel.ts'
import { duplicateChannel, switchChannelInput } from '../stream/channel-actions.ts'
import { watchChannel } from '../stream/channel-watch.ts'
import { EVERY_DAY } from '../stream/schedule.ts'
import { defineSchema, faultIssue, id, ids, order, page, queryNumber, since, textRule, wholeNumber } from './schema.ts'
import { ndiOutput } from './source.ts'

/** Channel ids, separated by commas. */
const LEVEL_IDS = /^\d{1,15}(?:,\d{1,15})*$/

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
/** A query string with fields and a required id. */
const queryWithId = (fields: Readonly<Record<string, z.ZodType>>) =>
  z
    .object({ ...fields, id: queryNumber(0, Number.MAX_SAFE_INTEGER) })
    .refine((value) => 'id' in value && value.id !== undefined, { path: ['id'] }) as unknown as z.ZodType<{
    id: number
  }>
defineSchema(queryChannel, queryWithId({ ...sublistPages, level: queryNumber(0, 1) }))
defineSchema(watchChannel, queryWithId({ v: queryNumber(0, Number.MAX_SAFE_INTEGER) }))
defineSchema(
  channelLevels,
  z.object({ ids: z.string().refine((text) => LEVEL_IDS.test(text) && text.split(',').length <= CHANNEL_LEVELS_MAX) })
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
    health: z
      .object({
        'loss-percent': z.number().min(0).max(LOSS_PERCENT_MAX),
        discontinuities: wholeNumber(0, DISCONTINUITIES_MAX)
      })
      .optional(),
    schedule: z
      .object({
        zone: textRule(timeZone),
        rules: z
          .array(
            z.object({ days: wholeNumber(1, EVERY_DAY), start: textRule(scheduleTime), stop: textRule(scheduleTime) })
          )
          .max(SCHEDULE_RULES_MAX),
        events: z
          .array(
            z
              .object({ start: textRule(scheduleDateTime), stop: textRule(scheduleDateTime) })
              .superRefine((event, context) => {
                const fault = eventOrder(event)
                if (fault) context.addIssue({ ...faultIssue(fault), path: ['stop'] })
              })
          )
          .max(SCHEDULE_RULES_MAX)
          .optional()
      })
      .optional()
  })
  .optional()
defineSchema(addChannel, z.object({ name: textRule(channelName), config }))
const force = z.boolean().optional()
defineSchema(setChannel, z.object({ id, name: textRule(channelName), config, force }))
defineSchema(duplicateChannel, z.object({ id }))
defineSchema(enableChannel, z.object({ id, enable: z.boolean() }))
defineSchema(deleteChannels, z.object({ id: ids }))
defineSchema(dropChannelClients, z.object({ id, clients: z.array(id).min(1).max(1000) }))
defineSchema(setChannelInput, z.object({ id, input: id, force }))
defineSchema(switchChannelInput, z.object({ id, input: z.union([id, z.enum(['slate', 'auto'])]) }))
const outputs = { id, outputs: z.array(id).min(1).max(CHANNEL_OUTPUTS_MAX) }
defineSchema(addChannelOutputs, z.object({ ...outputs, force }))
defineSchema(deleteChannelOutputs, z.object(outputs))
defineSchema(enableChannelOutputs, z.object({ ...outputs, enable: z.boolean() }))
