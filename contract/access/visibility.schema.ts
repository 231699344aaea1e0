// Schemas of access/visibility.
import * as z from 'zod'
import { mask, vendor } from '../fields.schema.ts'

export const masks = { 'group-mask': mask, 'usr-mask': mask }

const isInherit = z.union([z.boolean(), z.int().min(0).max(1)])

/**
 * Visibility of an object. With `is-inherit` a device or a device group inherits from the group above it, else from the
 * global default of devices, and a channel from the global default of channels. The masks are then not needed.
 */
export const ObjectSecurity = z.union([
  z.object({ 'is-inherit': isInherit, ...masks }),
  z.object({ 'is-inherit': z.union([z.literal(true), z.literal(1)]) })
])

/**
 * Masks of the ids of users and user groups that see an object; each id is one bit. The Admin group sees every object.
 */
export const Visibility = z.object({
  'group-mask': z
    .int()
    .meta(
      vendor(
        'Mask of the ids of the user groups that see the object. 4294967295: every group, including groups that are created later'
      )
    ),
  'usr-mask': z.int().meta(vendor('Mask of the ids of the users that see the object, besides those of the groups'))
})
/** Why somebody sees an object. `admin`: the Admin group sees every object; `tag`: a tag of the object gives access. */
export const SeenBecause = z.enum(['admin', 'everyone', 'group', 'user', 'tag'])
/** The masks that apply to an object, and where they come from. */
export const EffectiveVisibility = z.object({
  masks: Visibility,
  from: z.enum(['own', 'catalog', 'default']),
  catalog: z.number().optional().describe('Id of the device group that sets them')
})

export type Visibility = z.infer<typeof Visibility>
export type ObjectSecurity = z.infer<typeof ObjectSecurity>
export type SeenBecause = z.infer<typeof SeenBecause>
export type EffectiveVisibility = z.infer<typeof EffectiveVisibility>
