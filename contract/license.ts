// What a licence is like: specification 8, reference 2.3. The numbers are result codes in the licence's own meaning.

export const LICENSE = {
  valid: 0,
  invalid: -10,
  notExist: -14,
  /** None was added: the built-in one applies. */
  none: -20,
  caLicenseError: -102,
  caKeyError: -103,
  expired: -107,
  error: -109,
  disabled: -110,
  /** Another user has activated it. */
  occupied: -111
} as const

/** Seconds before its end from which on a licence is warned of (15 days), and from which on its end is shown (30 days): specification 9. */
export const LICENSE_WARNED = 1_296_000
export const LICENSE_SHOWN = 2_592_000

/** How much may be active: 0 is no limit. */
export interface LicenseLimits {
  /** Channels, and of those the ones that may be enabled at a time. */
  'max-channel-count': number
  'max-live-count': number
  /** Outputs of enabled channels. */
  'max-output-count': number
  /** Inputs and outputs of enabled channels that wait for SRT callers. */
  'max-srt-count': number
}

/** What this hub allows as long as it has no licence. */
export const FREE_LIMITS: LicenseLimits = {
  'max-channel-count': 256,
  'max-live-count': 64,
  'max-output-count': 256,
  'max-srt-count': 64
}
