// Sign-in, sign-out and password change (docs/wire.md, "Users and groups").
import { declareCall, type EmptyRequest, type LockoutInfo } from '../call.ts'
import type { PasswordRules } from '../rules/password.ts'
import type { SecondFactor } from './second-factor.ts'

/** The signed-in user. */
export interface LoginUser {
  name: string
  /** Display name; absent if the user has none. */
  nick?: string
  /** One bit of a 32-bit mask. */
  id: number
  'group-name': string
  /** Unsigned 32-bit permission mask. */
  permission: number
  /** Group type (`permissions.ts`). */
  type: number
}

export interface LoginRequest {
  /** User name. */
  id: string
  /** Lower-case hex MD5 of the password. */
  pass: string
  /** Code of the authenticator app, or a recovery code; for a user with a second factor. */
  code?: string
}

/** The current session. */
export interface SessionResponse {
  user: LoginUser
  /** The default password is still in use. On a remote machine `must-change-password` is then set too. */
  'default-password'?: boolean
  /** Every call except the password change is refused. */
  'must-change-password'?: boolean
  /** Password rules of the hub; absent if only the built-in rule applies. */
  'pwd-rule'?: PasswordRules
  /** Absent while the user has none. */
  'second-factor'?: SecondFactor
  /** The user's group demands a second factor, and the user has none: every call but those that set one up is refused. */
  'must-enroll'?: boolean
  /** Name of the wall display, if the session is one (`display.ts`). */
  display?: string
}

export interface LoginResponse extends SessionResponse, LockoutInfo {
  /** The value of the `mwcloud-sid` cookie, which the response also sets. */
  token: string
  'is-hardware': boolean
}

/**
 * 39 for a wrong user name as well as for a wrong password, so that a client cannot find out which names exist.
 * 4 if too many attempts of the same client address are queued. For a user with a second factor: 1101 if the password is right and `code` is
 * missing; 39 with `field` = `code` if the code is wrong or was used before.
 */
export const login = declareCall<LoginRequest, LoginResponse>('POST', '/login', 'public')
export const logout = declareCall<EmptyRequest>('POST', '/logout', 'session')
/** Same as `logout`, with GET. */
export const logoutByGet = declareCall<EmptyRequest>('GET', '/logout', 'session')

/** Returns the user of the current session, for example after the page was reloaded. */
export const getSession = declareCall<EmptyRequest, SessionResponse>('GET', '/session', 'session')

/**
 * Proves the password of the caller again, so that calls with `reauthenticate` are permitted for `REAUTHENTICATE_AFTER` minutes. Failures count
 * towards the lock-out at sign-in. 39 wrong password. For a user with a second factor, `code` is required as for `login`.
 */
export const reauthenticate = declareCall<{ pass: string; code?: string }, LockoutInfo>(
  'POST',
  '/session/reauthenticate',
  'session'
)

export interface ChangePasswordRequest {
  /** User name; default: the caller. With USER_CONTROL, a user whom the caller may change (`user.ts`). */
  name?: string
  /** MD5 of the old password. Not needed for other users. */
  'old-passwd'?: string
  /** MD5 of the new password. */
  passwd: string
  /**
   * The new password in plain text; checked against the password rules and not stored. Rules about characters cannot be checked on an MD5, so
   * a hub with password rules refuses a change without it, or with another MD5 than `passwd` (7, field `password`). Consoles send it
   * only to such a hub. The hub checks it whenever it is sent.
   */
  password?: string
}

/**
 * Changes a password and ends all sessions of the user except the caller's. Access tokens stay valid. For another user, the caller must have
 * proved the own password like for calls with `reauthenticate`; 1100 otherwise.
 * 16 unknown user; 39 wrong old password; 7 if the new password is empty or violates the password rules; 1004 if another user changed the
 * password at the same time.
 */
export const changePassword = declareCall<ChangePasswordRequest, LockoutInfo>('POST', '/usr/update', 'session')
