// Signing in and out, and one's own password: reference 5.1, 5.8, 4.1.
import { call, type Nothing } from './call.ts'

/** The signed-in user as the login answers it. */
export interface LoginUser {
  name: string
  /** One bit set (reference 3.12). */
  id: number
  'group-name': string
  /** Unsigned 32-bit permission mask. */
  permission: number
  /** Group type. */
  type: number
}

export interface LoginRequest {
  /** User name. */
  id: string
  /** Lower-case hex MD5 of the password. */
  pass: string
}

export interface LoginReply {
  /** The value of the `mwcloud-sid` cookie, which the answer also sets. */
  token: string
  'is-hardware': boolean
  user: LoginUser
  /** Ours: the first password still stands; only from another machine does it bar everything but its change. */
  'default-password'?: boolean
  'must-change-password'?: boolean
  /** Ours, beside result 39: seconds for which further attempts are refused. */
  'locked-s'?: number
}

/** 39 for a wrong name and for a wrong password alike: the reference's 16 would tell which names exist. */
export const login = call<LoginRequest, LoginReply>('POST', '/login', 'public')
export const logout = call<Nothing>('POST', '/logout', 'session')
/** The same by GET, which the reference allows too. */
export const logoutByGet = call<Nothing>('GET', '/logout', 'session')

/** Ours: who the session belongs to now, for a console that was loaded anew. */
export const whoAmI = call<
  Nothing,
  { user: LoginUser; 'default-password'?: boolean; 'must-change-password'?: boolean }
>('GET', '/session', 'session')

export interface PasswordRequest {
  /** Default: the caller. Another user's name is for the Admin group. */
  name?: string
  /** MD5 of the old password; not needed by the Admin group for others. */
  'old-passwd'?: string
  /** MD5 of the new one. */
  passwd: string
}

/** 16 unknown user, 39 wrong old password. */
export const changePassword = call<PasswordRequest>('POST', '/usr/update', 'session')
