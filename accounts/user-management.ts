// Refuses changes of users and user groups that the caller may not make (contract/access/user-management.ts).
import { addRequiredPermissions, GROUP_ADMIN, PERMISSION_BITS, type Principal } from '../contract/access/permissions.ts'
import { ADMIN_USER_ID } from '../contract/access/user.ts'
import {
  canExtendTo,
  canFill,
  canManage,
  canManageGroup,
  canMove,
  ungrantablePermissions
} from '../contract/access/user-management.ts'
import { ALREADY_EXISTS, GROUP_MISSING, INVALID_ARG, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../contract/codes.ts'
import { USERS_MAX } from '../contract/limits.ts'
import { atLeastOnePermission } from '../contract/rules/account.ts'
import { CallError } from '../web-server/call-error.ts'
import { allocateBit } from './allocate-bit.ts'
import { findByFoldedName } from './folded-names.ts'

/** The signed-in user who makes a change. */
interface Caller {
  user: Principal & { id: number }
  /** Id of the user group. */
  groupId: number
}

/** A stored user with the permissions of the group. */
interface UserRow extends Principal {
  id: number
  /** End of the account in milliseconds since the epoch, or `NEVER_EXPIRES`. */
  expires: number
}

type GroupRow = Principal & { id: number }

/** Permissions that a custom group can have. */
const KNOWN = PERMISSION_BITS.reduce((all, bit) => all | bit, 0)

function refuseUnless(isPermitted: boolean, field?: string): void {
  if (!isPermitted) throw new CallError(NOT_PERMITTED, field === undefined ? {} : { field })
}

/** @throws CallError 31 if the caller may not change the user: name, password, second factor, deletion */
export const requireManageable = ({ user }: Caller, row: UserRow): void => refuseUnless(canManage(user, row))

/**
 * @param own the row of the caller @param user the user whose account gets the end; undefined for a new user
 * @throws CallError 31 if the caller may not give the account this end, or the user is Admin, the last way in
 */
export function requireExtendable(
  { user: caller }: Caller,
  own: UserRow,
  user: UserRow | undefined,
  end: number
): void {
  const isOwn = user?.id === own.id && caller.type !== GROUP_ADMIN
  refuseUnless(!isOwn && user?.id !== ADMIN_USER_ID && canExtendTo(own, end), 'expires')
}

/** @throws CallError 31 if the caller may not change the group: it is out of reach, or the caller's own */
export const requireManageableGroup = ({ user, groupId }: Caller, group: GroupRow): void =>
  refuseUnless(canManageGroup({ ...user, groupId }, { ...group, groupId: group.id }))

/** @throws CallError 31 if the caller may not give the permissions to others */
const requireGrantable = ({ user }: Caller, permissions: number, field: string): void =>
  refuseUnless(ungrantablePermissions(user, permissions) === 0, field)

/** @throws CallError 31 if the caller may not put users into the group */
export const requireOpenGroup = ({ user }: Caller, group: GroupRow, field?: string): void =>
  refuseUnless(canFill(user, group), field)

/**
 * The id of a new user, which is a single bit.
 * @throws CallError if there are too many users, the name is in use, the group does not exist, or the caller may not
 * put users into it
 */
export function allocateUserId(
  caller: Caller,
  { users, groups }: { users: readonly { id: number; name: string }[]; groups: readonly GroupRow[] },
  name: string,
  groupId: number
): number {
  const id = allocateBit(users, USERS_MAX)
  if (id === undefined) throw new CallError(TOO_MANY, { max: USERS_MAX, of: 'user' })
  if (findByFoldedName(users, name)) throw new CallError(ALREADY_EXISTS, { field: 'name', exists: 'user' })
  const group = groups.find((row) => row.id === groupId)
  if (!group) throw new CallError(GROUP_MISSING, { field: 'group-id' })
  requireOpenGroup(caller, group, 'group-id')
  return id
}

/**
 * Checks the users that a call deletes or moves.
 * @param found those of the ids that exist
 * @throws CallError 16 if one of them does not exist, 31 if one is the first administrator, who cannot be deleted or
 * moved, or a user whom the caller may not change
 */
export function requireRemovable(caller: Caller, ids: readonly number[], found: readonly UserRow[]): void {
  if (found.length < ids.length) throw new CallError(NOT_EXIST)
  if (ids.includes(ADMIN_USER_ID)) throw new CallError(NOT_PERMITTED)
  for (const row of found) requireManageable(caller, row)
}

/** @throws CallError 31 if the caller may not move the user to the group */
export const requireMovable = ({ user }: Caller, row: UserRow, group: GroupRow, field?: string): void =>
  refuseUnless(canMove(user, row, group), field)

/**
 * The permissions of a group: the requested ones and those that they require.
 * @param current those that the group has, which the caller does not grant
 * @param missing those that the program does not have, which are left out
 * @throws CallError 7 if there are none, or if one is unknown; 31 if the caller may not grant one
 */
export function validatePermissions(caller: Caller, mask: number, current = 0, missing = 0): number {
  const invalid = (fault: string) => new CallError(INVALID_ARG, { field: 'permissions', fault })
  if ((mask & ~KNOWN) !== 0) throw invalid('invalid')
  const permissions = (addRequiredPermissions(mask) & ~missing) >>> 0
  if (atLeastOnePermission(permissions)) throw invalid('required')
  requireGrantable(caller, (permissions & ~current) >>> 0, 'permissions')
  return permissions
}
