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
  id: string | undefined
  type: string | undefined
  /** Bytes. */
  length: number | undefined
}

const decoder = new TextDecoder()
const field = (name: string, value: string) => new RegExp(`^[ \\t]*${name}[ \\t]*:[ \\t]*(${value})[ \\t]*$`, 'im')
const ID = field('image-id', '.*\\S')
const TYPE = field('content-type', '.*\\S')
const LENGTH = field('content-length', '\\d{1,15}')

/**
 * Reads the header lines of a part. Unknown lines and lines that are no headers are passed over; of two alike the first counts. Looking
 * for three lines is twice as fast as taking all apart, and with small pictures this is most of the work.
 */
export function readPartHead(lines: Uint8Array): PartHead {
  const text = decoder.decode(lines)
  const length = LENGTH.exec(text)?.[1]
  return { id: ID.exec(text)?.[1], type: TYPE.exec(text)?.[1], length: length === undefined ? length : Number(length) }
}
