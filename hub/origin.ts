// Whether a request comes from a page of the origin that it is sent to. Cookies cannot tell: a browser sends them to, and from pages of,
// every port of a host, and a device's page is just another port (pages/, answers/port-forward.ts).
import type { RequestHeaders } from './gate.ts'

/** What the request says of where it comes from; undefined where it says nothing. */
export function isFromOwnPage(headers: RequestHeaders, host: string): boolean | undefined {
  const origin = headers.get('origin')
  if (origin !== null) return isOf(origin, host)
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const referrer = headers.get('referer')
  return referrer === null ? undefined : isOf(referrer, host)
}

/**
 * The same for a GET that changes something. Over plain HTTP to anything but this machine a browser says nothing of a GET where the page
 * that asks forbids it; what it never leaves out, and no page can change, is that it is a browser. Programs need say nothing.
 */
export function mayChange(headers: RequestHeaders, host: string): boolean {
  return isFromOwnPage(headers, host) ?? !/^Mozilla\//.test(headers.get('user-agent') ?? '')
}

function isOf(url: string, host: string): boolean {
  return URL.canParse(url) && new URL(url).host === host
}
