// Streaming parser for multipart/form-data (RFC 7578). Buffers at most one chunk and the start of a boundary.
// The hub uses it for uploads, demo devices for firmware files that the hub sends to them.

export interface MultipartHandler {
  /** A part starts. `filename` comes from the client: do not use it as a path. */
  onPart(name: string, filename: string | undefined): void
  /** Bytes of the part. The array is valid until this function returns. */
  onData(bytes: Uint8Array): void
  /** The part ends. */
  onEnd(): void
}

export interface MultipartParser {
  /** @throws Error if the body is not valid multipart */
  push(chunk: Uint8Array): void
  /** Whether the closing boundary was received. */
  readonly complete: boolean
}

/** Maximum bytes of the headers of a part, and of the preamble. */
const HEADERS_MAX = 4096

/** Returns the boundary parameter of a Content-Type header; undefined if it is not multipart/form-data. */
export function parseBoundary(contentType: string | null | undefined): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2]
}

const encodeLatin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

const HEADERS_END = encodeLatin1('\r\n\r\n')

/** Index of `needle` in `bytes`; -1 if not found. */
function indexOfBytes(bytes: Uint8Array, needle: Uint8Array): number {
  const [first = 0] = needle
  for (let index = bytes.indexOf(first); index >= 0; index = bytes.indexOf(first, index + 1)) {
    if (index + needle.length > bytes.length) return -1
    let matched = 1
    while (matched < needle.length && bytes[index + matched] === needle[matched]) matched++
    if (matched === needle.length) return index
  }
  return -1
}

function headerParameter(headers: string, name: string): string | undefined {
  return new RegExp(`[;\\s]${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(headers)?.[1]
}

/** Decodes UTF-8, which browsers use for file names; returns the text unchanged if it is not valid UTF-8. */
function decodeUtf8(text: string): string {
  try {
    return decodeURIComponent(text.replace(/[%\x80-\xff]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`))
  } catch {
    return text
  }
}

class StreamingParser implements MultipartParser {
  readonly #delimiter: Uint8Array
  readonly #handler: MultipartHandler
  #state: 'preamble' | 'boundary' | 'headers' | 'body' | 'complete' = 'preamble'
  /** Bytes not parsed yet. Starts with a line break, because the delimiter includes the one before a boundary. */
  #rest: Uint8Array = encodeLatin1('\r\n')

  constructor(boundary: string, handler: MultipartHandler) {
    this.#delimiter = encodeLatin1(`\r\n--${boundary}`)
    this.#handler = handler
  }

  get complete(): boolean {
    return this.#state === 'complete'
  }

  push(chunk: Uint8Array): void {
    if (this.complete) return
    const joined = new Uint8Array(this.#rest.length + chunk.length)
    joined.set(this.#rest)
    joined.set(chunk, this.#rest.length)
    this.#rest = joined
    while (this.#step());
  }

  /** Parses the next element. @returns false if it needs more bytes */
  #step(): boolean {
    switch (this.#state) {
      case 'preamble':
        return this.#skipPreamble()
      case 'boundary':
        return this.#parseBoundaryEnd()
      case 'headers':
        return this.#parseHeaders()
      case 'body':
        return this.#parseBody()
      case 'complete':
        this.#rest = new Uint8Array()
        return false
    }
  }

  /** Number of bytes before the delimiter. If there is none (-1), excludes the last bytes, which may be the start of one. */
  #bytesBefore(delimiterAt: number): number {
    return delimiterAt >= 0 ? delimiterAt : Math.max(0, this.#rest.length - this.#delimiter.length + 1)
  }

  #skipPreamble(): boolean {
    const index = indexOfBytes(this.#rest, this.#delimiter)
    if (this.#bytesBefore(index) > HEADERS_MAX) throw new Error('Invalid multipart body: boundary not found')
    if (index < 0) return false
    this.#rest = this.#rest.subarray(index + this.#delimiter.length)
    this.#state = 'boundary'
    return true
  }

  #parseBody(): boolean {
    const index = indexOfBytes(this.#rest, this.#delimiter)
    const length = this.#bytesBefore(index)
    if (length > 0) this.#handler.onData(this.#rest.subarray(0, length))
    this.#rest = this.#rest.subarray(index < 0 ? length : index + this.#delimiter.length)
    if (index < 0) return false
    this.#handler.onEnd()
    this.#state = 'boundary'
    return true
  }

  #parseBoundaryEnd(): boolean {
    if (this.#rest.length < 2) return false
    const end = String.fromCharCode(...this.#rest.subarray(0, 2))
    if (end !== '--' && end !== '\r\n') throw new Error('Invalid multipart body: unexpected bytes after a boundary')
    // The line break is not consumed, so that a part without headers ends its header section at once.
    this.#state = end === '\r\n' ? 'headers' : 'complete'
    return true
  }

  #parseHeaders(): boolean {
    const index = indexOfBytes(this.#rest, HEADERS_END)
    if (index > HEADERS_MAX || (index < 0 && this.#rest.length > HEADERS_MAX))
      throw new Error('Invalid multipart body: headers of a part are too long')
    if (index < 0) return false
    const headers = String.fromCharCode(...this.#rest.subarray(0, index))
    const name = headerParameter(headers, 'name')
    if (name === undefined) throw new Error('Invalid multipart body: a part has no name')
    const filename = headerParameter(headers, 'filename')
    this.#rest = this.#rest.subarray(index + HEADERS_END.length)
    this.#state = 'body'
    this.#handler.onPart(decodeUtf8(name), filename === undefined ? undefined : decodeUtf8(filename))
    return true
  }
}

/** Creates a parser for a body with this boundary. It calls the handler from within `push`. */
export function createMultipartParser(boundary: string, handler: MultipartHandler): MultipartParser {
  return new StreamingParser(boundary, handler)
}
