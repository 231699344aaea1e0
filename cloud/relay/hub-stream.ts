// Carries one request of a browser to a hub over its link, and the response back: bodies in both directions as they
// arrive, with the flow control and the cancellation of HTTP/2.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import { ASSERTION_HEADER, REFUSAL_HEADER } from '../../contract/cloud/relay.ts'
import type { Link } from '../../device-link/link.ts'
import { noResponseError, offlineError } from '../../device-link/link-error.ts'
import { hasBody } from '../../web-server/request.ts'
import { AssertionRefused } from './assertions.ts'
import { requestHeaders, responseHeaders } from './relay-headers.ts'

/**
 * Milliseconds until the response must begin. A read that the hub relays to a device takes 15 s there at most, and the
 * console waits 20 s; a write may take as long as the check of an update.
 */
const RESPONSE_TIMEOUT = { read: 18_000, write: 190_000 }

interface HubRequestTarget {
  link: Link
  sn: string
  /** Path with query. */
  target: string
  host: string
}

/**
 * Sends a request to a hub, and its response to the browser.
 * @throws LinkError if there is no response; AssertionRefused if the hub has refused the assertion, in which case
 * nothing of the body was read if there is one
 */
export function relayRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { link, sn, target, host }: HubRequestTarget,
  assertion: string
): Promise<void> {
  const { method = 'GET', headers } = incoming
  const sendsBody = hasBody(incoming)
  return new Promise((resolve, reject) => {
    if (link.hasEnded || link.session.closed || link.session.destroyed) return reject(offlineError(sn))
    const stream = link.session.request(
      {
        ...requestHeaders(headers),
        ':method': method,
        ':path': target,
        ':authority': host,
        [ASSERTION_HEADER]: assertion
      },
      { endStream: !sendsBody }
    )
    const timeout = method === 'GET' ? RESPONSE_TIMEOUT.read : RESPONSE_TIMEOUT.write
    const timer = setTimeout(() => fail(noResponseError(`no response within ${timeout / 1000} s`)), timeout)
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL)
    response.once('close', cancel)
    function fail(error: Error): void {
      clearTimeout(timer)
      response.off('close', cancel)
      reject(error)
      cancel()
    }
    stream.on('error', () => {})
    stream.once('close', () => fail(link.hasEnded ? offlineError(sn) : noResponseError('the hub sent no response')))
    stream.once('response', (received) => {
      const refusal = received[REFUSAL_HEADER]
      if (refusal !== undefined) return fail(new AssertionRefused(String(refusal)))
      const status = Number(received[':status'])
      if (!(status >= 200 && status < 600)) return fail(noResponseError(`the hub answered with the status ${status}`))
      clearTimeout(timer)
      resolve()
      sendResponse(stream, status, received, response)
    })
    if (sendsBody) incoming.pipe(stream)
  })
}

function sendResponse(
  stream: ClientHttp2Stream,
  status: number,
  received: IncomingHttpHeaders,
  response: ServerResponse
): void {
  response.writeHead(status, responseHeaders(received) as Record<string, string>)
  // A stream of pictures or changes begins with its headers.
  response.flushHeaders()
  stream.pipe(response)
  stream.once('close', () => {
    // 'end' is also emitted for a stream that was reset.
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.aborted) response.destroy()
  })
}
