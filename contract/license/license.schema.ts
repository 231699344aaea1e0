// Schemas of license/license.
import * as z from 'zod'

/** Licence limits; 0 = no limit. */
export const LicenseLimits = z.object({
  'max-channel-count': z.int().describe('Channels'),
  'max-live-count': z.int().describe('Enabled channels'),
  'max-output-count': z.int().describe('Outputs of enabled channels'),
  'max-srt-count': z.int().describe('Inputs and outputs of enabled channels in SRT listener mode'),
  'max-dev-count': z.int().describe('Accepted devices')
})
/** Why a licence is not in force, where the state alone does not say it. */
export const LicenseReason = z.enum(['copied', 'clock-set-back', 'server-away'])
/**
 * Why the hub refuses a licence, where the state alone does not say it. `older`: a newer statement with the same
 * serial number was installed before. `server-only`: the licence may not come from a file. `untrusted-server`: the
 * answer of the licence server is not one that the issuer has signed for this request and this machine. `no-license`:
 * the file is none of a licence.
 */
export const LicenseRefusal = z.union([
  LicenseReason,
  z.literal('older'),
  z.literal('server-only'),
  z.literal('untrusted-server'),
  z.literal('no-license')
])

export type LicenseLimits = z.infer<typeof LicenseLimits>
export type LicenseReason = z.infer<typeof LicenseReason>
export type LicenseRefusal = z.infer<typeof LicenseRefusal>
