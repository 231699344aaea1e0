// Callers who must change the password or set up a second factor first, and wall displays.
import { isPermittedBeforeSetup } from '../../accounts/restrictions.ts'
import type { Call } from '../../contract/call.ts'
import { isDisplayCall } from './displays.ts'

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

/** Whether a call is permitted to a restricted caller. The password comes first. */
export function isPermittedWhileRestricted(call: Call, { mustChangePassword, display }: Restrictions): boolean {
  if (display !== undefined && !isDisplayCall(call)) return false
  if (display !== undefined && !mustChangePassword) return true
  return isPermittedBeforeSetup(call, mustChangePassword)
}
