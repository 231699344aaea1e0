// Finds the boundary lines of a multipart stream (RFC 2046) in the buffer. It never reads a byte twice while searching.
import { BOUNDARY_SEARCH_LIMIT } from '../../contract/limits.ts'
import type { PartBuffer } from './buffer.ts'
import { createSearch, matches } from './search.ts'

export const LF = 10
export const CR = 13
const DASH = 45
const SPACE = 32
const TAB = 9

/** All offsets count from the first byte in the buffer. */
export interface BoundaryFinder {
  /** Where the search continues. */
  position: number
  /** Offset of the boundary that was found last. */
  readonly start: number
  /** Offset after the line of that boundary. */
  readonly end: number
  /** Whether that boundary closes the stream. */
  readonly closesStream: boolean
  /**
   * Searches the next boundary from `position` on. When none is complete, `position` is the first offset at which one
   * may still start.
   */
  find(): boolean
  /** Whether the line from `offset` to `lineEnd` is a boundary. */
  isBoundaryLine(offset: number, lineEnd: number): boolean
  /** End of the content before the found boundary, without the line end and the dashes that belong to the boundary. */
  contentEnd(): number
}

/**
 * @param boundary from the content type. Some servers include the two leading dashes, and write them with or without
 * two more.
 */
export function createBoundaryFinder(boundary: string, buffer: PartBuffer): BoundaryFinder {
  const hasDashes = boundary.startsWith('--')
  const needle = new TextEncoder().encode(hasDashes ? boundary : `--${boundary}`)
  const search = createSearch(needle)
  const byteAt = (offset: number) => buffer.bytes[buffer.start + offset] as number
  const finder = { position: 0, start: 0, end: 0, closesStream: false, find, isBoundaryLine, contentEnd }

  /**
   * Reads what follows the needle at `offset`. Fills in the result when it is a boundary line. Undefined: needs more
   * bytes.
   */
  function readLine(offset: number): boolean | undefined {
    const { size } = buffer
    let next = offset + needle.length
    if (next + 2 > size && !(next < size && byteAt(next) === LF)) return undefined
    finder.start = offset
    finder.closesStream = byteAt(next) === DASH && byteAt(next + 1) === DASH
    if (finder.closesStream) {
      finder.end = next + 2
      return true
    }
    const paddingEnd = next + BOUNDARY_SEARCH_LIMIT
    while (next < size && next < paddingEnd && (byteAt(next) === SPACE || byteAt(next) === TAB)) next++
    if (next < size && byteAt(next) === CR) next++
    if (next >= size) return undefined
    finder.end = next + 1
    return byteAt(next) === LF
  }

  function find(): boolean {
    const { bytes, words, start, end, size } = buffer
    for (;;) {
      const offset = search(bytes, words, start + finder.position, end) - start
      if (offset < 0) {
        finder.position = Math.max(finder.position, size - needle.length + 1)
        return false
      }
      finder.position = offset
      const isBoundary = readLine(offset)
      if (isBoundary !== false) return isBoundary === true
      finder.position++
    }
  }

  function isBoundaryLine(offset: number, lineEnd: number): boolean {
    return (
      lineEnd - offset >= needle.length &&
      matches(needle, buffer.bytes, buffer.start + offset) &&
      readLine(offset) === true
    )
  }

  function contentEnd(): number {
    let end = finder.start
    if (hasDashes && end > 1 && byteAt(end - 1) === DASH && byteAt(end - 2) === DASH) end -= 2
    if (end > 0 && byteAt(end - 1) === LF) end -= end > 1 && byteAt(end - 2) === CR ? 2 : 1
    return end
  }

  return finder
}
