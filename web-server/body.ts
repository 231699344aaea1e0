// Reads request bodies from the network, with limits on their size and duration: a client that stops sending must not
// occupy memory or a connection for long.
import type { IncomingMessage } from 'node:http'

/**
 * Lowest average rate of an upload in bytes per second, and the milliseconds that are forgiven, for which the hub may
 * wait at no rate at all. A line of 16 kbit/s carries twice the rate. Time for which the hub does not read is not
 * counted.
 */
export const RATE_FLOOR = { bytesPerSecond: 1024, grace: 10_000 }

const UTF_8 = new TextDecoder()

/** The body of a request could not be read. */
export class BodyError extends Error {
  /** HTTP status: 408 too slow, 413 too large; 400 if the client closed the connection before the end. */
  readonly status: 400 | 408 | 413

  constructor(status: 400 | 408 | 413) {
    super(
      { 400: 'The client aborted the request', 408: 'The body arrives too slowly', 413: 'The body is too large' }[
        status
      ]
    )
    this.status = status
  }
}

/**
 * Reads a whole body as UTF-8.
 * @param max bytes
 * @param deadline milliseconds until the last byte
 * @throws BodyError
 */
export function readBody(incoming: IncomingMessage, max: number, deadline: number): Promise<string> {
  if (Number(incoming.headers['content-length'] ?? 0) > max) return Promise.reject(new BodyError(413))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => finish(new BodyError(408)), deadline)
    function finish(error?: BodyError): void {
      clearTimeout(timer)
      incoming.off('data', onData).off('end', onEnd).off('close', onClose)
      if (error) {
        incoming.pause()
        reject(error)
      } else resolve(UTF_8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    }
    function onData(chunk: Buffer): void {
      size += chunk.length
      if (size > max) finish(new BodyError(413))
      else chunks.push(chunk)
    }
    const onEnd = () => finish()
    const onClose = () => finish(new BodyError(400))
    incoming.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

/**
 * Reads a body as a stream that fails when the average rate falls below the floor, or when the client closes the
 * connection.
 */
export function createBodyStream(incoming: IncomingMessage, floor = RATE_FLOOR): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false })
  let received = 0
  /** Milliseconds for which the hub has waited for the client. */
  let waited = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const startedAt = performance.now()
        const allowed = floor.grace + (received * 1000) / floor.bytesPerSecond - waited
        let timer: NodeJS.Timeout | undefined
        const tooSlow = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new BodyError(408)), allowed)
        })
        try {
          const { done, value } = await Promise.race([chunks.next(), tooSlow])
          waited += performance.now() - startedAt
          if (done) return controller.close()
          received += value.length
          controller.enqueue(value)
        } catch (error) {
          controller.error(error instanceof BodyError ? error : new BodyError(400))
        } finally {
          clearTimeout(timer)
        }
      }
    },
    { highWaterMark: 0 }
  )
}
