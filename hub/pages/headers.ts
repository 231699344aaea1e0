// What passes between a browser and a device's page. Lists of what may, not of what may not: a header that nobody thought of stays out.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

const ASKED = new Set([
  ...['host', 'origin', 'referer', 'user-agent', 'authorization', 'range'],
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'pragma'],
  ...['content-type', 'content-length', 'content-encoding', 'content-disposition', 'transfer-encoding'],
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']
])

const ANSWERED = new Set([
  ...['accept-ranges', 'age', 'allow', 'date', 'etag', 'last-modified', 'location', 'retry-after', 'vary'],
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'content-range', 'content-type'],
  'www-authenticate'
])

const UPGRADE = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol', 'sec-websocket-extensions']
const UPGRADED = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions']

/**
 * The page may do to itself what it likes and reach nothing else: no other origin, so neither the console nor another device's page; no
 * service worker, which would outlive it at its port. Sandboxed it cannot send the window that opened it elsewhere, and what it opens
 * is sandboxed too. Its own origin it keeps: without it, its cookies, its storage and its own calls would not work.
 */
const POLICY =
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; worker-src blob:; object-src 'none'; base-uri 'self'; " +
  "form-action 'self'; frame-ancestors 'self'; " +
  'sandbox allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads'

/** Headers of every answer from a page's origin. */
const WALLS: OutgoingHttpHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Says to the page's own requests where they come from, which is how they are told from foreign ones.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN'
}

function chosen(headers: IncomingHttpHeaders, names: ReadonlySet<string>, own: boolean): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(
    ([name]) => names.has(name) || (own && name.startsWith('x-') && !/^x-(forwarded|real-ip|frame)/.test(name))
  )
  return Object.fromEntries(passed)
}

/** Headers of a request as the device gets them. The host stays the browser's, so that what the device makes of it fits. */
export function headersForDevice(headers: IncomingHttpHeaders, cookie: string | undefined): OutgoingHttpHeaders {
  return { ...chosen(headers, ASKED, true), ...(cookie && { cookie }), connection: 'close' }
}

/** The same for a WebSocket. */
export function upgradeForDevice(headers: IncomingHttpHeaders, cookie: string | undefined): OutgoingHttpHeaders {
  const upgrade = chosen(headers, new Set(UPGRADE), false)
  return { ...headersForDevice(headers, cookie), ...upgrade, connection: 'Upgrade', upgrade: 'websocket' }
}

/** Headers of a device's answer as the browser gets them. */
export function headersForBrowser(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const own = headers['content-security-policy']
  return {
    ...chosen(headers, ANSWERED, true),
    ...WALLS,
    // A later page at this port must not find an earlier one's: everything is asked for again, and may be found unchanged.
    'cache-control': /\bno-store\b/i.test(headers['cache-control'] ?? '') ? 'no-store' : 'private, no-cache',
    // Of two policies both hold.
    'content-security-policy': [POLICY, own].flat().filter(Boolean).join(', ')
  }
}

/** Lines of the answer that makes a connection a WebSocket. */
export function upgradeLines(headers: IncomingHttpHeaders): string[] {
  return Object.entries(chosen(headers, new Set(UPGRADED), false)).map(([name, value]) => `${name}: ${value}`)
}

/** Headers of the hub's own words at a page's origin. */
export const OWN_HEADERS: OutgoingHttpHeaders = {
  ...WALLS,
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-store',
  'content-type': 'text/plain;charset=utf-8'
}
