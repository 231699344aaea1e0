import { hasAnyBit } from '../../../contract/access/permissions.ts'
import { ALL_GROUPS, type ObjectSecurity, type Visibility } from '../../../contract/access/visibility.ts'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { LOG_EVERYONE, LOG_INHERITED, LOG_NONE } from '../../../contract/log.ts'
import { CallError } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { findUnknownMask } from '../../store/visibility.ts'

/**
 * Objects and who sees them, in the operation log: names of user groups and users, or a tag.
 * @param objects names of the objects; empty for a default
 * @param masks undefined if the objects inherit
 */
export function describeAccess({ users }: Store, objects: string, masks: Visibility | undefined): string {
  const isEveryone = masks?.['group-mask'] === ALL_GROUPS
  const names =
    masks && !isEveryone
      ? [
          ...users.groups().filter(({ id }) => hasAnyBit(masks['group-mask'], id)),
          ...users.all().filter(({ id }) => hasAnyBit(masks['usr-mask'], id))
        ].map(({ name }) => name)
      : []
  if (names.length > 0) return [objects, names.join(', ')].filter(Boolean).join(': ')
  return `${objects} ${!masks ? LOG_INHERITED : isEveryone ? LOG_EVERYONE : LOG_NONE}`.trimStart()
}

/**
 * The masks of a request; undefined if it has none.
 * @throws CallError 7 if a bit of a mask is not the id of a group or user
 */
export function validateMasks(store: Store, security: ObjectSecurity | Visibility): Visibility | undefined {
  if (!('group-mask' in security)) return undefined
  const { 'group-mask': groups, 'usr-mask': users } = security
  const masks = { 'group-mask': groups, 'usr-mask': users }
  const unknown = findUnknownMask(store, masks)
  if (unknown) throw new CallError(INVALID_ARG, { field: `security.${unknown}`, fault: 'invalid' })
  return masks
}
