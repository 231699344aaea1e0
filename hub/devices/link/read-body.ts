import type { Readable } from 'node:stream'
import { noAnswer } from './link-error.ts'

/**
 * Gathers what a device answers.
 * @param max bytes; of a longer answer nothing more is kept, and `fail` is told
 * @returns what came so far
 */
export function gather(stream: Readable, max: number, fail: (error: Error) => void): () => Buffer {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > max) return fail(noAnswer(`an answer of more than ${max} bytes`))
    chunks.push(chunk)
  })
  return () => Buffer.concat(chunks)
}
