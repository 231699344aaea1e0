// Users, user groups and sessions (docs/wire.md, "Users and groups"). USER_CONTROL opens the calls. To a caller outside
// of the Admin group they answer 31 for members of the Admin group, for users and groups with a permission that the
// caller lacks, for a group that would give such a permission or one that only the Admin group grants, and for the
// caller's own group and membership.

import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'
import { DEVICE_GROUP_CONTROL, DEVICE_SECURITY, USER_CONTROL } from './permissions.ts'

export type { Session, User, UserGroup } from './user.schema.ts'

/**
 * Id of the built-in user Admin. It cannot be deleted, renamed, or moved to another group, so there is always a user
 * with all permissions. Every member of the Admin group can set its password.
 */
export const ADMIN_USER_ID = 1

export const listUsers = declareCall('GET /usr/list', USER_CONTROL | DEVICE_SECURITY | DEVICE_GROUP_CONTROL)

export type AddUserRequest = RequestTo<'POST /usr/add'>

export const addUser = declareCall('POST /usr/add', USER_CONTROL, {
  reauthenticate: true
})

/**
 * Optimistic lock: the values that the caller last read. If one of them differs from the stored value, the call fails
 * with 1004 and changes nothing, so a user cannot unknowingly overwrite another user's change.
 */
export interface OptimisticLock<Values> {
  was?: Partial<Values>
}

export const setUser = declareCall('POST /usr/set', USER_CONTROL, { reauthenticate: true })

export const deleteUsers = declareCall('POST /usr/del', USER_CONTROL, { reauthenticate: true })

export const moveUsers = declareCall('POST /usr/set-group', USER_CONTROL, {
  reauthenticate: true
})

export interface UserGroupFields {
  name: string
  /**
   * Permission mask. Required permissions are added (`addRequiredPermissions`). 7 for 0 and unknown bits; 31 for
   * permissions that the caller may not grant.
   */
  permissions: number
  /**
   * Names of all members, case-sensitive. Members that are not listed move to Viewer. The user Admin always stays in
   * its group; 31 if it is listed for another group.
   */
  users?: string[]
  desc?: string
  'require-second-factor'?: boolean
}

export const addGroup = declareCall('POST /usr-group/add', USER_CONTROL, {
  reauthenticate: true
})

export const setGroup = declareCall('POST /usr-group/set', USER_CONTROL, { reauthenticate: true })

export const deleteGroup = declareCall('POST /usr-group/del', USER_CONTROL, { reauthenticate: true })

export const listSessions = declareCall('GET /session/list', 'session')

export const endSessions = declareCall('POST /session/end', 'session')
