// Users who must change the password or set up a second factor first, and the calls that are permitted to them until
// then.
import { enableSecondFactor, startSecondFactor } from '../contract/access/second-factor.ts'
import {
  changePassword,
  checkPassword,
  getSession,
  logout,
  logoutByGet,
  reauthenticate
} from '../contract/access/session.ts'
import type { Call } from '../contract/call.ts'

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

/** A stored user with the demand of the group. */
interface UserRow {
  /** Of the group. */
  require_second_factor: number
  /** When the second factor was switched on; 0 = off. */
  second_factor_since: number
}

export function lacksSecondFactor(row: UserRow): boolean {
  return row.require_second_factor === 1 && row.second_factor_since === 0
}

/** Whether a call is permitted to a user who has to change the password or to set up a second factor first. */
export function isPermittedBeforeSetup({ method, path }: Call, mustChangePassword: boolean): boolean {
  // The cloud declares some of them again, with further fields.
  return (mustChangePassword ? PASSWORD_CHANGE : ENROLLMENT).some(
    (call) => call.method === method && call.path === path
  )
}
