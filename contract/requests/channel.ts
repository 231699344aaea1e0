// Request schemas of the calls for channels.
import * as z from 'zod'
import { CHANNEL_LEVELS_MAX, CHANNEL_OUTPUTS_MAX } from '../limits.ts'
import { channelName } from '../rules/rules.ts'
import { requestShape } from '../setting.schema.ts'
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
import { CHANNEL_SETTINGS } from '../stream/channel-settings.schema.ts'
import { watchChannel } from '../stream/channel-watch.ts'
import { defineSchema, id, ids, order, page, queryNumber, since, textRule } from './schema.ts'

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
const config = z.object(requestShape(CHANNEL_SETTINGS)).optional()
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
