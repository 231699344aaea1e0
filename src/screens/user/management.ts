// Why the signed-in user, who manages users, may not change a user or a user group
// (contract/access/user-management.ts).
import { GROUP_ADMIN } from '../../../contract/access/permissions.ts'
import type { User, UserGroup } from '../../../contract/access/user.ts'
import {
  canFill,
  canManage,
  canManageGroup,
  canMove,
  ungrantablePermissions
} from '../../../contract/access/user-management.ts'
import { $session } from '../../state/session.ts'
import { $users } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import * as UI from '../../ui/text.ts'
import { TEXT } from './text.ts'

/** The ids of the default groups are their types. */
const typeOf = ({ 'group-id': group }: User) => group

const withType = (user: User) => ({ ...user, type: typeOf(user) })

/** Why the users cannot be edited, or be given another password; undefined if they can. */
export function manageReason(users: readonly User[]): string | undefined {
  const manager = $session.get()
  const beyond = users.filter((user) => manager && !canManage(manager, withType(user)))
  if (beyond.length === 0) return undefined
  return t(beyond.some((user) => typeOf(user) === GROUP_ADMIN) ? UI.adminRequired : TEXT.strongerUser)
}

/** Why the users cannot be moved; undefined if they can. */
export function moveReason(users: readonly User[]): string | undefined {
  const manager = $session.get()
  const isOwn = manager !== null && manager.type !== GROUP_ADMIN && users.some(({ id }) => id === manager.id)
  return manageReason(users) ?? (isOwn ? t(TEXT.ownMembership) : undefined)
}

/** Why the group cannot be edited or deleted; undefined if it can, as far as it is no default group. */
export function groupReason(group: UserGroup): string | undefined {
  const manager = $session.get()
  const own = $users.get().value?.users?.find(({ id }) => id === manager?.id)
  if (!manager || !own) return undefined
  if (canManageGroup({ ...manager, groupId: own['group-id'] }, { ...group, groupId: group.id })) return undefined
  if (group.type === GROUP_ADMIN) return t(UI.adminRequired)
  return t(group.id === own['group-id'] ? TEXT.ownGroup : TEXT.strongerGroup)
}

/** Whether users can be put into the group. */
export function isFillable(group: UserGroup): boolean {
  const manager = $session.get()
  return manager !== null && canFill(manager, group)
}

/** Whether the user can be moved to the group. */
export function isMovable(user: User, group: UserGroup): boolean {
  const manager = $session.get()
  return manager !== null && canMove(manager, withType(user), group)
}

/** The permissions that the signed-in user may not grant. */
export function ungrantable(mask: number): number {
  const manager = $session.get()
  return manager ? ungrantablePermissions(manager, mask) : 0
}
