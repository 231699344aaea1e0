// When sessions and accounts end.
import { NEVER_EXPIRES } from '../contract/access/token.ts'
import { REAUTHENTICATE_AFTER, SESSION_DAYS_MAX, SESSION_NEVER } from '../contract/limits.ts'

/**
 * Milliseconds between writes of the last use of a session or token: each write is an fsync, and the time need not be
 * exact.
 */
export const USE_INTERVAL = 30_000

/** Sessions per user: a program that signs in for each call and never signs out must not fill the disk. */
export const SESSIONS_MAX = 100

/** Milliseconds for which a session lives at most, however much it is used: a stolen cookie must not work for ever. */
const SESSION_LIFETIME = SESSION_DAYS_MAX * 86_400_000

/** Oldest times of valid sessions, in milliseconds since the epoch. */
export interface SessionLimits {
  /** Of the sign-in. */
  createdSince: number
  /** Of the last use. */
  seenSince: number
  /** Now: accounts whose end is not later have ended. */
  now: number
  /** Of the sign-in of a member of the Admin group, which the gate checks. */
  adminCreatedSince?: number
}

/**
 * @param minutes setting `expired-time`
 * @param hours setting `admin-session`
 */
export function sessionLimits(minutes: number, hours: number, now: number): SessionLimits {
  return {
    ...(minutes === SESSION_NEVER
      ? { createdSince: 0, seenSince: 0 }
      : { createdSince: now - SESSION_LIFETIME, seenSince: now - minutes * 60_000 }),
    now,
    adminCreatedSince: hours === SESSION_NEVER ? 0 : now - hours * 3_600_000
  }
}

/**
 * Whether a password was proved too long ago for calls that require a recent proof.
 * @param authenticatedAt in milliseconds since the epoch
 */
export function mustReauthenticate(authenticatedAt: number, now: number): boolean {
  // A clock that was set back must not extend the time.
  return Math.abs(now - authenticatedAt) > REAUTHENTICATE_AFTER * 60_000
}

/** Whether the account of a user has ended. */
export const isExpired = ({ expires }: { expires: number }, now: number): boolean =>
  expires !== NEVER_EXPIRES && now >= expires
