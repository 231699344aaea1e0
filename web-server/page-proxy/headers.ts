// Filters the headers between a browser and a device's web page. The lists name forwarded headers, so unknown headers
// are removed.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

const REQUEST_HEADERS = new Set([
  'host',
  'origin',
  'referer',
  'user-agent',
  'authorization',
  'range',
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'transfer-encoding',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range'
])

const RESPONSE_HEADERS = new Set([
  'accept-ranges',
  'age',
  'allow',
  'date',
  'etag',
  'last-modified',
  'location',
  'retry-after',
  'vary',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'www-authenticate'
])

const UPGRADE_REQUEST_HEADERS = new Set([
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions'
])

const UPGRADE_RESPONSE_HEADERS = new Set(['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'])

/**
 * The page may use its own origin freely but reach no other one, so neither the console nor other device pages. It
 * cannot register a service worker, which would stay at its port. The sandbox keeps it from navigating the window that
 * opened it, and applies to windows that it opens. It keeps its origin (`allow-same-origin`), because its storage and
 * its own calls need it.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; worker-src blob:; object-src 'none'; base-uri 'self'; " +
  "form-action 'self'; frame-ancestors 'self'; " +
  'sandbox allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads'

/** Headers of every response from a page's origin. */
const ISOLATION_HEADERS: OutgoingHttpHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // The page's own requests carry a Referer, which distinguishes them from foreign ones.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN'
}

const isForwardableCustomHeader = (name: string) => name.startsWith('x-') && !/^x-(forwarded|real-ip|frame)/.test(name)

function pickHeaders(
  headers: IncomingHttpHeaders,
  names: ReadonlySet<string>,
  includeCustom: boolean
): OutgoingHttpHeaders {
  const isForwarded = (name: string) => names.has(name) || (includeCustom && isForwardableCustomHeader(name))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isForwarded(name)))
}

/**
 * Headers of a request to the device. The Host header stays the browser's, so that URLs which the device builds from it
 * work.
 */
export function headersForDevice(headers: IncomingHttpHeaders, cookie: string | undefined): OutgoingHttpHeaders {
  return { ...pickHeaders(headers, REQUEST_HEADERS, true), ...(cookie && { cookie }), connection: 'close' }
}

/** Headers of a WebSocket upgrade request to the device. */
export function upgradeHeadersForDevice(headers: IncomingHttpHeaders, cookie: string | undefined): OutgoingHttpHeaders {
  return {
    ...headersForDevice(headers, cookie),
    ...pickHeaders(headers, UPGRADE_REQUEST_HEADERS, false),
    connection: 'Upgrade',
    upgrade: 'websocket'
  }
}

/** Headers of a device's response to the browser. */
export function headersForBrowser(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const devicePolicy = headers['content-security-policy']
  return {
    ...pickHeaders(headers, RESPONSE_HEADERS, true),
    ...ISOLATION_HEADERS,
    // A later page at this port must not get cached responses of an earlier one, so the browser always revalidates.
    'cache-control': /\bno-store\b/i.test(headers['cache-control'] ?? '') ? 'no-store' : 'private, no-cache',
    // The browser enforces both policies.
    'content-security-policy': [CONTENT_SECURITY_POLICY, devicePolicy].flat().filter(Boolean).join(', ')
  }
}

/** Header lines of the response that accepts a WebSocket upgrade. */
export function upgradeLines(headers: IncomingHttpHeaders): string[] {
  return Object.entries(pickHeaders(headers, UPGRADE_RESPONSE_HEADERS, false)).map(
    ([name, value]) => `${name}: ${value}`
  )
}

/** Headers of the hub's own messages at a page's origin. */
export const MESSAGE_HEADERS: OutgoingHttpHeaders = {
  ...ISOLATION_HEADERS,
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-store',
  'content-type': 'text/plain;charset=utf-8'
}
