// Schemas of catalog.
import * as z from 'zod'
import { ObjectSecurity, Visibility } from './access/visibility.schema.ts'
import type { CallSchemas } from './call.schema.ts'
import { catalogName, toCatalogId } from './catalog.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, OBJECT_BUSY, TOO_MANY } from './codes.ts'
import { Device } from './device/device.schema.ts'
import { family, listOf, own, page, queryNumber, serial, since, textRule, trashed, vendor } from './fields.schema.ts'
import { dryRun } from './off-air.schema.ts'

const name = textRule(catalogName)

const id = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).transform(toCatalogId)

const CatalogFields = z.object({
  ...Visibility.partial().shape,
  id: z.int().meta(vendor('Id of the group')),
  name: z.string().meta(vendor('Name (1-32 units)')),
  'parent-id': z.int().meta(own('Parent, 0 = top level. If the caller may not see it, the next visible ancestor')),
  'create-time': z.int().meta(vendor('Creation time in milliseconds since the epoch')),
  isRoot: z.boolean().meta(family('`true`: the caller sees no group above it')),
  isOpen: z.boolean().meta(family('`true`: the caller sees groups below it; a tree begins with them open')),
  path: z
    .array(z.string())
    .meta(family('Names from the top level down to the group itself, without groups that the caller may not see')),
  'is-inherit': z
    .number()
    .meta(
      vendor(
        '1: inherits the visibility of its parent, else of the global default. The masks are returned only to callers with DEVICE_GROUP_CONTROL'
      )
    ),
  'is-everyone': z.number().meta(family('1: every user sees the group, by its own or the inherited visibility')),
  users: z
    .array(
      z.object({
        id: z.int(),
        name: z.string()
      })
    )
    .optional()
    .meta(
      family(
        'Users who see it, besides the Admin group, by name: `id`, `name`; empty if every user sees it. For callers with DEVICE_GROUP_CONTROL'
      )
    ),
  'num-all': z.number().meta(own('Number of devices directly in the group that the caller may see')),
  'num-online': z.int().meta(own('Number of those that are online'))
})
export const Catalog = CatalogFields.extend({
  childs: z
    .lazy((): z.ZodType<Catalog[]> => z.array(Catalog))
    .optional()
    .meta(family('Groups below, each with these fields; only with `tree`'))
})

export interface Catalog extends z.infer<typeof CatalogFields> {
  childs?: Catalog[]
}

export const catalogSchemas = {
  'GET /catalog/list': {
    summary: 'Lists the catalogs that the caller may see, by name. `total` counts the entries of `list`.',
    request: z.object({ since, tree: queryNumber(0, 1).describe('1: groups below in `childs`') }),
    response: listOf(Catalog),
    responseNote: 'list of the visible groups, by name; with `tree` of those at the top level',
    errors: { [NOT_PERMITTED]: '' },
    source: 'vendor; own: `since`, `tree`',
    examples: [{}, { since: 0 }, { tree: 1 }]
  },
  'GET /device/list-with-catalog': {
    summary:
      'Lists catalogs with their devices: online first, then newest, then by serial number. `start` and `count` refer to the catalogs, `dev-start` and `dev-count` to the devices of each.',
    request: z.object({
      ...page,
      catalogs: z
        .string()
        .max(4096)
        .regex(/^\d{1,9}(,\d{1,9})*$/)
        .optional()
        .describe('comma-separated ids; 0 = devices without a group; default all'),
      'dev-start': queryNumber(0, 1e9),
      'dev-count': queryNumber(0, 10_000).describe('devices of each group')
    }),
    response: listOf(z.object({ ...Catalog.shape, list: z.array(Device) })),
    responseNote:
      'list of groups, each with a `list` of its accepted devices: online first, then newest, then by serial number',
    errors: { [INVALID_ARG]: '' },
    source: 'vendor',
    examples: [{}, { start: 0, count: 10000, catalogs: '0,30001', 'dev-start': 0, 'dev-count': 10 }]
  },
  'POST /catalog/add': {
    summary:
      'Adds a device group. `id` is that of the parent, which the hub also takes as `parent-id`; 0 = top level. The response has the id of the new catalog.',
    operation: ['Add device group', '添加设备组'],
    request: z
      .object({
        id: id.optional().describe('of the parent, 0 = top level; also taken as `parent-id`'),
        'parent-id': id.optional(),
        name
      })
      .refine((request) => (request['parent-id'] ?? request.id) !== undefined, { path: ['id'] }),
    response: z.object({
      id: z.int().describe('of the new group')
    }),
    errors: { [NOT_EXIST]: 'unknown parent', [TOO_MANY]: 'below level 5', [NAME_EXISTS]: '' },
    source: 'own',
    examples: [
      { id: 0, name: '演播室' },
      { 'parent-id': 30001, name: 'x'.repeat(32) },
      { id: 1, 'parent-id': 1, name: 'x' }
    ]
  },
  'POST /catalog/rename': {
    summary: 'Renames a device group.',
    operation: ['Rename device group', '重命名设备组'],
    request: z.object({ id, name }),
    errors: { [NOT_EXIST]: '', [NAME_EXISTS]: '' },
    source: 'own',
    examples: [{ id: 30001, name: 'Hall' }]
  },
  'POST /catalog/del': {
    summary: 'Deletes a catalog.',
    operation: ['Delete device groups', '删除设备组'],
    request: z.object({
      id,
      force: z.boolean().optional().describe('moves devices and child groups to the parent'),
      ...dryRun
    }),
    response: trashed,
    responseNote: '`trash`: ids of the entries in the [trash](#trash)',
    errors: { [NOT_EXIST]: '', [OBJECT_BUSY]: 'not empty' },
    source: 'own',
    examples: [{ id: 30001 }, { id: 30001, force: true }]
  },
  'POST /catalog/set': {
    summary:
      'Moves devices into a catalog, sets its visibility, or both. Id 0: removes devices from their catalogs, or sets the global default, which only the Admin group may do (31).',
    operation: ['Edit device group', '编辑设备组'],
    request: z
      .object({
        id: id.describe('0: remove devices from their groups, or set the global default'),
        devices: z.array(serial).min(1).max(10_000).optional().describe('serial numbers to move there'),
        security: ObjectSecurity.optional().describe('`is-inherit`, `group-mask`, `usr-mask`')
      })
      .refine(({ devices, security }) => devices ?? security, { path: ['devices'] }),
    requestNote: 'at least one of the last two',
    errors: {
      [NOT_PERMITTED]: 'global default',
      [NOT_EXIST]: 'unknown group or device, no device is moved',
      [INVALID_ARG]: 'unknown bit'
    },
    source: 'vendor',
    examples: [
      { id: 30001, devices: ['B313210600123'] },
      { id: 0, devices: ['B313210600123'], security: { 'is-inherit': 0, 'group-mask': 4294967295, 'usr-mask': 1 } },
      { id: 30001, security: { 'is-inherit': 1 } }
    ]
  }
} satisfies CallSchemas
