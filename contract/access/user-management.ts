// Rules for managing users and user groups (docs/wire.md, "Users and groups").
//
// There are two readings of who manages users: only the Admin account, or each user with USER_CONTROL, which only the
// Admin group grants. This code combines them: USER_CONTROL gives access to the calls, and the Admin group can be
// changed by its own members only. A manager outside of the Admin group can neither gain nor grant a permission that
// the manager lacks:
// - the manager cannot change members of the Admin group, nor users and groups with a permission that the manager
//   lacks: with the password of such a user the manager could sign in as that user
// - the manager cannot put users into a group with such a permission, or with one that only the Admin group grants
// - the manager cannot change the own group or the own membership
// - the manager cannot change the end of the own account, nor give another account a later end
import { ADMIN_GRANTED_PERMISSIONS, GROUP_ADMIN, hasAnyBit, type Principal } from './permissions.ts'
import { NEVER_EXPIRES } from './token.ts'

const isAdmin = ({ type }: Principal) => type === GROUP_ADMIN

/** The permissions of `mask` that the manager may not give to others. */
export function ungrantablePermissions(manager: Principal, mask: number): number {
  if (isAdmin(manager)) return 0
  return (mask & (~manager.permission | ADMIN_GRANTED_PERMISSIONS)) >>> 0
}

/**
 * Whether the manager may change a user or a user group: names, password, second factor, sessions, deletion.
 * @param target the mask and the group type of the user or group
 */
export function canManage(manager: Principal, { permission, type }: Principal): boolean {
  return isAdmin(manager) || (type !== GROUP_ADMIN && !hasAnyBit(permission, ~manager.permission))
}

/** Whether the manager may put users into a group. */
export function canFill(manager: Principal, group: Principal): boolean {
  return isAdmin(manager) || (canManage(manager, group) && ungrantablePermissions(manager, group.permission) === 0)
}

/** An end of an account: milliseconds since the epoch, or `NEVER_EXPIRES`. */
interface WithEnd {
  expires: number
}

/**
 * Whether the manager may give an account of another user this end: no manager outside of the Admin group extends the
 * own account, or creates one that outlives it.
 */
export const canExtendTo = (manager: Principal & WithEnd, expires: number): boolean =>
  isAdmin(manager) || manager.expires === NEVER_EXPIRES || (expires !== NEVER_EXPIRES && expires <= manager.expires)

/** A user group, or a user with the group. */
interface Member {
  /** Id of the user group. */
  groupId: number
}

/** Whether the manager may edit and delete a group. @param group with its id in `groupId` */
export function canManageGroup(manager: Principal & Member, group: Principal & Member): boolean {
  return isAdmin(manager) || (canManage(manager, group) && group.groupId !== manager.groupId)
}

/** Whether the manager may move a user to a group; nobody outside of the Admin group moves themselves. */
export function canMove(
  manager: Principal & { id: number },
  user: Principal & { id: number },
  group: Principal
): boolean {
  return isAdmin(manager) || (canManage(manager, user) && user.id !== manager.id && canFill(manager, group))
}
