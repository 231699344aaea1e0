// Carries the bytes of an answer into the buffer and runs the parser over them.
import type { PartBuffer } from './buffer.ts'
import { createParser, type Part } from './parser.ts'

/** How reading ended: with the bytes, by the closing boundary, because no boundary was there, or on demand. */
export type Ending = 'ended' | 'closed' | 'lost' | 'aborted'

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * Reads all parts of `body` until it ends or `signal` is aborted. The buffer is this call's alone until then.
 * @throws what the body throws when the line breaks
 */
export async function readParts(
  body: Body,
  boundary: string,
  buffer: PartBuffer,
  onPart: (part: Part) => void,
  signal: AbortSignal
): Promise<Ending> {
  buffer.reset()
  const parse = createParser(boundary, buffer, onPart)
  const source = sourceInto(buffer, body, signal)
  // A body that was not fetched with this signal ends by this.
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
  /** Adds bytes to the buffer; false at the end, and after an abort, when the buffer may already serve another connection. */
  fill(): Promise<boolean>
  cancel(): Promise<void>
}

/** Straight into the buffer where the platform can (Chromium, Firefox), else with one copy (WebKit). */
function sourceInto(buffer: PartBuffer, body: Body, signal: AbortSignal): Source {
  let byob: ReadableStreamBYOBReader
  try {
    byob = body.getReader({ mode: 'byob' })
  } catch {
    return copying(buffer, body.getReader(), signal)
  }
  return {
    async fill() {
      if (signal.aborted) return false
      const { done, value } = await byob.read(buffer.room())
      // At the end the platform gives the memory back with an empty view; a cancelled read keeps it.
      if (!signal.aborted && value) buffer.adopt(value)
      return !done && !signal.aborted
    },
    cancel: () => byob.cancel()
  }
}

function copying(
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
