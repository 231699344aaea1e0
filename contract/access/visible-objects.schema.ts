// Schemas of access/visible-objects.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NOT_EXIST } from '../codes.ts'
import { listOf, own, page, queryNumber, text } from '../fields.schema.ts'
import { EffectiveVisibility, SeenBecause, Visibility } from './visibility.schema.ts'

const bit = queryNumber(0, 4294967295)

/** A device or channel. Only accepted devices are listed. */
export const VisibleObject = z.object({
  ...Visibility.shape,
  id: z.int().meta(own('Node id of the device, or id of the channel')),
  name: z.string().meta(own('Name of the device or channel')),
  sn: z.string().optional().meta(own('Serial number of a device')),
  'catalog-id': z.int().optional().meta(own('Id of the group of a device; 0 = none')),
  'is-inherit': z
    .number()
    .meta(
      own(
        '1: the object inherits its visibility from its device group or the global default; 0: it has masks of its own'
      )
    ),
  because: SeenBecause.optional().meta(
    own('`admin` (the Admin group sees every object), `everyone`, `group`, `user`, `tag`; absent if it is not visible')
  ),
  tag: z.string().optional().meta(own('With `because` `tag`: name of the tag that gives access')),
  from: EffectiveVisibility.shape.from.meta(
    own('Where the masks come from that apply: `own`, `catalog` with the name of the device group, or `default`')
  ),
  'from-name': z.string().optional().meta(own('With `from` `catalog`: name of the device group that sets the masks'))
})
export const VisibleObjects = z.object({
  ...listOf(VisibleObject).shape,
  permitted: z
    .boolean()
    .describe('Whether the group has the permission to view objects of this kind. Without it nothing is visible'),
  'num-visible': z
    .number()
    .describe('Objects that are visible, and all that the caller sees; whatever `key` and `hidden` select'),
  'num-all': z.number()
})

export type VisibleObject = z.infer<typeof VisibleObject>
export type VisibleObjects = z.infer<typeof VisibleObjects>

export const visibleObjectsSchemas = {
  'GET /usr/visible': {
    summary: 'Lists what a user or group sees, of the objects that the caller sees, too; sorted by name.',
    request: z
      .object({
        ...page,
        usr: bit.describe('Id of a user'),
        group: bit.describe('Id of a user group: what its members see unless an object names them themselves'),
        of: z.enum(['device', 'channel']).describe('`device`, `channel`'),
        hidden: queryNumber(0, 1).describe('1: those that are not visible'),
        key: text.optional().describe('Part of the name or serial number')
      })
      .refine(({ usr, group }) => (usr === undefined) !== (group === undefined), { path: ['usr'] }),
    requestNote:
      '`usr` or `group` (id), `of` (`device`, `channel`), `hidden` (1: those that are not visible), `key`, `start`, `count`',
    response: VisibleObjects,
    responseNote:
      'list of [objects](#visible-objects) by name, `permitted` (whether the group may view such objects at all), `num-visible`, `num-all` (whatever `key` and `hidden` select)',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [
      { usr: 2, of: 'device' },
      { start: 0, count: 10000, group: 4, of: 'channel', hidden: 1, key: 'hall' }
    ]
  }
} satisfies CallSchemas
