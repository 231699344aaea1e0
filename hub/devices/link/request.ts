// One call to a device over its link.

import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import type { Link } from './link.ts'
import { noAnswer, offline } from './link-error.ts'
import { gather } from './read-body.ts'

export interface DeviceRequest {
  method: string
  /** With its query. */
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | Uint8Array
  /** Bytes of the answer's body; a larger one is no answer. 8 MiB unless told. */
  maxBody?: number
}

export interface DeviceAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const BODY_MAX = 8 << 20

/**
 * Makes a call and waits for the whole answer.
 * @param timeout milliseconds until the last byte of it
 * @throws LinkError
 */
export function request(link: Link, sn: string, call: DeviceRequest, timeout: number): Promise<DeviceAnswer> {
  const { method, path, headers, body, maxBody = BODY_MAX } = call
  return new Promise((resolve, reject) => {
    if (isGone(link)) return reject(offline(sn))
    const stream = link.session.request(
      { ...headers, ':method': method, ':path': path },
      { endStream: body === undefined }
    )
    if (body !== undefined) stream.end(body)
    let head: IncomingHttpHeaders | undefined
    let complete = false

    const timer = setTimeout(() => fail(noAnswer(`no answer within ${timeout / 1000} s`)), timeout)
    function fail(error: Error): void {
      clearTimeout(timer)
      reject(error)
      stream.close(constants.NGHTTP2_CANCEL)
    }

    stream.on('response', (received) => {
      head = received
    })
    const said = gather(stream, maxBody, fail)
    stream.on('end', () => {
      complete = !isGone(link)
    })
    stream.on('error', () => {})
    // 'end' comes of a stream that was cut, too: only here is it known which it was.
    stream.on('close', () => {
      clearTimeout(timer)
      if (head && complete && !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR)
        return resolve({ status: Number(head[':status']), headers: head, body: said() })
      reject(isGone(link) ? offline(sn) : noAnswer('the device broke off its answer'))
    })
  })
}

function isGone({ isOver, session }: Link): boolean {
  return isOver || session.closed || session.destroyed
}
