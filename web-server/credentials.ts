// Reads session cookies and access tokens from request headers.
import { createHash } from 'node:crypto'

export const SESSION_COOKIE = 'mwcloud-sid'
/**
 * The session cookie over TLS. It has another name because a browser that holds a Secure cookie refuses one of the same
 * name over HTTP: a user could not sign in there any more. A cookie with this prefix can only be set over TLS, by the
 * hub's own host (RFC 6265bis).
 */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`
export const NAME_COOKIE = 'mwcloud-uid'

/** Headers of a request, as in `fetch`. */
export interface RequestHeaders {
  get(name: string): string | null
}

/** SHA-256 in hex: sessions and tokens are stored as hashes only. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The first value of a cookie in a Cookie header. */
export function readCookie(header: string | null, name: string): string | undefined {
  return readCookies(header, name)[0]
}

/** All values of a cookie in a Cookie header: cookies of one name can differ in their paths. */
export function readCookies(header: string | null, name: string): string[] {
  return (header?.split(';') ?? []).flatMap((part) => {
    const separator = part.indexOf('=')
    return separator > 0 && part.slice(0, separator).trim() === name ? [part.slice(separator + 1).trim()] : []
  })
}

/** The access token of an Authorization header; empty if it is malformed, undefined if the scheme is not Bearer. */
export function readBearerToken(header: string | null): string | undefined {
  if (!/^bearer(\s|$)/i.test(header ?? '')) return undefined
  return /^bearer +([A-Za-z0-9]{64})$/i.exec(header ?? '')?.[1] ?? ''
}

/** The session secrets in a Cookie header, those of TLS first. */
export function readSessionSecrets(header: string | null): string[] {
  return [...readCookies(header, SECURE_SESSION_COOKIE), ...readCookies(header, SESSION_COOKIE)].filter(Boolean)
}
