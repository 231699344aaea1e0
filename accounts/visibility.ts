// Decides which objects and groups of objects a user may see (docs/wire.md, Visibility).
import { GROUP_ADMIN, hasAnyBit } from '../contract/access/permissions.ts'
import { ALL_GROUPS, type ObjectSecurity, type Visibility } from '../contract/access/visibility.ts'
import { INVALID_ARG } from '../contract/codes.ts'
import { LOG_EVERYONE, LOG_INHERITED, LOG_NONE } from '../contract/log.ts'
import { CallError } from '../web-server/call-error.ts'

/** The user who views objects. */
export interface Viewer {
  user: { id: number; type: number }
  groupId: number
  /** A guest sees only what names him, not what his group or everyone sees. */
  isGuest?: boolean
}

/** The stored visibility of an object or a group. */
export interface MaskRow {
  is_inherit: number
  group_mask: number
  usr_mask: number
}

/** Whether masks include a user or his group. */
export function matchesMasks(viewer: Viewer, masks: Visibility): boolean {
  return (
    (!viewer.isGuest && hasAnyBit(masks['group-mask'], viewer.groupId)) || hasAnyBit(masks['usr-mask'], viewer.user.id)
  )
}

/**
 * Masks name a guest also while the object inherits, so that the object need not stop to inherit for a guest.
 * @param inherited whether the user sees the parent, which decides for a row that inherits
 */
export function isRowVisible(viewer: Viewer, row: MaskRow, inherited: boolean): boolean {
  if (row.is_inherit !== 0) return inherited || (viewer.isGuest === true && hasAnyBit(row.usr_mask, viewer.user.id))
  return matchesMasks(viewer, { 'group-mask': row.group_mask, 'usr-mask': row.usr_mask })
}

/**
 * @param catalogs all groups
 * @param byDefault the global default
 * @returns a function which tells whether the user may see a group; ID 0 stands for objects without a group
 */
export function catalogsVisibleTo(
  catalogs: readonly (MaskRow & { id: number; parent_id: number })[],
  byDefault: Visibility,
  viewer: Viewer
): (id: number) => boolean {
  if (viewer.user.type === GROUP_ADMIN) return () => true
  const isVisibleByDefault = matchesMasks(viewer, byDefault)
  const rows = new Map(catalogs.map((row) => [row.id, row]))
  const isVisible = (id: number): boolean => {
    const row = rows.get(id)
    return row ? isRowVisible(viewer, row, row.is_inherit !== 0 && isVisible(row.parent_id)) : isVisibleByDefault
  }
  return isVisible
}

/** The users and user groups that masks can name. */
export interface Named {
  users: readonly { id: number; name: string }[]
  groups: readonly { id: number; name: string }[]
}

const bitsOf = (rows: Named['users']) => rows.reduce((mask, { id }) => (mask | id) >>> 0, 0)

/**
 * The masks of a request; undefined if it has none.
 * @throws CallError 7 if a bit of a mask is not the id of a group or user
 */
export function validateMasks({ users, groups }: Named, security: ObjectSecurity | Visibility): Visibility | undefined {
  if (!('group-mask' in security)) return undefined
  const { 'group-mask': groupMask, 'usr-mask': userMask } = security
  const isKnown = {
    'group-mask': groupMask === ALL_GROUPS || !hasAnyBit(groupMask, ~bitsOf(groups)),
    'usr-mask': !hasAnyBit(userMask, ~bitsOf(users))
  }
  for (const [name, known] of Object.entries(isKnown))
    if (!known) throw new CallError(INVALID_ARG, { field: `security.${name}`, fault: 'invalid' })
  return { 'group-mask': groupMask, 'usr-mask': userMask }
}

/**
 * Objects and who sees them, in the operation log: names of user groups and users, or a tag.
 * @param objects names of the objects; empty for a default
 * @param masks undefined if the objects inherit
 */
export function describeAccess({ users, groups }: Named, objects: string, masks: Visibility | undefined): string {
  const isEveryone = masks?.['group-mask'] === ALL_GROUPS
  const names =
    masks && !isEveryone
      ? [
          ...groups.filter(({ id }) => hasAnyBit(masks['group-mask'], id)),
          ...users.filter(({ id }) => hasAnyBit(masks['usr-mask'], id))
        ].map(({ name }) => name)
      : []
  if (names.length > 0) return [objects, names.join(', ')].filter(Boolean).join(': ')
  return `${objects} ${!masks ? LOG_INHERITED : isEveryone ? LOG_EVERYONE : LOG_NONE}`.trimStart()
}
