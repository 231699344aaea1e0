// Visibility of devices, device groups and channels: which users and user groups see them (docs/wire.md, "Visibility").
import type { EffectiveVisibility, Visibility } from './visibility.schema.ts'

export type { EffectiveVisibility, ObjectSecurity, SeenBecause, Visibility } from './visibility.schema.ts'

/** A `group-mask` that makes an object visible to every group, including groups that are created later. */
export const ALL_GROUPS = 4294967295

/** A device group as a step of the inheritance. */
export interface InheritingGroup extends Visibility {
  'parent-id': number
  'is-inherit': number | boolean
}

/**
 * What an object in a device group inherits.
 * @param id of the group; 0 = none, which is also right for channels
 * @param byDefault the global default
 */
export function inheritedVisibility(
  groups: ReadonlyMap<number, InheritingGroup>,
  id: number,
  byDefault: Visibility
): EffectiveVisibility {
  const group = groups.get(id)
  if (!group) return { masks: byDefault, from: 'default' }
  if (group['is-inherit']) return inheritedVisibility(groups, group['parent-id'], byDefault)
  return { masks: group, from: 'catalog', catalog: id }
}
