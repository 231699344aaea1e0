// What users change about their own account, besides password and second factor (docs/wire.md, "Sign-in and sessions").
import { declareCall } from '../call.ts'

export const setProfile = declareCall('POST /usr/profile/set', 'session')
