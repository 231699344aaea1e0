// Headers of the stream's response, and of a part.

/** The multipart parameters of a stream. */
interface StreamHead {
  /** As in the content type, without the leading dashes. */
  boundary: string
  /** Id of the stream in `preview/setup`. */
  handle: string
}

/** Longest boundary accepted. RFC 2046 allows 70 characters; the search allows up to 255. */
const BOUNDARY_MAX = 200

/**
 * Reads `boundary` and `handle-id` from the content type, quoted or not. The handle may also be in a header of its own
 * (docs/wire.md, "Previews"); the parameter has priority.
 * @returns undefined when one of them is missing: the response is not a preview stream
 */
export function readStreamHead(headers: Headers): StreamHead | undefined {
  const contentType = headers.get('content-type') ?? ''
  const boundary = readParameter(contentType, 'boundary')
  const handle = readParameter(contentType, 'handle-id') || headers.get('handle-id')?.trim()
  return boundary && boundary.length <= BOUNDARY_MAX && handle ? { boundary, handle } : undefined
}

function readParameter(header: string, name: string): string | undefined {
  for (const [, key, quoted, plain] of header.matchAll(/;\s*([\w-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/g)) {
    if (key?.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') ?? plain?.trim()
  }
  return undefined
}

/** The headers of a part. Missing and malformed ones are not set. */
export interface PartHead {
  id?: string | undefined
  type?: string | undefined
  /** Bytes. */
  length?: number | undefined
  /** Milliseconds since the hub received the image. */
  age?: number | undefined
  /** Milliseconds after which the next image is to be expected. */
  interval?: number | undefined
}

const decoder = new TextDecoder()

/**
 * Reads the header lines of a part, each with its line end. Unknown headers and malformed lines are ignored; of
 * repeated headers the first counts. With small images this is most of the parser's work, so it creates no strings but
 * the values.
 */
export function readPartHead(lines: Uint8Array): PartHead {
  const text = decoder.decode(lines)
  const head: PartHead = {}
  for (let offset = 0, end = text.indexOf('\n'); end >= 0; offset = end + 1, end = text.indexOf('\n', offset)) {
    head.id ??= readValue(text, offset, end, 'image-id:')
    head.type ??= readValue(text, offset, end, 'content-type:')
    head.length ??= readNumber(text, offset, end, 'content-length:')
    head.age ??= readNumber(text, offset, end, 'image-age:')
    head.interval ??= readNumber(text, offset, end, 'image-interval:')
  }
  return head
}

/** The value of a header line, if it is a whole number. */
function readNumber(text: string, offset: number, end: number, name: string): number | undefined {
  const value = readValue(text, offset, end, name)
  return value && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/**
 * The value of the header line from `at` to `end`, if the line starts with `name`, which is in lower case and includes
 * the colon.
 */
function readValue(text: string, offset: number, end: number, name: string): string | undefined {
  for (let i = 0; i < name.length; i++) if ((text.charCodeAt(offset + i) | 32) !== name.charCodeAt(i)) return undefined
  return text.slice(offset + name.length, end).trim() || undefined
}
