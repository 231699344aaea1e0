// Users, user groups and sessions: reference 4.2, 4.3, 5.8, 7; the calls it does not name after its section 8.
import { call, type Nothing } from './call.ts'
import type { PasswordRules } from './rules/password.ts'

/**
 * The user Admin. It can neither be deleted, moved to another group nor be called otherwise, so that it always holds every right: the
 * last way into a hub. Its password is anybody's of the Admin group to set.
 */
export const FIRST_USER = 1

export interface User {
  /** One bit set, unsigned: the last of 32 is 2147483648; 1 is Admin (reference 3.12). The bit of a deleted user is given again. */
  id: number
  name: string
  'group-id': number
  'group-name': string
  /** Effective mask, taken from the group. */
  permission: number
  /** Ours: a name to show besides; may be empty. */
  nick?: string
  /** Ours: milliseconds since the epoch of the last sign-in; absent = never. */
  'last-login'?: number
  /** Ours: the password is the one of a new hub. */
  'default-password'?: boolean
}

export interface UserGroup {
  /** One bit set: 1 Admin, 2 User, 4 Viewer, 8, 16 and 32 custom ones. */
  id: number
  name: string
  desc: string
  /** The write calls spell it `permissions`. */
  permission: number
  /** Group type (`permissions.ts`). */
  type: number
  /** Names, or names with ids when the list was asked for with `more=1`. */
  users: string[] | { name: string; id: number }[]
}

export interface UserListRequest {
  /** Only one half of the answer; both without it. */
  type?: 'usr' | 'group'
  /** Together with `group`: only that one; 16 where there is none. */
  id?: number
  more?: number
}

export const listUsers = call<UserListRequest, { users?: User[]; groups?: UserGroup[] }>('GET', '/usr/list', 'admin')

export interface NewUser {
  name: string
  /** MD5 of the password. */
  passwd: string
  /** Ours: the password itself, wanted where the hub has password rules; see `changePassword`. */
  password?: string
  /** Default: Viewer (reference 7). */
  'group-id'?: number
  nick?: string
}

/**
 * 17 with 32 users, 41 for a name that exists, however written (signing in takes it as it stands), 1008 for a group that does not, 7 for a
 * password that is not as the hub's rules want it.
 */
export const addUser = call<NewUser, { id: number }>('POST', '/usr/add', 'admin')

/**
 * Beside a change: what the caller took those values to be. When one of them is another by now nothing is changed (1004), so that nobody
 * undoes unseen what somebody else did meanwhile.
 */
export interface Was<Values> {
  was?: Partial<Values>
}

interface UserNames {
  name: string
  nick: string
}

/** Ours: name and shown name. 16 unknown, 41 name taken, 31 for another name of the user Admin, 1004 see `Was`. */
export const setUser = call<{ id: number } & Partial<UserNames> & Was<UserNames>>('POST', '/usr/set', 'admin')

/**
 * With their sessions and access tokens. 16 unknown, 31 for the user Admin. Of several, all or none. Others of the Admin group can be
 * deleted and moved, also each by himself: the user Admin stays, so that the last way in is never closed.
 */
export const deleteUsers = call<{
  id: number | number[]
  /** Ours: what they are called. 1004 when one of them is not: the bit of whom it was meant for may have been given to somebody else. */
  names?: string[]
}>('POST', '/usr/del', 'admin')

/** Moves users to a group. 16 unknown, 1008 no such group, 31 for the user Admin. Of several, all or none. */
export const moveUsers = call<{ id: number | number[]; 'group-id': number }>('POST', '/usr/set-group', 'admin')

export interface GroupValues {
  name: string
  /** What the rights need is added to them (`withNeeded`). 7 for none, unknown ones, and those of the Admin group alone. */
  permissions: number
  /**
   * Names of the members, as they are written. Who was in it and is not named goes to Viewer. The user Admin stays in its group, named or
   * not; 31 for its name in another.
   */
  users?: string[]
  desc?: string
}

/** 17 with 6 groups, 41 for a name that exists, however written, 16 for an unknown user. */
export const addGroup = call<GroupValues, { id: number }>('POST', '/usr-group/add', 'admin')

/**
 * Of the groups that every hub has only `users` can be set; 31 for the rest of them. 16 unknown, 41 for a name that another one has,
 * 1004 see `Was`. Sessions and tokens of all members hold the new rights at once.
 */
export const setGroup = call<{ id: number } & Partial<GroupValues> & Was<Omit<GroupValues, 'users'>>>(
  'POST',
  '/usr-group/set',
  'admin'
)

/** The members move to Viewer. 31 for a group that every hub has, 1004 see `Was`: its bit may have been given to another. */
export const deleteGroup = call<{ id: number } & Was<{ name: string }>>('POST', '/usr-group/del', 'admin')

/** Ours. What new passwords must be like; existing ones stay good. */
export const setPasswordRules = call<PasswordRules>('POST', '/usr/rules/set', 'admin')

/** A session of a browser. */
export interface Session {
  /** Says nothing of its secret. */
  id: number
  user: string
  'user-id': number
  /** Where it was used last. */
  ip: string
  /** Milliseconds since the epoch. */
  created: number
  /** Of its last use: up to 30 s old. */
  seen: number
  /** The one that asks. */
  own?: boolean
  /** What the browser calls itself, shortened; absent where it did not say. */
  agent?: string
  /** The same in words, in the language of who asks: 'Firefox on Windows'. */
  browser: string
}

/** Ours. Everybody sees the own sessions, the Admin group all. Newest use first. Of one user there are 100 at most. */
export const listSessions = call<Nothing, { list: Session[] }>('GET', '/session/list', 'session')

/** Ours. Ends sessions at once, the caller's too where it is named. 16 for one that is not seen by the caller. Of several, all or none. */
export const endSessions = call<{ id: number | number[] }>('POST', '/session/end', 'session')
