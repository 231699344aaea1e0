// Callers who must change the password or set up a second factor first, and the calls that are permitted to them until
// then.
import { enableSecondFactor, startSecondFactor } from '../../contract/access/second-factor.ts'
import {
  changePassword,
  checkPassword,
  getSession,
  logout,
  logoutByGet,
  reauthenticate
} from '../../contract/access/session.ts'
import type { Call } from '../../contract/call.ts'
import type { UserRow } from '../store/users.ts'
import { isDisplayCall } from './displays.ts'

const PASSWORD_CHANGE: readonly Call[] = [
  logout,
  logoutByGet,
  getSession,
  checkPassword as Call,
  changePassword as Call
]

/**
 * Every user of a group that demands a second factor can make these calls, so the demand locks nobody out, not even the
 * last administrator who demands it of the Admin group: with the session at hand, all that is left to do is to set one
 * up.
 */
const ENROLLMENT: readonly Call[] = [
  ...PASSWORD_CHANGE,
  reauthenticate as Call,
  startSecondFactor,
  enableSecondFactor as Call
]

export interface Restrictions {
  /** The user still has the default password and calls from another machine. */
  mustChangePassword: boolean
  /**
   * The user's group demands a second factor that the user does not have. Never with an access token, because programs
   * have none.
   */
  mustEnroll: boolean
  /** Name of the wall display that calls; undefined for a user. */
  display: string | undefined
  /** `mustChangePassword`, `mustEnroll` or `display`: all but a few calls are refused. */
  isRestricted: boolean
}

export function lacksSecondFactor(row: UserRow): boolean {
  return row.require_second_factor === 1 && row.second_factor_since === 0
}

/** Whether a call is permitted to a restricted caller. The password comes first. */
export function isPermittedWhileRestricted(call: Call, { mustChangePassword, display }: Restrictions): boolean {
  if (display !== undefined && !isDisplayCall(call)) return false
  if (display !== undefined && !mustChangePassword) return true
  return (mustChangePassword ? PASSWORD_CHANGE : ENROLLMENT).includes(call)
}
