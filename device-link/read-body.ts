import type { Readable } from 'node:stream'
import { noResponseError } from './link-error.ts'

/**
 * Collects the body of a response.
 * @param max maximum size in bytes; if the body is longer, `onError` is called and nothing more is kept
 * @returns function that returns the bytes received so far
 */
export function collectBody(stream: Readable, max: number, onError: (error: Error) => void): () => Buffer {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > max) return onError(noResponseError(`the response is larger than ${max} bytes`))
    chunks.push(chunk)
  })
  return () => Buffer.concat(chunks)
}
