// Reads the body of a response into the buffer and parses it.
import type { PartBuffer } from './buffer.ts'
import { createParser, type Part } from './parser.ts'

/**
 * How reading ended: the body ended, the closing boundary was found, the body is not multipart, or the signal aborted
 * it.
 */
export type ReadResult = 'ended' | 'closed' | 'lost' | 'aborted'

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * Reads all parts of `body` until it ends or `signal` is aborted. Until then nothing else may use the buffer.
 * @throws the error of the body when the connection breaks
 */
export async function readParts(
  body: Body,
  boundary: string,
  buffer: PartBuffer,
  onPart: (part: Part) => void,
  signal: AbortSignal
): Promise<ReadResult> {
  buffer.reset()
  const parse = createParser(boundary, buffer, onPart)
  const source = openSource(buffer, body, signal)
  // The signal does not abort a body that was not fetched with it.
  const cancel = () => void source.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    while (await source.fill()) {
      const progress = parse()
      if (progress !== 'more') return progress
    }
    return signal.aborted ? 'aborted' : 'ended'
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

interface Source {
  /**
   * Adds bytes to the buffer. False at the end, and after an abort, when another connection may already use the buffer.
   */
  fill(): Promise<boolean>
  cancel(): Promise<void>
}

/**
 * Reads directly into the buffer where the browser supports it (Chromium, Firefox), otherwise with one copy (WebKit).
 */
function openSource(buffer: PartBuffer, body: Body, signal: AbortSignal): Source {
  let reader: ReadableStreamBYOBReader
  try {
    reader = body.getReader({ mode: 'byob' })
  } catch {
    return openCopyingSource(buffer, body.getReader(), signal)
  }
  return {
    async fill() {
      if (signal.aborted) return false
      const { done, value } = await reader.read(buffer.freeSpace())
      // At the end the browser returns the memory with an empty view. A cancelled read does not return it.
      if (!signal.aborted && value) buffer.commit(value)
      return !done && !signal.aborted
    },
    cancel: () => reader.cancel()
  }
}

function openCopyingSource(
  buffer: PartBuffer,
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal
): Source {
  let chunk = new Uint8Array(0)
  return {
    async fill() {
      while (chunk.length === 0 && !signal.aborted) {
        const { done, value } = await reader.read()
        if (done) return false
        chunk = value
      }
      if (signal.aborted) return false
      chunk = chunk.subarray(buffer.append(chunk))
      return true
    },
    cancel: () => reader.cancel()
  }
}
