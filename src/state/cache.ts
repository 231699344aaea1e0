// What the console keeps in the browser: the login cache in cookies (specification 3), the session's expiry locally (specification 9).
import { CACHE_PREFIX, SESSION_EXPIRY, SESSION_NEVER } from '../../contract/limits.ts'
import type { LoginUser } from '../../contract/session.ts'
import { md5 } from '../link/md5.ts'

/** Cookies of the login cache. */
const COOKIES = ['user', 'type', 'permission', 'id', 'check'] as const

const EXPIRY_KEY = `${CACHE_PREFIX}expired-time`

/** Seconds: what never ends is kept for a year, as long as the hub's own cookie. */
const YEAR = 31_536_000

function readCookie(name: string): string {
  const [, value = ''] = new RegExp(`(?:^|; )${CACHE_PREFIX}${name}=([^;]*)`).exec(document.cookie) ?? []
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** Tells a cache that was edited or half lost from a whole one. No protection of anything: the hub decides what a user may do. */
function checkOf(values: readonly unknown[]): string {
  return md5([CACHE_PREFIX, ...values].join('\n'))
}

/** Seconds for which the cache is kept. */
function lifetime(): number {
  const kept = localStorage.getItem(EXPIRY_KEY) ?? SESSION_EXPIRY * 60
  return Number(kept) === SESSION_NEVER ? YEAR : Number(kept)
}

function write(values: readonly unknown[], seconds: number): void {
  for (const [index, name] of COOKIES.entries()) {
    const value = encodeURIComponent(String(values[index] ?? ''))
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin, which a hub on plain HTTP is not.
    document.cookie = `${CACHE_PREFIX}${name}=${value}; path=/; SameSite=Strict; max-age=${seconds}`
  }
}

/** The user of the login cache; nobody when there is none or its check value does not fit. */
export function readLogin(): LoginUser | null {
  const [name, type, permission, id, check] = COOKIES.map(readCookie)
  if (!name || check !== checkOf([name, type, permission, id])) return null
  return { name, type: Number(type), permission: Number(permission), id: Number(id), 'group-name': '' }
}

/** Keeps the login of a user, or lengthens its life. */
export function writeLogin({ name, type, permission, id }: LoginUser): void {
  const values = [name, type, permission, id]
  write([...values, checkOf(values)], lifetime())
}

export function clearLogin(): void {
  write([], 0)
}

/** Keeps the expiry of sessions, given in minutes or `SESSION_NEVER`, in seconds. */
export function writeExpiry(minutes: number): void {
  localStorage.setItem(EXPIRY_KEY, String(minutes === SESSION_NEVER ? SESSION_NEVER : minutes * 60))
}
