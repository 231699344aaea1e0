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
