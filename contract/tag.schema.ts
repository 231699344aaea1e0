// Schemas of tag.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from './codes.ts'
import { emptyRequest, id, listOf, own, serial, textRule } from './fields.schema.ts'
import { labelName } from './rules/label.ts'
import { TAG_COLORS } from './tag.ts'

export const TagColor = z.enum(TAG_COLORS)

export const Tag = z.object({
  id: z.int().meta(own('Id of the tag')),
  name: z.string().meta(own('Name, 1-64 characters; unique, upper and lower case are the same')),
  color: TagColor.meta(own('`gray`, `blue`, `teal`, `green`, `amber`, `orange`, `red`, `violet`')),
  uses: z.int().meta(own('Number of objects with the tag that the caller may see')),
  devices: z.int().meta(own('Number of accepted devices among them'))
})

/** The tags of an object, as a field of its response. */
export const objectTags = { tags: z.array(z.int()).optional().meta(own('Ids of its [tags](#tags), if it has any')) }

export type TagColor = z.infer<typeof TagColor>
export type Tag = z.infer<typeof Tag>

const fields = { name: textRule(labelName), color: TagColor }
const idList = z.array(id).max(1000)

export const tagSchemas = {
  'GET /tag/list': {
    summary: 'Lists the tags that the caller may see, by name.',
    request: emptyRequest,
    response: listOf(Tag),
    responseNote: 'list of tags: `id`, `name`, `color`, `uses`, `devices`',
    source: 'own',
    examples: [{}]
  },
  'POST /tag/add': {
    summary: 'Adds a tag. Returns its id.',
    operation: ['Add tag', '添加标签'],
    request: z.object(fields),
    response: z.object({ id: z.int() }),
    errors: { [INVALID_ARG]: '', [NAME_EXISTS]: '', [TOO_MANY]: '200 tags' },
    source: 'own',
    examples: [{ name: 'Client A', color: 'teal' }]
  },
  'POST /tag/set': {
    summary: 'Changes name and color of a tag.',
    operation: ['Edit tag', '编辑标签'],
    request: z.object({ id, ...fields }),
    errors: { [INVALID_ARG]: '', [NOT_EXIST]: '', [NAME_EXISTS]: '' },
    source: 'own',
    examples: [{ id: 1, name: 'Client A', color: 'teal' }]
  },
  'POST /tag/del': {
    summary: 'Deletes a tag, and removes it from all objects.',
    operation: ['Delete tag', '删除标签'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: 'an object has it whose tags the caller may not change' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /tag/assign': {
    summary: 'Adds tags to objects, and removes tags from them.',
    operation: ['Set tags', '设置标签'],
    request: z.object({
      channels: idList.optional().describe('ids of channels; requires CHANNEL_EDIT'),
      sources: idList.optional().describe('ids of inputs and outputs; requires INPUT_OUTPUT_EDIT'),
      sn: z.array(serial).max(1000).optional().describe('serial numbers of devices; requires DEVICE_CONTROL'),
      add: idList.optional().describe('ids of tags to add'),
      remove: idList.optional().describe('ids of tags to remove')
    }),
    errors: {
      [NOT_EXIST]: 'an object or a tag; nothing is changed',
      [NOT_PERMITTED]: 'for one kind of object; nothing is changed',
      [TOO_MANY]: '16 tags of one object'
    },
    source: 'own',
    examples: [{}, { channels: [100001], sources: [1002], sn: ['A402123456789'], add: [1], remove: [2] }]
  }
} satisfies CallSchemas
