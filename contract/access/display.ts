// Wall displays: screens that show the dashboard without a user at them (docs/wire.md, "Sign-in and sessions"). A
// member of the Admin group creates a link with a one-time code; whoever opens it exchanges the code for a session that
// can only view and has no end of its own. It is listed with the other sessions (`user.ts`) and ended there.
import { declareCall } from '../call.ts'
import { CHANNEL_VIEW, DEVICE_VIEW } from './permissions.ts'

/** Permissions of a display, as far as its creator has them. */
export const DISPLAY_PERMISSIONS = DEVICE_VIEW | CHANNEL_VIEW

/** Minutes for which a code can be exchanged. */
export const DISPLAY_CODE_MINUTES = 15

/** Displays, and codes that wait to be exchanged. */
export const DISPLAYS_MAX = 32

export const addDisplay = declareCall('POST /display/add', 'admin', { reauthenticate: true })

export const openDisplay = declareCall('POST /display/open', 'public')
