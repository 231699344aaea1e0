// Which requests of a browser may go to the web page of a device, besides the check of who sends them.
import type { IncomingMessage } from 'node:http'
import { isFromOwnPage } from '../origin.ts'
import { headersOf } from '../request.ts'

/** Whether a request comes from the page itself, or opens it. */
export function isPageRequest(request: IncomingMessage): boolean {
  const headers = headersOf(request)
  const { method = '', url = '' } = request
  // A service worker would stay in this origin after the page is closed.
  if (!/^\/[!-~]*$/.test(url) || headers.get('service-worker') !== null) return false
  // Pages of other origins may only link to `/`, where a GET changes nothing.
  const isEntry = (method === 'GET' || method === 'HEAD') && url === '/' && headers.get('origin') === null
  return isEntry || isFromOwnPage(headers, headers.get('host') ?? '') === true
}

/** Whether a WebSocket is opened by the page itself. */
export function isPageSocket(request: IncomingMessage): boolean {
  const headers = headersOf(request)
  const isOwn = headers.get('origin') !== null && isFromOwnPage(headers, headers.get('host') ?? '') === true
  return isOwn && headers.get('upgrade')?.toLowerCase() === 'websocket' && request.method === 'GET'
}
