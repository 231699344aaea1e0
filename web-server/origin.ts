// Checks whether a request comes from a page of the hub's own origin. Cookies do not show this: a browser sends them
// to, and from pages of, every port of a host, and device pages and port forwards are other ports of the same host.
import type { RequestHeaders } from './credentials.ts'

/**
 * Whether the headers Origin and Sec-Fetch-Site, which pages cannot change, name the own origin; undefined without
 * them.
 */
function isDeclaredOwn(headers: RequestHeaders, host: string): boolean | undefined {
  const origin = headers.get('origin')
  if (origin !== null) return hasHost(origin, host)
  const site = headers.get('sec-fetch-site')
  return site === null ? undefined : site === 'same-origin' || site === 'none'
}

/** Like `isDeclaredOwn`, with the header Referer, which pages can suppress, as a fallback. */
export function isFromOwnPage(headers: RequestHeaders, host: string): boolean | undefined {
  const isOwn = isDeclaredOwn(headers, host)
  if (isOwn !== undefined) return isOwn
  const referrer = headers.get('referer')
  return referrer === null ? undefined : hasHost(referrer, host)
}

/** Whether no header declares that the request comes from a page of another origin. */
export function isSameOrigin(headers: RequestHeaders, host: string): boolean {
  return isDeclaredOwn(headers, host) ?? true
}

/**
 * Whether a call is allowed from where it comes.
 * @param isWrite whether the call changes something and is authenticated by a cookie
 */
export function isCallAllowed(headers: RequestHeaders, host: string, isWrite: boolean): boolean {
  return isSameOrigin(headers, host) && (!isWrite || isWriteAllowed(headers, host))
}

/**
 * Whether a call that changes something is allowed, GET included. Over plain HTTP to another machine, a browser sends
 * none of these headers with a GET if the page suppresses Referer; it still sends a User-Agent that starts with
 * `Mozilla/`, which pages cannot change. Programs need not send any of them.
 */
export function isWriteAllowed(headers: RequestHeaders, host: string): boolean {
  return isFromOwnPage(headers, host) ?? !/^Mozilla\//.test(headers.get('user-agent') ?? '')
}

function hasHost(url: string, host: string): boolean {
  return URL.canParse(url) && new URL(url).host === host
}
