// What the console keeps in the browser: the login cache in cookies (specification 3), the session's expiry locally (specification 9).
import { CACHE_PREFIX, SESSION_EXPIRY, SESSION_NEVER } from '../../contract/limits.ts'
import type { LoginUser } from '../../contract/session.ts'
import { md5 } from '../link/md5.ts'
import { readCookie, writeCookie } from '../text/cookies.ts'

/** Cookies of the login cache. */
const COOKIES = ['user', 'type', 'permission', 'id', 'check']

const EXPIRY_KEY = `${CACHE_PREFIX}expired-time`

/** Seconds: what never ends is kept for a year, as long as the hub's own cookie. */
const YEAR = 31_536_000

/** Tells a cache that was edited or half lost from a whole one. No protection of anything: the hub decides what a user may do. */
function checkOf(values: readonly string[]): string {
  return md5(CACHE_PREFIX + values.join('\n'))
}

function write(values: readonly string[], seconds: number): void {
  for (const [index, name] of COOKIES.entries()) {
    writeCookie(CACHE_PREFIX + name, values[index] ?? '', seconds)
  }
}

/** The user of the login cache; nobody when there is none or its check value does not fit. */
export function readLogin(): LoginUser | null {
  // As they stand there, encoded: what the check fits can also be decoded.
  const values = COOKIES.map((name) => readCookie(CACHE_PREFIX + name) ?? '')
  const check = values.pop()
  const [name, type, permission, id] = values
  if (!name || check !== checkOf(values)) return null
  return {
    name: decodeURIComponent(name),
    type: Number(type),
    permission: Number(permission),
    id: Number(id),
    'group-name': ''
  }
}

/** Keeps the login of a user for as long as a session lasts; again, and it lasts anew. */
export function writeLogin({ name, type, permission, id }: LoginUser): void {
  const values = [encodeURIComponent(name), `${type}`, `${permission}`, `${id}`]
  const expiry = Number(localStorage.getItem(EXPIRY_KEY) ?? SESSION_EXPIRY * 60)
  write([...values, checkOf(values)], expiry === SESSION_NEVER ? YEAR : expiry)
}

export function clearLogin(): void {
  write([], 0)
}

/** Keeps the expiry of sessions, given in minutes or `SESSION_NEVER`, in seconds. */
export function writeExpiry(minutes: number): void {
  localStorage.setItem(EXPIRY_KEY, String(minutes === SESSION_NEVER ? SESSION_NEVER : minutes * 60))
}
