import * as z from 'zod'
import { streamName } from '../rules/rules.ts'
import { addPreset, deletePreset, listPresets, setPreset } from '../stream/preset.ts'
import { PROTOCOL_NAMES } from '../stream/protocols.ts'
import { defineSchema, emptyRequest, id, textRule } from './schema.ts'

const value = z.union([z.string().max(2048), z.number(), z.boolean()])
const fields = {
  name: textRule(streamName),
  protocol: z.int().refine((protocol) => protocol in PROTOCOL_NAMES),
  config: z.record(z.string().regex(/^[a-z-]{1,32}$/), value).refine((config) => Object.keys(config).length <= 32)
}
defineSchema(listPresets, emptyRequest)
defineSchema(addPreset, z.object(fields))
defineSchema(setPreset, z.object({ id, ...fields }))
defineSchema(deletePreset, z.object({ id }))
