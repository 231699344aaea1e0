// Wall displays: screens that show the dashboard without a user at them (docs/wire.md, "Sign-in and sessions"). A member of the Admin group creates a
// link with a one-time code; whoever opens it exchanges the code for a session that can only view and has no end of its own. It is listed with
// the other sessions (`user.ts`) and ended there.
import { declareCall, type LockoutInfo } from '../call.ts'
import { CHANNEL_VIEW, DEVICE_VIEW } from './permissions.ts'
import type { SessionResponse } from './session.ts'

/** Permissions of a display, as far as its creator has them. */
export const DISPLAY_PERMISSIONS = DEVICE_VIEW | CHANNEL_VIEW

/** Minutes for which a code can be exchanged. */
export const DISPLAY_CODE_MINUTES = 15

/** Displays, and codes that wait to be exchanged. */
export const DISPLAYS_MAX = 32

/**
 * Creates a code for a new display. `name` says which screen it is, up to 32 characters. This is the only response that contains the code: the
 * hub stores a hash. `expires` is in milliseconds since the epoch. 17 for more than 32 displays.
 */
export const addDisplay = declareCall<{ name: string }, { code: string; expires: number }>(
  'POST',
  '/display/add',
  'admin',
  { reauthenticate: true }
)

/**
 * Exchanges a code for a session; the response sets its cookie. The case of letters and hyphens in the code are ignored. 39 for a code that is
 * wrong, was used, or has expired; failures count towards a lock-out of the address, as at sign-in.
 */
export const openDisplay = declareCall<{ code: string }, SessionResponse & LockoutInfo>(
  'POST',
  '/display/open',
  'public'
)
