// Headers: those of the stream's answer, and those of one part.

/** What the answer that opens a stream says of it. */
export interface StreamHead {
  /** As named, without the dashes in front of it. */
  boundary: string
  /** Names the stream in `preview/setup`. */
  handle: string
}

/** Longer than any boundary a server may send (RFC 2046: 70), short enough for a search. */
const BOUNDARY_MAX = 200

/**
 * Reads `boundary` and `handle-id` from the content type, quoted or not. The handle may also stand in a header of its own
 * (the documentation's reading; the parameter is the specification's and wins).
 * @returns undefined when one of them is missing: then this is no preview stream
 */
export function readStreamHead(headers: Headers): StreamHead | undefined {
  const type = headers.get('content-type') ?? ''
  const boundary = parameter(type, 'boundary')
  const handle = parameter(type, 'handle-id') || headers.get('handle-id')?.trim()
  return boundary && boundary.length <= BOUNDARY_MAX && handle ? { boundary, handle } : undefined
}

function parameter(header: string, name: string): string | undefined {
  for (const [, key, quoted, plain] of header.matchAll(/;\s*([\w-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/g)) {
    if (key?.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') ?? plain?.trim()
  }
  return undefined
}

/** What the headers of a part say; absent fields were not said, or not in a form that makes sense. */
export interface PartHead {
  id?: string | undefined
  type?: string | undefined
  /** Bytes. */
  length?: number
}

const decoder = new TextDecoder()

/**
 * Reads the header lines of a part, each with its line end. Unknown lines and lines that are no headers are passed over; of two alike the
 * first counts. With small pictures this is most of the work, so nothing is cut out of the text but the values.
 */
export function readPartHead(lines: Uint8Array): PartHead {
  const text = decoder.decode(lines)
  const head: PartHead = {}
  for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) {
    head.id ??= valueIn(text, at, end, 'image-id:')
    head.type ??= valueIn(text, at, end, 'content-type:')
    const length = valueIn(text, at, end, 'content-length:')
    if (length && /^\d{1,15}$/.test(length)) head.length ??= Number(length)
  }
  return head
}

/** What stands behind a name, given in small letters, if the line that goes from `at` to `end` begins with it. */
function valueIn(text: string, at: number, end: number, name: string): string | undefined {
  for (let i = 0; i < name.length; i++) if ((text.charCodeAt(at + i) | 32) !== name.charCodeAt(i)) return undefined
  return text.slice(at + name.length, end).trim() || undefined
}
