// Second factor: time-based one-time codes (TOTP, RFC 6238) of 6 digits every 30 s, and recovery codes (docs/wire.md, "Sign-in and sessions").
import { declareCall, type EmptyRequest, type LockoutInfo } from '../call.ts'
import type { QrCode } from '../qr.ts'
import { USER_CONTROL } from './permissions.ts'

/** Recovery codes that a user gets at a time. */
export const RECOVERY_CODES = 10

/** The second factor of a user. */
export interface SecondFactor {
  /** When it was switched on, in milliseconds since the epoch. */
  since: number
  /** Recovery codes that are left. */
  'recovery-codes': number
}

/** What an authenticator app needs to compute the codes of a user. */
export interface SecondFactorSecret {
  /** 160 bits in base32. */
  secret: string
  /** The same as `otpauth://` URI, and its QR code. */
  uri: string
  qr: QrCode
}

/** Recovery codes in clear text. They are shown once: the hub stores hashes. Each is accepted once instead of a code of the app. */
export interface RecoveryCodes {
  codes: string[]
}

/** A code of the authenticator app, or a recovery code. */
interface CodeRequest {
  code: string
}

/** Generates a secret for the caller. It is not stored, and has no effect before `enableSecondFactor`. 38 if the second factor is on. */
export const startSecondFactor = declareCall<EmptyRequest, SecondFactorSecret>(
  'POST',
  '/second-factor/start',
  'session',
  {
    reauthenticate: true
  }
)

/**
 * Switches the second factor on and ends all other sessions of the caller, which have not proved it.
 * 39 with `field` = `code` if the code does not belong to the secret; 38 if the second factor is on.
 */
export const enableSecondFactor = declareCall<CodeRequest & { secret: string }, RecoveryCodes>(
  'POST',
  '/second-factor/enable',
  'session',
  { reauthenticate: true }
)

/** Replaces all recovery codes of the caller. 38 if the second factor is off. */
export const renewRecoveryCodes = declareCall<EmptyRequest, RecoveryCodes>('POST', '/second-factor/codes', 'session', {
  reauthenticate: true
})

/**
 * Switches the second factor off. In a group that demands one the caller has to set up another one at once, for instance on a new phone.
 * 39 wrong password or, with `field` = `code`, wrong code; 38 if it is off.
 */
export const disableSecondFactor = declareCall<CodeRequest & { pass: string }, LockoutInfo>(
  'POST',
  '/second-factor/disable',
  'session'
)

/** Switches the second factor of another user off and ends all sessions of that user. 16 unknown user; 31 for the caller, and for a user whom the caller may not change; 38 if it is off. */
export const resetSecondFactor = declareCall<{ id: number }>('POST', '/usr/second-factor/reset', USER_CONTROL, {
  reauthenticate: true
})
