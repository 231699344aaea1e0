// What a user who manages users may do to other users and to user groups (docs/wire.md, "Users and groups").
//
// There are two readings of who manages users: only the Admin account, and whoever has USER_CONTROL, which only the Admin group grants. Both
// hold here: USER_CONTROL opens the calls, and what concerns the Admin group stays with the Admin group. A manager outside of it
// can neither gain nor give a permission that the manager lacks:
// - members of the Admin group, and users and groups with a permission that the manager lacks, are out of reach: who could set such a user's
//   password could sign in as that user
// - nobody comes into a group with such a permission, or with one that only the Admin group grants
// - the own group, and one's own membership, cannot be changed
import { ADMIN_GRANTED_PERMISSIONS, GROUP_ADMIN, hasAnyBit, type Principal } from './permissions.ts'

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
