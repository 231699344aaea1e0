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
  id?: string
  type?: string
  /** Bytes. */
  length?: number
}

const decoder = new TextDecoder()

/** Reads the header lines of a part. Unknown lines and lines that are no headers are passed over; of two alike the first counts. */
export function readPartHead(lines: Uint8Array): PartHead {
  const head: PartHead = {}
  for (const line of decoder.decode(lines).split('\n')) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trim()
    if (colon < 1 || value === '') continue
    const name = line.slice(0, colon).trim().toLowerCase()
    if (name === 'image-id') head.id ??= value
    else if (name === 'content-type') head.type ??= value
    else if (name === 'content-length' && /^\d{1,15}$/.test(value)) head.length ??= Number(value)
  }
  return head
}
