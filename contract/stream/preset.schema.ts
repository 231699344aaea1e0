// Schemas of stream/preset.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, TOO_MANY } from '../codes.ts'
import { emptyRequest, id, listOf, textRule, trashed } from '../fields.schema.ts'
import { streamName } from '../rules/rules.ts'
import { PROTOCOL_NAMES } from './protocols.ts'

const value = z.union([z.string().max(2048), z.number(), z.boolean()])

const fields = {
  name: textRule(streamName),
  protocol: z.int().refine((protocol) => protocol in PROTOCOL_NAMES),
  config: z.record(z.string().regex(/^[a-z-]{1,32}$/), value).refine((config) => Object.keys(config).length <= 32)
}

export const PresetFields = z.object({
  name: z.string(),
  protocol: z.int().describe('Protocol bit of the output'),
  config: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('As that of an output, without the secrets. It is checked when an output is added')
})
export const OutputPreset = z.object({
  ...PresetFields.shape,
  id: z.int()
})

export type PresetFields = z.infer<typeof PresetFields>
export type OutputPreset = z.infer<typeof OutputPreset>

export const streamPresetSchemas = {
  'GET /preset/list': {
    summary: 'Lists the presets of outputs.',
    request: emptyRequest,
    response: listOf(OutputPreset),
    responseNote: 'list of presets: `id`, `name`, `protocol`, `config`',

    source: 'own',
    examples: [{}]
  },
  'POST /preset/add': {
    summary: 'Adds a preset. Removes secrets, also a login in the URL. Returns the id.',
    operation: ['Add preset', '添加预设'],
    request: z.object(fields),
    response: z.object({
      id: z.int()
    }),
    errors: { [NAME_EXISTS]: '', [TOO_MANY]: '64 presets', [INVALID_ARG]: '' },
    source: 'own',
    examples: [
      { name: 'Site', protocol: 1, config: { url: 'rtmp://192.0.2.9/live', latency: 120, 'enable-auth': true } }
    ]
  },
  'POST /preset/set': {
    summary: 'Changes a preset.',
    operation: ['Edit preset', '编辑预设'],
    request: z.object({ id, ...fields }),
    errors: { [NOT_EXIST]: '', [NAME_EXISTS]: '', [INVALID_ARG]: '' },
    source: 'own',
    examples: [
      { id: 1, name: 'Site', protocol: 1, config: { url: 'rtmp://192.0.2.9/live', latency: 120, 'enable-auth': true } }
    ]
  },
  'POST /preset/del': {
    summary: 'Deletes a preset.',
    operation: ['Delete preset', '删除预设'],
    request: z.object({ id }),
    response: trashed,
    responseNote: '`trash`: ids of the entries in the [trash](#trash)',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
