import { NAME_COOKIE, SESSION_COOKIE } from '../../auth/credentials.ts'
import type { Context } from '../../http/handler.ts'

/** Lifetime in days of the cookies of sessions that never expire. Browsers keep no cookie for more than 400 days. */
export const ENDLESS_COOKIE_DAYS = 365

/** Sets a cookie of the console. @param days 0 deletes it */
export function setCookie(context: Context, name: string, value: string, httpOnly: boolean, days: number): void {
  const flags = `${httpOnly ? '; HttpOnly' : ''}${context.secure ? '; Secure' : ''}`
  context.headers.append('set-cookie', `${name}=${value}; Path=/; SameSite=Strict; Max-Age=${days * 86_400}${flags}`)
}

/** Sets the cookies of a user's session. @param secret of the session */
export function setSessionCookies(context: Context, secret: string, name: string, days: number): void {
  setCookie(context, SESSION_COOKIE, secret, true, days)
  setCookie(context, NAME_COOKIE, encodeURIComponent(name), false, days)
}
