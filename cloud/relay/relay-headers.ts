// The headers that pass between a browser and a hub. A hub is not trusted with the browser's cookies, and cannot set
// any; nor does it decide about anything outside of its own origin.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import { MISSING_AUDIO_HEADER } from '../../contract/stream/channel-watch.ts'
import { languageCookie } from '../../web-server/language.ts'

const REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-length',
  'content-type',
  'headend-background',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'user-agent'
]

const RESPONSE_HEADERS = [
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'etag',
  'handle-id',
  'last-modified',
  MISSING_AUDIO_HEADER,
  'referrer-policy',
  'retry-after',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-frame-options'
]

/** Headers of the request of a WebSocket besides those of its handshake. */
const SOCKET_HEADERS = ['accept-language', 'origin', 'user-agent']
const HANDSHAKE = /^sec-websocket-(key|version|extensions|protocol)$/

/** Headers of a request to the hub. */
export function requestHeaders(received: IncomingHttpHeaders): OutgoingHttpHeaders {
  return { ...pick(received, REQUEST_HEADERS), ...cookieHeader(received) }
}

/** Headers of the request of a WebSocket, as HTTP/1.1. */
export function socketHeaders(received: IncomingHttpHeaders): OutgoingHttpHeaders {
  const handshake = Object.keys(received).filter((name) => HANDSHAKE.test(name))
  return { ...pick(received, [...SOCKET_HEADERS, ...handshake]), ...cookieHeader(received) }
}

/** Headers of a response of the hub. */
export const responseHeaders = (received: IncomingHttpHeaders): OutgoingHttpHeaders => pick(received, RESPONSE_HEADERS)

function pick(headers: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}

/** The one cookie that a hub needs: the language of the console. */
function cookieHeader({ cookie }: IncomingHttpHeaders): OutgoingHttpHeaders {
  const language = languageCookie(cookie)
  return language === undefined ? {} : { cookie: language }
}
