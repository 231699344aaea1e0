// Writes responses with node:http.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Reply } from './reply.ts'
import { hasBody } from './request.ts'

/**
 * Milliseconds and bytes for which the rest of a request that the hub does not want is read, so that the client can
 * read the response.
 */
const LINGER = { time: 1000, size: 1 << 20 }

/**
 * Bytes that are written to an HTTP/2 stream at a time. What waits to be sent counts for its session, which refuses
 * further requests when that is much.
 */
const PIECE = 1 << 16

/** Statuses of responses that never have a body. */
const BODILESS: readonly number[] = [204, 304]

/** Sends a response. The connection is closed if the client does not send the rest of its request soon. */
export function sendReply(incoming: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.destroyed) return
  if (BODILESS.includes(status) || headers['content-length'] !== undefined)
    response.writeHead(status, headers as OutgoingHttpHeaders)
  else {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : (body?.length ?? 0)
    response.writeHead(status, { ...headers, 'content-length': length } as OutgoingHttpHeaders)
  }
  if (incoming.complete || !hasBody(incoming)) {
    if (body === null) response.end()
    else if (incoming.httpVersionMajor === 2 && body.length > PIECE) void endInPieces(response, body)
    else response.end(body)
    return
  }
  if (body === null) response.flushHeaders()
  else response.write(body)
  discardRest(incoming, response)
}

/** Sends a streamed response, and cancels the stream when the client disconnects. */
export async function sendStream(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Response
): Promise<void> {
  const cookies = headers.getSetCookie()
  response.writeHead(status, { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) })
  if (body && incoming.method !== 'HEAD') {
    response.flushHeaders()
    await copyStream(body, response)
  }
  discardRest(incoming, response)
}

async function copyStream(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  response.once('close', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!response.write(value)) await whenWritable(response)
    }
    response.off('close', cancel)
  } catch {
    // The response cannot be completed, and its status has been sent.
    response.destroy()
  }
}

async function endInPieces(response: ServerResponse, body: string | Uint8Array): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  for (let start = 0; start < bytes.length && !response.destroyed; start += PIECE)
    if (!response.write(bytes.subarray(start, start + PIECE))) await whenWritable(response)
  response.end()
}

function whenWritable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    response.once('drain', settle).once('close', settle)
  })
}

/** Ends the response after the rest of the request, or closes the connection if the rest is large or late. */
function discardRest(incoming: IncomingMessage, response: ServerResponse): void {
  if (incoming.complete || incoming.destroyed || response.destroyed) return void response.end()
  let size = 0
  const timer = setTimeout(() => incoming.socket.destroy(), LINGER.time)
  incoming
    // A reader that gave up must not hold up the rest.
    .removeAllListeners('readable')
    .on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > LINGER.size) incoming.socket.destroy()
    })
    .on('end', () => {
      clearTimeout(timer)
      response.end()
    })
    .on('close', () => clearTimeout(timer))
    .on('error', () => {})
    .resume()
}
