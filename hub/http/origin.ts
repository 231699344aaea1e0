// Whether a request comes from a page of the origin that it is sent to. Cookies cannot tell: a browser sends them to, and from pages of,
// every port of a host, and a device's page is just another port (pages/, answers/port-forward.ts).
import type { RequestHeaders } from '../auth/gate.ts'

/** What the browser itself says of where a request comes from; undefined where it says nothing. */
function told(headers: RequestHeaders, host: string): boolean | undefined {
  const origin = headers.get('origin')
  if (origin !== null) return isOf(origin, host)
  const site = headers.get('sec-fetch-site')
  return site === null ? undefined : site === 'same-origin' || site === 'none'
}

/** The same, and what the page lets it say. */
export function isFromOwnPage(headers: RequestHeaders, host: string): boolean | undefined {
  const own = told(headers, host)
  if (own !== undefined) return own
  const referrer = headers.get('referer')
  return referrer === null ? undefined : isOf(referrer, host)
}

/** Whether nothing says that the request comes from a page of another origin. */
export function sameOrigin(headers: RequestHeaders, host: string): boolean {
  return told(headers, host) ?? true
}

/** Whether a call may be answered, for where it comes from. @param changes whether it changes something, and no token vouches for it */
export function mayCall(headers: RequestHeaders, host: string, changes: boolean): boolean {
  return sameOrigin(headers, host) && (!changes || mayChange(headers, host))
}

/**
 * `isFromOwnPage` for a call that changes something, GET included. Over plain HTTP to anything but this machine a browser says nothing
 * of a GET where the page that asks forbids it; what it never leaves out, and no page can change, is that it is a browser. Programs
 * need say nothing.
 */
export function mayChange(headers: RequestHeaders, host: string): boolean {
  return isFromOwnPage(headers, host) ?? !/^Mozilla\//.test(headers.get('user-agent') ?? '')
}

function isOf(url: string, host: string): boolean {
  return URL.canParse(url) && new URL(url).host === host
}
