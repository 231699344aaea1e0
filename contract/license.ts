// States and limits of licences. The numbers of the states are not those of `codes.ts`.

export const LICENSE_STATE = {
  valid: 0,
  invalid: -10,
  notExist: -14,
  /** No licence was added; the built-in limits apply. */
  none: -20,
  caLicenseError: -102,
  caKeyError: -103,
  expired: -107,
  error: -109,
  disabled: -110,
  /** Activated by another user. */
  occupied: -111
} as const

/** Licence limits; 0 = no limit. */
export interface LicenseLimits {
  /** Channels. */
  'max-channel-count': number
  /** Enabled channels. */
  'max-live-count': number
  /** Outputs of enabled channels. */
  'max-output-count': number
  /** Inputs and outputs of enabled channels in SRT listener mode. */
  'max-srt-count': number
}

/** Limits of a hub without a licence. */
export const FREE_LIMITS: LicenseLimits = {
  'max-channel-count': 256,
  'max-live-count': 64,
  'max-output-count': 256,
  'max-srt-count': 64
}
