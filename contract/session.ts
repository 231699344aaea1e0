// Signing in and out, and one's own password: reference 5.1, 5.8, 4.1.
import { call, type Nothing } from './call.ts'
import type { PasswordRules } from './rules/password.ts'

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

/** What the hub says of who is signed in. */
export interface SessionReply {
  user: LoginUser
  /** Ours: the first password still stands; only from another machine does it bar everything but its change. */
  'default-password'?: boolean
  'must-change-password'?: boolean
  /** Ours: what a new password must be like; absent where the hub demands nothing besides the usual. */
  'password-rules'?: PasswordRules
}

export interface Locked {
  /** Ours, beside result 39: seconds for which further attempts with this name are refused at this address. */
  'locked-s'?: number
}

export interface LoginReply extends SessionReply, Locked {
  /** The value of the `mwcloud-sid` cookie, which the answer also sets. */
  token: string
  'is-hardware': boolean
}

/**
 * 39 for a wrong name and for a wrong password alike: the reference's 16 would tell which names exist.
 * 4 where too many attempts of the same address wait for their turn.
 */
export const login = call<LoginRequest, LoginReply>('POST', '/login', 'public')
export const logout = call<Nothing>('POST', '/logout', 'session')
/** The same by GET, which the reference allows too. */
export const logoutByGet = call<Nothing>('GET', '/logout', 'session')

/** Ours: who the session belongs to now, for a console that was loaded anew. */
export const whoAmI = call<Nothing, SessionReply>('GET', '/session', 'session')

export interface PasswordRequest {
  /** Default: the caller. Another user's name is for the Admin group. */
  name?: string
  /** MD5 of the old password; not needed by the Admin group for others. */
  'old-passwd'?: string
  /** MD5 of the new one. */
  passwd: string
  /**
   * Ours: the new password itself, which the hub looks at and keeps nowhere. Rules about its letters cannot be checked on an MD5: a hub
   * with password rules refuses a change without it (7, field `password`), and one whose MD5 is another. Consoles send it only to such a
   * hub; wherever it is sent it is checked.
   */
  password?: string
}

/**
 * 16 unknown user, 39 wrong old password, 7 where the password is not as the hub's rules want it, or empty. Ends all sessions of the user
 * but the one that asks; access tokens stay good. 1004 where somebody else changed it at the same time.
 */
export const changePassword = call<PasswordRequest, Locked>('POST', '/usr/update', 'session')
