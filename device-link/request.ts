// Sends one request to a device over its link.

import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import type { Link } from './link.ts'
import { noResponseError, offlineError } from './link-error.ts'
import { collectBody } from './read-body.ts'

export interface DeviceRequest {
  method: string
  /** Path and query. */
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | Uint8Array
  /** Maximum size in bytes of the response body, 8 MiB by default. A larger response counts as no response. */
  maxBody?: number
  /**
   * Whether a device that runs responds soon, unlike to an order, which can take as long as its timeout. No response
   * then means that a device at an address is offline.
   */
  isQuick?: boolean
}

export interface DeviceResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const DEFAULT_BODY_MAX = 8 << 20

/**
 * Sends a request and waits for the complete response.
 * @param timeout milliseconds until the last byte of the response
 * @throws LinkError
 */
export function sendRequest(link: Link, sn: string, call: DeviceRequest, timeout: number): Promise<DeviceResponse> {
  const { method, path, headers, body, maxBody = DEFAULT_BODY_MAX } = call
  return new Promise((resolve, reject) => {
    if (isClosed(link)) return reject(offlineError(sn))
    const stream = link.session.request(
      { ...headers, ':method': method, ':path': path },
      { endStream: body === undefined }
    )
    if (body !== undefined) stream.end(body)
    let responseHeaders: IncomingHttpHeaders | undefined
    let isComplete = false

    const timer = setTimeout(() => fail(noResponseError(`no response within ${timeout / 1000} s`)), timeout)
    function fail(error: Error): void {
      clearTimeout(timer)
      reject(error)
      stream.close(constants.NGHTTP2_CANCEL)
    }

    stream.on('response', (received) => {
      responseHeaders = received
    })
    const collectedBody = collectBody(stream, maxBody, fail)
    stream.on('end', () => {
      isComplete = !isClosed(link)
    })
    stream.on('error', () => {})
    // 'end' is also emitted for a stream that was reset. Only 'close' distinguishes the two.
    stream.on('close', () => {
      clearTimeout(timer)
      if (responseHeaders && isComplete && !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR)
        return resolve({ status: Number(responseHeaders[':status']), headers: responseHeaders, body: collectedBody() })
      reject(isClosed(link) ? offlineError(sn) : noResponseError('the device aborted its response'))
    })
  })
}

function isClosed({ hasEnded, session }: Link): boolean {
  return hasEnded || session.closed || session.destroyed
}

/** The result code in the response to an order; undefined if there is none. */
export function readResult({ status, body }: DeviceResponse): number | undefined {
  if (status !== 200) return undefined
  try {
    const { result } = JSON.parse(body.toString())
    return Number.isInteger(result) ? result : undefined
  } catch {
    return undefined
  }
}
