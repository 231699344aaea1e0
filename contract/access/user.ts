// Users, user groups and sessions (docs/wire.md, "Users and groups"). USER_CONTROL opens the calls. To a caller outside of the Admin group they
// answer 31 for members of the Admin group, for users and groups with a permission that the caller lacks, for a group that would give such a
// permission or one that only the Admin group grants, and for the caller's own group and membership.
import { declareCall, type EmptyRequest } from '../call.ts'
import { DEVICE_GROUP_CONTROL, DEVICE_SECURITY, USER_CONTROL } from './permissions.ts'

/**
 * Id of the built-in user Admin. It cannot be deleted, renamed, or moved to another group, so there is always a user with all permissions.
 * Every member of the Admin group can set its password.
 */
export const ADMIN_USER_ID = 1

export interface User {
  /** One bit of an unsigned 32-bit mask; 1 is Admin. The id of a deleted user is reused. */
  id: number
  name: string
  'group-id': number
  'group-name': string
  /** Permission mask of the group. */
  permission: number
  /** Nickname; may be empty. */
  nick?: string
  /** Last sign-in in milliseconds since the epoch; absent = never. */
  'last-login'?: number
  /** The default password is still in use. */
  'default-password'?: boolean
  /** The user signs in with a second factor. */
  'second-factor'?: boolean
}

export interface UserGroup {
  /** One bit: 1 Admin, 2 User, 4 Viewer; 8, 16 and 32 custom groups. */
  id: number
  name: string
  desc: string
  /** Permission mask; named `permissions` in the write calls. */
  permission: number
  /** Group type (`permissions.ts`). */
  type: number
  /** Names; with `more=1` in the request, names and ids. */
  users: string[] | { name: string; id: number }[]
  /** Members without a second factor can do nothing but set one up; absent = not demanded. */
  'require-second-factor'?: boolean
}

export interface UserListRequest {
  /** Return users only, or groups only; default: both. */
  type?: 'usr' | 'group'
  /** With `type=group`: only this group; 16 if it does not exist. */
  id?: number
  more?: number
}

/**
 * Who sets the visibility of devices or device groups selects users and groups by name. Without USER_CONTROL, users have no `last-login`,
 * `default-password` and `second-factor`.
 */
export const listUsers = declareCall<UserListRequest, { users?: User[]; groups?: UserGroup[] }>(
  'GET',
  '/usr/list',
  USER_CONTROL | DEVICE_SECURITY | DEVICE_GROUP_CONTROL
)

export interface AddUserRequest {
  name: string
  /** MD5 of the password. */
  passwd: string
  /** The password in plain text, required if the hub has password rules; see `ChangePasswordRequest`. */
  password?: string
  /** Default: Viewer. */
  'group-id'?: number
  nick?: string
}

/**
 * 17 if there are 32 users; 41 if the name exists, ignoring case (sign-in is case-sensitive); 1008 unknown group; 7 if the password violates
 * the password rules.
 */
export const addUser = declareCall<AddUserRequest, { id: number }>('POST', '/usr/add', USER_CONTROL, {
  reauthenticate: true
})

/**
 * Optimistic lock: the values that the caller last read. If one of them differs from the stored value, the call fails with 1004 and changes
 * nothing, so a user cannot unknowingly overwrite another user's change.
 */
export interface OptimisticLock<Values> {
  was?: Partial<Values>
}

interface UserNameFields {
  name: string
  nick: string
}

/** Sets name and nickname. 16 unknown user; 41 name exists; 31 for a new name of the user Admin; 1004 see `OptimisticLock`. */
export const setUser = declareCall<{ id: number } & Partial<UserNameFields> & OptimisticLock<UserNameFields>>(
  'POST',
  '/usr/set',
  USER_CONTROL,
  { reauthenticate: true }
)

/**
 * Deletes users with their sessions and access tokens; all or none of them. 16 unknown user; 31 for the user Admin. Other members of the
 * Admin group can be deleted, also by themselves.
 */
export const deleteUsers = declareCall<{
  id: number | number[]
  /** Optimistic lock: names of these users. 1004 if one differs, because the id of a deleted user may have been reused. */
  names?: string[]
}>('POST', '/usr/del', USER_CONTROL, { reauthenticate: true })

/** Moves users to a group; all or none of them. 16 unknown user; 1008 unknown group; 31 for the user Admin. */
export const moveUsers = declareCall<{ id: number | number[]; 'group-id': number }>(
  'POST',
  '/usr/set-group',
  USER_CONTROL,
  {
    reauthenticate: true
  }
)

export interface UserGroupFields {
  name: string
  /** Permission mask. Required permissions are added (`addRequiredPermissions`). 7 for 0 and unknown bits; 31 for permissions that the caller may not grant. */
  permissions: number
  /**
   * Names of all members, case-sensitive. Members that are not listed move to Viewer. The user Admin always stays in its group; 31 if it is
   * listed for another group.
   */
  users?: string[]
  desc?: string
  'require-second-factor'?: boolean
}

/** 17 if there are 6 groups; 41 if the name exists, ignoring case; 16 unknown user. */
export const addGroup = declareCall<UserGroupFields, { id: number }>('POST', '/usr-group/add', USER_CONTROL, {
  reauthenticate: true
})

/**
 * For the built-in groups only `users` and `require-second-factor` can be set; other fields fail with 31. 16 unknown group; 41 if another group has the name; 1004 see
 * `OptimisticLock`. Takes effect at once for sessions and tokens of all members.
 */
export const setGroup = declareCall<
  { id: number } & Partial<UserGroupFields> & OptimisticLock<Omit<UserGroupFields, 'users'>>
>('POST', '/usr-group/set', USER_CONTROL, { reauthenticate: true })

/** The members move to Viewer. 31 for a built-in group; 1004 see `OptimisticLock`: the id of a deleted group may have been reused. */
export const deleteGroup = declareCall<{ id: number } & OptimisticLock<{ name: string }>>(
  'POST',
  '/usr-group/del',
  USER_CONTROL,
  { reauthenticate: true }
)

/** A browser session. */
export interface Session {
  /** Not derived from the session's secret. */
  id: number
  user: string
  'user-id': number
  /** Client address of the last request. */
  ip: string
  /** Milliseconds since the epoch. */
  created: number
  /** Last request in milliseconds since the epoch; updated every 30 s. */
  seen: number
  /** The session of the caller. */
  own?: boolean
  /** Name of the wall display, if the session is one (`display.ts`). It has the creator's user, and no end of its own. */
  display?: string
  /** User-Agent header, truncated; absent if the browser sent none. */
  agent?: string
  /** Browser and system in the language of the request: 'Firefox on Windows'. */
  browser: string
}

/** Lists the caller's sessions, with USER_CONTROL also those of the users whom the caller may change; most recently used first. A user has at most 100 sessions. */
export const listSessions = declareCall<EmptyRequest, { list: Session[] }>('GET', '/session/list', 'session')

/** Ends sessions, including the caller's if listed; all or none of them. 16 for a session that the caller may not see. */
export const endSessions = declareCall<{ id: number | number[] }>('POST', '/session/end', 'session')
