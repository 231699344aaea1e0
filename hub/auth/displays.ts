// Wall displays: creates their one-time codes, exchanges a code for a session, and names the calls that a display may
// make (contract/access/display.ts).

import { generateCode, hashCode } from '../../accounts/one-time-code.ts'
import { DISPLAY_CODE_MINUTES } from '../../contract/access/display.ts'
import { getSession, logout } from '../../contract/access/session.ts'
import type { Call } from '../../contract/call.ts'
import { getRevisions } from '../../contract/change-feed.ts'
import { listDevices } from '../../contract/device/device.ts'
import { clearPreview, openPreview, setupPreview } from '../../contract/preview.ts'
import { listProblems } from '../../contract/problem.ts'
import { channelDashboard, channelLevels, queryChannel } from '../../contract/stream/channel.ts'
import { systemStatus } from '../../contract/system.ts'
import type { Store } from '../store/store.ts'

/**
 * All calls that a display may make. A list and not only permissions, because a permission to view also admits calls
 * whose responses have more than a display shows. `setupPreview` changes only which images the display receives; with
 * `logout` it ends itself.
 */
const DISPLAY_CALLS: readonly Call[] = [
  getSession,
  logout,
  systemStatus as Call,
  channelDashboard as Call,
  queryChannel as Call,
  channelLevels as Call,
  listProblems as Call,
  listDevices as Call,
  openPreview as Call,
  setupPreview as Call,
  clearPreview as Call,
  getRevisions
]

export const isDisplayCall = (call: Call): boolean => DISPLAY_CALLS.includes(call)

/** Groups of a code, which then has 80 bits. */
const GROUPS = 4

/** Creates a code. @returns the code, and when it expires, in milliseconds since the epoch */
export function addDisplayCode({ displayCodes }: Store, userId: number, name: string, now = Date.now()) {
  const code = generateCode(GROUPS)
  const expires = now + DISPLAY_CODE_MINUTES * 60_000
  displayCodes.add({ hash: hashCode(code), user_id: userId, name, expires })
  return { code, expires }
}

/**
 * Takes a code, which then is used up. @returns its creator and the name of the display; undefined if it is wrong or
 * has expired
 */
export function takeDisplayCode({ displayCodes }: Store, code: string, now = Date.now()) {
  displayCodes.removeExpired(now)
  const row = displayCodes.take(hashCode(code))
  return row && { userId: row.user_id, name: row.name }
}
