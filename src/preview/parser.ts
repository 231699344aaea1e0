// Parses the parts of a multipart stream in place, however the bytes are split into chunks. It never keeps more than
// the buffer's maximum, and recovers after garbage.
import { BOUNDARY_SEARCH_LIMIT, CONTENT_HEADER_LIMIT } from '../../contract/limits.ts'
import { type BoundaryFinder, CR, createBoundaryFinder, LF } from './boundary-finder.ts'
import type { PartBuffer } from './buffer.ts'
import { type PartHead, readPartHead } from './headers.ts'

export interface Part {
  /** Header `image-id`. */
  id: string
  /** Header `content-type`; the default is `image/jpeg`. */
  type: string
  /** A view into the buffer, valid until the callback returns. */
  bytes: Uint8Array<ArrayBuffer>
  /** Headers `image-age` and `image-interval`, in milliseconds. Undefined against a hub that does not send them. */
  age?: number | undefined
  interval?: number | undefined
}

/**
 * How far the parser came.
 * - `more`: everything in the buffer is parsed; continue when there are more bytes
 * - `closed`: found the closing boundary (`--b--`)
 * - `lost`: the stream does not begin with a boundary, so that it is not the announced one
 */
export type Progress = 'more' | 'closed' | 'lost'

/** Bytes that must fit into the buffer behind a part, so that the boundary behind it can be checked. */
const TAIL = 1024

/**
 * Makes a parser for one stream whose bytes are added to `buffer`. Call the result whenever bytes were added.
 *
 * - A line may end with CRLF or LF. The line end before a boundary may be missing.
 * - A part without `image-id` is skipped, because nobody can have requested it.
 * - A part with `content-length` is delivered as soon as it is complete, because the boundary behind it often arrives
 *   only with the next image. When no boundary starts within 48 bytes behind it, the length was wrong: the part is read
 *   again up to the next boundary, and lengths are ignored for the rest of the stream.
 * - A part without `content-length` ends at the next boundary line, even if that is a part of its image. The rest of
 *   the image is then parsed as a part without `image-id`, or as headers without an end, and skipped.
 * - A part is skipped up to the next boundary when its headers take more than 1024 bytes, or when it does not fit into
 *   the buffer's maximum.
 *
 * The search limit of 48 bytes does not include the boundary itself, which may be longer (RFC 2046).
 */
export function createParser(boundary: string, buffer: PartBuffer, onPart: (part: Part) => void): () => Progress {
  const finder = createBoundaryFinder(boundary, buffer)
  let step: () => Progress | 'continue' = readStart
  let head: PartHead
  let isDelivered = false
  let trustsLengths = true

  function continueWith(nextStep: typeof step): 'continue' {
    finder.position = 0
    step = nextStep
    return 'continue'
  }

  /** Consumes the boundary line that was found. */
  function passBoundary(): 'continue' | 'closed' {
    buffer.consume(finder.end)
    continueWith(readHead)
    return finder.closesStream ? 'closed' : 'continue'
  }

  function deliver(length: number): void {
    const { id, type = 'image/jpeg', age, interval } = head
    const bytes = buffer.bytes.subarray(buffer.start, buffer.start + length)
    if (id !== undefined) onPart({ id, type, bytes, age, interval })
  }

  function readStart(): Progress | 'continue' {
    const hasFound = finder.find()
    if (finder.position > BOUNDARY_SEARCH_LIMIT) return 'lost'
    return hasFound ? passBoundary() : 'more'
  }

  function readHead(): Progress | 'continue' {
    const { bytes, start } = buffer
    const bodyStart = findBodyStart(buffer, finder)
    if (bodyStart === IN_HEADERS) return passBoundary()
    if (bodyStart === NOT_FOUND) return buffer.size < CONTENT_HEADER_LIMIT ? 'more' : continueWith(readSkipped)
    head = readPartHead(bytes.subarray(start, start + bodyStart))
    buffer.consume(bodyStart)
    isDelivered = false
    return continueWith(readBody)
  }

  function readBody(): Progress | 'continue' {
    return trustsLengths && head.length !== undefined ? readCounted(head.length) : readSearched()
  }

  function readCounted(length: number): Progress | 'continue' {
    if (!buffer.reserve(length + TAIL)) return continueWith(readSkipped)
    if (buffer.size < length) return 'more'
    if (!isDelivered) deliver(length)
    isDelivered = true
    finder.position = Math.max(finder.position, length)
    const hasFound = finder.find()
    if (finder.position <= length + BOUNDARY_SEARCH_LIMIT) return hasFound ? passBoundary() : 'more'
    trustsLengths = false
    return continueWith(readBody)
  }

  function readSearched(): Progress | 'continue' {
    if (finder.find()) {
      deliver(finder.contentEnd())
      return passBoundary()
    }
    if (buffer.size < buffer.max) return 'more'
    // The search position stays.
    step = readSkipped
    return 'continue'
  }

  function readSkipped(): Progress | 'continue' {
    if (finder.find()) return passBoundary()
    buffer.consume(finder.position)
    finder.position = 0
    return 'more'
  }

  return () => {
    let progress = step()
    while (progress === 'continue') progress = step()
    return progress
  }
}

const NOT_FOUND = -1
/** There is a boundary inside the headers: the part was cut off. */
const IN_HEADERS = -2

/** The offset after the empty line that ends the headers of a part. */
function findBodyStart(buffer: PartBuffer, finder: BoundaryFinder): number | typeof NOT_FOUND | typeof IN_HEADERS {
  const { bytes, start } = buffer
  const size = Math.min(buffer.size, CONTENT_HEADER_LIMIT)
  let line = 0
  for (let index = 0; index < size; index++) {
    if (bytes[start + index] !== LF) continue
    if (index === line || (index === line + 1 && bytes[start + line] === CR)) return index + 1
    if (finder.isBoundaryLine(line, index + 1)) return IN_HEADERS
    line = index + 1
  }
  return NOT_FOUND
}
