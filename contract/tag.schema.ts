// Schemas of tag.
import * as z from 'zod'
import { masks, Visibility } from './access/visibility.schema.ts'
import type { CallSchemas } from './call.schema.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from './codes.ts'
import { emptyRequest, id, ids, listOf, own, serial, textRule } from './fields.schema.ts'
import { labelName } from './rules/label.ts'
import { TAG_COLORS } from './tag.ts'

export const TagColor = z.enum(TAG_COLORS)

export const Tag = z.object({
  id: z.int().meta(own('Id of the tag')),
  name: z.string().meta(own('Name, 1-64 characters; unique, upper and lower case are the same')),
  color: TagColor.meta(own('`gray`, `blue`, `teal`, `green`, `amber`, `orange`, `red`, `violet`')),
  uses: z.int().meta(own('Number of objects with the tag that the caller may see')),
  devices: z.int().meta(own('Number of accepted devices among them')),
  'gives-access': z
    .boolean()
    .optional()
    .meta(own('`true`: the tag gives users or user groups access to the channels and devices that have it')),
  'group-mask': Visibility.shape['group-mask']
    .optional()
    .meta(own('User groups that see the channels and devices with the tag, if there are any. For administrators')),
  'usr-mask': Visibility.shape['usr-mask']
    .optional()
    .meta(own('Users that see the channels and devices with the tag, if there are any. For administrators'))
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
    responseNote:
      'list of tags: `id`, `name`, `color`, `uses`, `devices`, `gives-access`; for administrators also `group-mask`, `usr-mask`',
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
    summary:
      'Changes name and color of a tag. A tag that gives access is changed by the Admin group only, with a session.',
    operation: ['Edit tag', '编辑标签'],
    request: z.object({ id, ...fields }),
    errors: {
      [INVALID_ARG]: '',
      [NOT_EXIST]: '',
      [NAME_EXISTS]: '',
      [NOT_PERMITTED]: 'an object has it whose tags the caller may not change, or it gives access'
    },
    source: 'own',
    examples: [{ id: 1, name: 'Client A', color: 'teal' }]
  },
  'POST /tag/del': {
    summary:
      'Deletes a tag, and removes it from all objects. A tag that gives access is deleted by the Admin group only, with a session.',
    operation: ['Delete tag', '删除标签'],
    request: z.object({ id }),
    errors: {
      [NOT_EXIST]: '',
      [NOT_PERMITTED]: 'an object has it whose tags the caller may not change, or it gives access'
    },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /tag/assign': {
    summary:
      'Adds tags to objects, and removes tags from them. A tag that gives access is added and removed by those who may set the access of the object: for devices with DEVICE_SECURITY, else the Admin group with a session.',
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
      [NOT_PERMITTED]: 'for one kind of object, or for a tag that gives access; nothing is changed',
      [TOO_MANY]: '16 tags of one object'
    },
    source: 'own',
    examples: [{}, { channels: [100001], sources: [1002], sn: ['A402123456789'], add: [1], remove: [2] }]
  },
  'POST /tag/security/set': {
    summary:
      'Sets who sees the channels and devices with the tags, besides those who see them without. Masks of 0: the tags give no access. Takes one id or several.',
    operation: ['Set access by tag', '设置标签可见范围'],
    request: z.object({
      id: ids.describe('one or several'),
      security: z.object(masks).describe('`group-mask`, `usr-mask`')
    }),
    errors: { [INVALID_ARG]: 'unknown bit', [NOT_EXIST]: 'a tag; nothing is changed' },
    source: 'own',
    examples: [
      { id: 1, security: { 'group-mask': 0, 'usr-mask': 2 } },
      { id: [1, 2], security: { 'group-mask': 8, 'usr-mask': 0 } }
    ]
  }
} satisfies CallSchemas
