// Second factor: time-based one-time codes (TOTP, RFC 6238) of 6 digits every 30 s, and recovery codes (docs/wire.md,
// "Sign-in and sessions").
import { declareCall } from '../call.ts'
import { USER_CONTROL } from './permissions.ts'

export type { RecoveryCodes, SecondFactor, SecondFactorSecret } from './second-factor.schema.ts'

/** Recovery codes that a user gets at a time. */
export const RECOVERY_CODES = 10

export const startSecondFactor = declareCall('POST /second-factor/start', 'session', {
  reauthenticate: true
})

export const enableSecondFactor = declareCall('POST /second-factor/enable', 'session', { reauthenticate: true })

export const renewRecoveryCodes = declareCall('POST /second-factor/codes', 'session', {
  reauthenticate: true
})

export const disableSecondFactor = declareCall('POST /second-factor/disable', 'session')

export const resetSecondFactor = declareCall('POST /usr/second-factor/reset', USER_CONTROL, {
  reauthenticate: true
})
