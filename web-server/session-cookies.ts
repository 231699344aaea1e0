// The cookies of sessions.
import { NAME_COOKIE, readCookie, readSessionSecrets, SECURE_SESSION_COOKIE, SESSION_COOKIE } from './credentials.ts'

/** Of the context of a call. */
interface Context {
  /** The request came over TLS. */
  readonly secure: boolean
  /** Headers of the response. */
  readonly headers: { append(name: 'set-cookie', value: string): void }
}

/** Lifetime in days of the cookies of sessions that never expire. Browsers keep no cookie for more than 400 days. */
export const ENDLESS_COOKIE_DAYS = 365

/** Sets a cookie of the console. @param days 0 deletes it */
export function setCookie(context: Context, name: string, value: string, httpOnly: boolean, days: number): void {
  const flags = `${httpOnly ? '; HttpOnly' : ''}${context.secure ? '; Secure' : ''}`
  context.headers.append('set-cookie', `${name}=${value}; Path=/; SameSite=Strict; Max-Age=${days * 86_400}${flags}`)
}

/** Sets the cookie of a session. Over TLS it replaces one that was set over HTTP. @param days 0 deletes it */
export function setSessionCookie(context: Context, secret: string, days: number): void {
  const { secure } = context
  setCookie(context, secure ? SECURE_SESSION_COOKIE : SESSION_COOKIE, secret, true, days)
  if (secure) setCookie(context, SESSION_COOKIE, '', true, 0)
}

/** Sets the cookies of a user's session. @param secret of the session; @param days 0 deletes them */
export function setSessionCookies(context: Context, secret: string, name: string, days: number): void {
  setSessionCookie(context, secret, days)
  setCookie(context, NAME_COOKIE, encodeURIComponent(name), false, days)
}

/** Deletes the cookies of a session that has ended, if the client still sends them. @param sent its Cookie header */
export function clearSessionCookies(context: Context, sent: string | null): void {
  if (readSessionSecrets(sent).length > 0 || readCookie(sent, NAME_COOKIE)) setSessionCookies(context, '', '', 0)
}
