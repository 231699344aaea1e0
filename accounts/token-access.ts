// Which calls an access token may make. The permissions of its owner limit it further (`gate.ts`).
import { setProfile } from '../contract/access/profile.ts'
import { addView, deleteView, listViews, setView } from '../contract/access/saved-view.ts'
import { disableSecondFactor } from '../contract/access/second-factor.ts'
import { changePassword, checkPassword, logout, logoutByGet, reauthenticate } from '../contract/access/session.ts'
import { isScopePermitted, type TokenScope } from '../contract/access/token.ts'
import { endSessions, listSessions } from '../contract/access/user.ts'
import type { Call } from '../contract/call.ts'
import { setFavorite } from '../contract/device/device.ts'

/**
 * Calls about the sessions, the password, the favorites and the saved views of a person. No token may make them, nor
 * those that require a recent proof of the password.
 */
const NOT_BY_TOKEN: readonly Call[] = [
  logout,
  logoutByGet,
  checkPassword as Call,
  changePassword as Call,
  reauthenticate as Call,
  disableSecondFactor as Call,
  listSessions as Call,
  endSessions as Call,
  setFavorite as Call,
  setProfile as Call,
  listViews as Call,
  addView as Call,
  setView as Call,
  deleteView as Call
]

/** Whether a token with these scopes may make a call. */
export function isTokenPermitted(call: Call, scopes: readonly TokenScope[]): boolean {
  return !call.reauthenticate && !NOT_BY_TOKEN.includes(call) && isScopePermitted(call.access, scopes)
}
