// What users change about their own account, besides password and second factor (docs/wire.md, "Sign-in and sessions").
import { declareCall } from '../call.ts'

/** Sets the display name of the caller; empty removes it. Not with an access token. */
export const setProfile = declareCall<{ nick: string }>('POST', '/usr/profile/set', 'session')
