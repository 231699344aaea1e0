// The cookies that a device's web page sets for a session. They are kept in the hub: in the browser they would be
// shared with the console and the pages of all other devices, which differ in their port only. The drawback: scripts of
// the page cannot read them.

/** Limits that browsers support at least (RFC 6265, 6.1): cookies of a page, and characters of a cookie. */
const COOKIES_MAX = 50
const COOKIE_SIZE_MAX = 4096

interface Cookie {
  name: string
  value: string
  path: string
  /** Milliseconds since the epoch. */
  expires: number
}

export interface CookieJar {
  /** Stores the Set-Cookie headers of a response to a request for `path`. */
  storeCookies(headers: readonly string[], path: string): void
  /** The Cookie header for a path; undefined if no cookie applies. */
  cookieHeader(path: string): string | undefined
}

export function createCookieJar(now: () => number = Date.now): CookieJar {
  /** By name and path, oldest first. */
  const cookies = new Map<string, Cookie>()

  function storeCookie(cookie: Cookie): void {
    const key = `${cookie.name}\n${cookie.path}`
    cookies.delete(key)
    if (cookie.expires <= now()) return
    const [oldest] = cookies.keys()
    if (cookies.size >= COOKIES_MAX && oldest !== undefined) cookies.delete(oldest)
    cookies.set(key, cookie)
  }

  return {
    storeCookies(headers, path) {
      for (const header of headers) {
        const cookie = parseSetCookie(header, path, now())
        if (cookie) storeCookie(cookie)
      }
    },

    cookieHeader(path) {
      const matching = [...cookies.values()].filter((cookie) => cookie.expires > now() && isBelow(path, cookie.path))
      // Longer paths come first (RFC 6265, 5.4).
      matching.sort((a, b) => b.path.length - a.path.length)
      return matching.map(({ name, value }) => `${name}=${value}`).join('; ') || undefined
    }
  }
}

/** @returns undefined for a header that is too long or malformed */
function parseSetCookie(header: string, requestPath: string, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = header.split(';')
  const separator = pair.indexOf('=')
  const name = pair.slice(0, separator).trim()
  const value = pair.slice(separator + 1).trim()
  if (separator < 1 || pair.length > COOKIE_SIZE_MAX || !/^[\x21-\x7e]*$/.test(value) || !/^[\x21-\x7e]+$/.test(name))
    return undefined
  const values = new Map<string, string>()
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=')
    values.set(key.trim().toLowerCase(), rest.join('=').trim())
  }
  const path = values.get('path') ?? ''
  return {
    name,
    value,
    path: path.startsWith('/') ? path : defaultPath(requestPath),
    expires: parseExpiry(values, now)
  }
}

/** Max-Age takes precedence over Expires. Without either the cookie stays until the page is closed. */
function parseExpiry(attributes: ReadonlyMap<string, string>, now: number): number {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined && /^-?\d{1,12}$/.test(maxAge)) return now + Number(maxAge) * 1000
  const date = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(date) ? Number.POSITIVE_INFINITY : date
}

/** RFC 6265, 5.1.4. */
function defaultPath(requestPath: string): string {
  return requestPath.slice(0, Math.max(1, requestPath.lastIndexOf('/')))
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
