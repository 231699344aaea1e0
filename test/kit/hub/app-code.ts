// An authenticator app.
import { Secret, TOTP } from 'otpauth'

/**
 * The code that the app shows.
 * @param secret base32
 * @param time milliseconds since the epoch
 */
export const appCode = (secret: string, time = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time })
