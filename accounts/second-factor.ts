// Codes of the second factor: time-based one-time codes (TOTP, RFC 6238; SHA-1, 6 digits, 30 s, as every authenticator
// app expects them), and recovery codes.
import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODES } from '../contract/access/second-factor.ts'

const ISSUER = 'Headend'
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Steps of 30 s by which the clock of a phone may differ. */
const CLOCK_SKEW = 1
/** 80 bits: a stolen database must not allow to find codes by trying them. */
const RECOVERY_CODE_BYTES = 10

/** @returns 160 random bits in base32 */
export function generateSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
}

const withoutSpaces = (code: string) => code.replace(/\s/g, '')

const totpOf = (secret: string, label?: string) =>
  new TOTP({ issuer: ISSUER, secret: Secret.fromBase32(secret), ...(label && { label }) })

/** `otpauth://` URI for authenticator apps. */
export function secretUri(secret: string, userName: string): string {
  return totpOf(secret, userName).toString()
}

/**
 * The time step of a code.
 * @param now milliseconds since the epoch
 * @returns undefined if the code is wrong
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const totp = totpOf(secret)
  const delta = totp.validate({ token: withoutSpaces(code), timestamp: now, window: CLOCK_SKEW })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}

/** Recovery codes of 16 characters in groups of four. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_CODE_BYTES)).buffer })
    return base32.toLowerCase().replace(/.{4}(?=.)/g, '$&-')
  })
}

/**
 * SHA-256 of a recovery code, whatever its case, spaces and hyphens. The code is random, so a slow hash would protect
 * nothing more.
 */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest('hex')
}

/** Whether a text is a code of an authenticator app, which may be typed in groups. */
export const isAppCode = (code: string) => /^\d{6}$/.test(withoutSpaces(code))
