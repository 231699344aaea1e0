// States and limits of licences. The numbers of the states are not those of `codes.ts`.
import type { LicenseLimits, LicenseReason } from './license.schema.ts'

export type { LicenseLimits, LicenseReason, LicenseRefusal } from './license.schema.ts'

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

/** Limits of a hub without a licence. */
export const FREE_LIMITS: LicenseLimits = {
  'max-channel-count': 256,
  'max-live-count': 64,
  'max-output-count': 256,
  'max-srt-count': 64,
  'max-dev-count': 0
}

/** The lower one of two limits; 0 means no limit. */
const lowerLimit = (one: number, other: number) =>
  one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other)

/** The lower one of two limits for each count; 0 means no limit. */
export function lowerLimits(one: LicenseLimits, other: LicenseLimits): LicenseLimits {
  const names = Object.keys(one) as (keyof LicenseLimits)[]
  return Object.fromEntries(names.map((name) => [name, lowerLimit(one[name], other[name])])) as unknown as LicenseLimits
}

/** Bits of `permissions`: what a licence permits besides its limits. Other bits are ignored. */
export const LICENSE_PERMISSION = {
  /** The licence may be installed from a file, which never needs the licence server. */
  file: 0x1,
  /** Deactivation frees the licence for another machine. Without this bit, only the issuer can free it. */
  transfer: 0x2
} as const

/** A stored licence whose signature is right. Times are in milliseconds since the epoch. */
export interface LicenseFacts {
  /** Fingerprint of the machine that the licence is for. */
  machine: string
  /** End of the licence; 0 = never. */
  expires: number
  /** Last answer of the licence server, and its time; absent for a licence from a file. */
  server?: { state: number; at: number }
}

const DAY = 24 * 60 * 60 * 1000
/** Days for which a licence stays in force without an answer of its server. */
export const SERVER_AWAY_DAYS = 30
/**
 * A clock may go back by this many milliseconds, for instance after a power failure without a battery, before a
 * licence is refused.
 */
export const CLOCK_TOLERANCE = DAY

/**
 * The state of a licence.
 * @param machine fingerprint of this machine
 * @param latest the latest time that this hub has ever seen
 */
export function evaluateLicense(
  { machine: licensed, expires, server }: LicenseFacts,
  { machine, now, latest }: { machine: string; now: number; latest: number }
): { state: number; reason?: LicenseReason } {
  if (licensed !== machine) return { state: LICENSE_STATE.invalid, reason: 'copied' }
  if (server && server.state !== LICENSE_STATE.valid) return { state: server.state }
  if (expires !== 0 && Math.max(now, latest) >= expires) return { state: LICENSE_STATE.expired }
  if (now < latest - CLOCK_TOLERANCE) return { state: LICENSE_STATE.error, reason: 'clock-set-back' }
  if (server && now - server.at > SERVER_AWAY_DAYS * DAY) return { state: LICENSE_STATE.error, reason: 'server-away' }
  return { state: LICENSE_STATE.valid }
}
