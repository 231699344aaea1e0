// Finds the parts of a multipart stream in place, whatever the pieces the bytes come in. It never looks at a byte twice when
// a boundary is searched for, never keeps more than the buffer's ceiling, and comes back into step after garbage.
import { BOUNDARY_SEARCH_LIMIT, CONTENT_HEADER_LIMIT } from '../../contract/limits.ts'
import type { PartBuffer } from './buffer.ts'
import { type PartHead, readPartHead } from './headers.ts'
import { createSearch, matches } from './search.ts'

/** A part as found. */
export interface Part {
  /** `image-id`. */
  id: string
  /** `content-type`; `image/jpeg` where it was not said. */
  type: string
  /** A view into the buffer that holds until the callback returns. */
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * How far it came.
 * - `more`: all is read that can be; it goes on when more bytes are in the buffer
 * - `closed`: the closing boundary (`--b--`) was met
 * - `lost`: the stream does not begin with a boundary, so it is not the one announced
 */
export type Progress = 'more' | 'closed' | 'lost'

const LF = 10
const CR = 13
const DASH = 45
/** Bytes beyond a part that must fit beside it, so that the boundary behind it can be checked. */
const TAIL = 1024

/**
 * Makes a parser for one stream over what `buffer` keeps. Call the result whenever bytes were added.
 *
 * - A line may end with CRLF or LF alone; the line end before a boundary may be missing.
 * - A part without `image-id` is passed over: nobody can have asked for it.
 * - A part with `content-length` is handed over as soon as it is whole, since the boundary behind it often comes only with the
 *   next picture. Should no boundary begin within 48 bytes behind it, the length was false: the part is read again up to the
 *   next boundary, and lengths are ignored for the rest of the stream.
 * - A part without one ends at the next boundary line, also where that stands inside its picture; the rest of that picture is
 *   then taken for a part without `image-id`, or for headers that do not end, and passed over.
 * - A part whose headers take more than 1024 bytes, or which does not fit under the buffer's ceiling, is skipped to the next boundary.
 *
 * The search limit of 48 counts the bytes in front of a boundary, since the boundary alone may be longer (RFC 2046).
 */
export function createParser(boundary: string, buffer: PartBuffer, onPart: (part: Part) => void): () => Progress {
  // Some servers name the boundary with its dashes and write it with or without two more.
  const dashed = boundary.startsWith('--')
  const needle = new TextEncoder().encode(dashed ? boundary : `--${boundary}`)
  const search = createSearch(needle)

  let step: () => Progress | 'on' = readStart
  /** Where the search goes on; like all offsets here, counted from the buffer's start. */
  let resume = 0
  let head: PartHead
  let delivered = false
  let trusting = true
  /** The boundary last found: its first byte, the byte after its line, and whether it closes the stream. */
  const found = { at: 0, next: 0, closes: false }

  function byte(offset: number): number {
    return buffer.bytes[buffer.start + offset] as number
  }

  /** Reads what follows the needle at `offset`: 'yes' fills `found`. */
  function lineAt(offset: number): 'yes' | 'no' | 'more' {
    const { size } = buffer
    let next = offset + needle.length
    if (next + 2 > size && !(next < size && byte(next) === LF)) return 'more'
    found.at = offset
    found.closes = byte(next) === DASH && byte(next + 1) === DASH
    if (found.closes) {
      found.next = next + 2
      return 'yes'
    }
    const padding = next + BOUNDARY_SEARCH_LIMIT
    while (next < size && next < padding && (byte(next) === 32 || byte(next) === 9)) next++
    if (next < size && byte(next) === CR) next++
    if (next >= size) return 'more'
    found.next = next + 1
    return byte(next) === LF ? 'yes' : 'no'
  }

  /** Searches the next boundary line from `resume` on; false leaves `resume` at the first offset where one may still begin. */
  function find(): boolean {
    const { bytes, words, start, end, size } = buffer
    for (;;) {
      const offset = search(bytes, words, start + resume, end) - start
      if (offset < 0) {
        resume = Math.max(resume, size - needle.length + 1)
        return false
      }
      const line = lineAt(offset)
      resume = offset
      if (line === 'yes') return true
      if (line === 'more') return false
      resume++
    }
  }

  /** Goes behind the boundary line found. */
  function pass(): 'on' | 'closed' {
    buffer.consume(found.next)
    resume = 0
    step = readHead
    return found.closes ? 'closed' : 'on'
  }

  function deliver(length: number): void {
    const { bytes, start } = buffer
    if (head.id !== undefined)
      onPart({ id: head.id, type: head.type ?? 'image/jpeg', bytes: bytes.subarray(start, start + length) })
  }

  function skip(): 'on' {
    resume = 0
    step = readSkipped
    return 'on'
  }

  function readStart(): Progress | 'on' {
    const here = find()
    if (resume > BOUNDARY_SEARCH_LIMIT) return 'lost'
    return here ? pass() : 'more'
  }

  function readHead(): Progress | 'on' {
    const { bytes, start } = buffer
    const size = Math.min(buffer.size, CONTENT_HEADER_LIMIT)
    let line = 0
    for (let at = 0; at < size; at++) {
      if (bytes[start + at] !== LF) continue
      if (at === line || (at === line + 1 && byte(line) === CR)) {
        head = readPartHead(bytes.subarray(start, start + line))
        buffer.consume(at + 1)
        resume = 0
        delivered = false
        step = readBody
        return 'on'
      }
      // A part that was cut off in its headers.
      const cut = at + 1 - line >= needle.length && matches(needle, bytes, start + line)
      if (cut && lineAt(line) === 'yes') return pass()
      line = at + 1
    }
    return size === CONTENT_HEADER_LIMIT ? skip() : 'more'
  }

  function readBody(): Progress | 'on' {
    return trusting && head.length !== undefined ? readCounted(head.length) : readSearched()
  }

  function readCounted(length: number): Progress | 'on' {
    if (!buffer.reserve(length + TAIL)) return skip()
    if (buffer.size < length) return 'more'
    if (!delivered) deliver(length)
    delivered = true
    resume = Math.max(resume, length)
    const here = find()
    if (resume <= length + BOUNDARY_SEARCH_LIMIT) return here ? pass() : 'more'
    trusting = false
    resume = 0
    return 'on'
  }

  function readSearched(): Progress | 'on' {
    if (find()) {
      let end = found.at
      if (dashed && end > 1 && byte(end - 1) === DASH && byte(end - 2) === DASH) end -= 2
      if (end > 0 && byte(end - 1) === LF) end -= end > 1 && byte(end - 2) === CR ? 2 : 1
      deliver(end)
      return pass()
    }
    if (buffer.size < buffer.ceiling) return 'more'
    step = readSkipped
    return 'on'
  }

  function readSkipped(): Progress | 'on' {
    if (find()) return pass()
    buffer.consume(resume)
    resume = 0
    return 'more'
  }

  return () => {
    for (;;) {
      const progress = step()
      if (progress !== 'on') return progress
    }
  }
}
