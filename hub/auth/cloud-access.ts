// What users of the cloud may not do on this hub, whatever their permissions are.
import { addDisplay, openDisplay } from '../../contract/access/display.ts'
import { setProfile } from '../../contract/access/profile.ts'
import { addView, deleteView, setView } from '../../contract/access/saved-view.ts'
import { disableSecondFactor, enableSecondFactor, startSecondFactor } from '../../contract/access/second-factor.ts'
import {
  changePassword,
  checkPassword,
  login,
  logout,
  logoutByGet,
  reauthenticate
} from '../../contract/access/session.ts'
import { redeemTicket } from '../../contract/access/ticket.ts'
import { addToken } from '../../contract/access/token.ts'
import { subscribeBrowser } from '../../contract/alert/push.ts'
import type { Call } from '../../contract/call.ts'
import { setFavorite } from '../../contract/device/device.ts'
import { resetSettings } from '../../contract/machine/power.ts'

/**
 * Calls about the account of a user of this hub, which a user of the cloud has not, and those that ask for its
 * password.
 */
export const NOT_BY_CLOUD: readonly Call[] = [
  logout,
  logoutByGet,
  checkPassword as Call,
  changePassword as Call,
  reauthenticate as Call,
  startSecondFactor,
  enableSecondFactor as Call,
  disableSecondFactor as Call,
  setFavorite as Call,
  setProfile as Call,
  addView as Call,
  setView as Call,
  deleteView as Call,
  addToken as Call,
  addDisplay as Call,
  subscribeBrowser as Call,
  resetSettings as Call
]

/** Public calls that open a session: over the relay, the cloud would get it, and could try passwords. */
export const SIGN_IN_CALLS: readonly Call[] = [login as Call, redeemTicket as Call, openDisplay as Call]
