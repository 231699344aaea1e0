// The login cache: the signed-in user in cookies, so that the console can render after a reload before the hub has
// responded; and the session's expiry in local storage. The hub checks every call anyway.

import type { LoginUser } from '../../contract/access/session.ts'
import { CACHE_PREFIX, SESSION_EXPIRY, SESSION_NEVER } from '../../contract/limits.ts'
import { md5 } from '../link/md5.ts'
import { readCookie, writeCookie } from '../text/cookies.ts'

/** Cookie names without their prefix. */
const COOKIES = ['user', 'type', 'permission', 'id', 'check']

const EXPIRY_KEY = `${CACHE_PREFIX}expired-time`

/** Seconds for which a session without expiry is cached, as long as the hub's own cookie. */
const YEAR = 31_536_000

/**
 * Checksum that detects an edited or incomplete cache. It protects nothing, because the hub decides what a user may do.
 */
function checksumOf(values: readonly string[]): string {
  return md5(CACHE_PREFIX + values.join('\n'))
}

function writeCookies(values: readonly string[], seconds: number): void {
  for (const [index, name] of COOKIES.entries()) {
    writeCookie(CACHE_PREFIX + name, values[index] ?? '', seconds)
  }
}

/** Reads the cached user. @returns null when there is none, or when the checksum does not match */
export function readLoginCache(): LoginUser | null {
  // Still encoded. When the checksum matches, the values can be decoded without errors.
  const values = COOKIES.map((name) => readCookie(CACHE_PREFIX + name) ?? '')
  const checksum = values.pop()
  const [name, type, permission, id] = values
  if (!name || checksum !== checksumOf(values)) return null
  return {
    name: decodeURIComponent(name),
    type: Number(type),
    permission: Number(permission),
    id: Number(id),
    'group-name': ''
  }
}

/** Caches a user for the life time of a session. A further call restarts that time. */
export function writeLoginCache({ name, type, permission, id }: LoginUser): void {
  const values = [encodeURIComponent(name), `${type}`, `${permission}`, `${id}`]
  const expiry = Number(localStorage.getItem(EXPIRY_KEY) ?? SESSION_EXPIRY * 60)
  writeCookies([...values, checksumOf(values)], expiry === SESSION_NEVER ? YEAR : expiry)
}

export function clearLoginCache(): void {
  writeCookies([], 0)
}

/** Stores the life time of sessions. @param minutes may be `SESSION_NEVER`; stored in seconds otherwise */
export function writeSessionExpiry(minutes: number): void {
  localStorage.setItem(EXPIRY_KEY, String(minutes === SESSION_NEVER ? SESSION_NEVER : minutes * 60))
}
