// Reads multipart/form-data (RFC 7578) as it arrives, in pieces of any size, and never holds more than one of them.
// The hub takes uploads with it, and demo devices the hub's.

export interface MultipartEvents {
  /** A part begins. `filename` is whatever the sender says: no path to be trusted. */
  part(name: string, filename: string | undefined): void
  /** Bytes of it; the array is the reader's own only until this returns. */
  data(bytes: Uint8Array): void
  /** It has come to its end. */
  end(): void
}

export interface Multipart {
  /** @throws Error where it is no multipart body */
  push(chunk: Uint8Array): void
  /** Whether the last boundary was there. */
  readonly complete: boolean
}

/** Bytes of the headers of a part, and of what may stand before the first. */
const HEAD_MAX = 4096

/** The boundary in a Content-Type; undefined where it is none of multipart/form-data. */
export function boundaryOf(contentType: string | null | undefined): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2]
}

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Where `needle` begins in `bytes`; -1 = nowhere. */
function find(bytes: Uint8Array, needle: Uint8Array, from = 0): number {
  const [first = 0] = needle
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + needle.length > bytes.length) return -1
    let matched = 1
    while (matched < needle.length && bytes[at + matched] === needle[matched]) matched++
    if (matched === needle.length) return at
  }
  return -1
}

function parameter(head: string, name: string): string | undefined {
  return new RegExp(`[;\\s]${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(head)?.[1]
}

/** UTF-8, as browsers write file names; as it is where it is none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/[%\x80-\xff]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`))
  } catch {
    return text
  }
}

export function createMultipart(boundary: string, events: MultipartEvents): Multipart {
  const delimiter = bytesOf(`\r\n--${boundary}`)
  const headEnd = bytesOf('\r\n\r\n')
  let state: 'before' | 'boundary' | 'head' | 'body' | 'over' = 'before'
  // The first boundary has no line before it.
  let rest = bytesOf('\r\n')

  /** Goes one step on. @returns false when more bytes are needed */
  function step(): boolean {
    if (state === 'before' || state === 'body') {
      const at = find(rest, delimiter)
      // What may be the begin of a boundary waits for the rest of it.
      const safe = at >= 0 ? at : Math.max(0, rest.length - delimiter.length + 1)
      if (state === 'body') {
        if (safe > 0) events.data(rest.subarray(0, safe))
      } else if (safe > HEAD_MAX) throw new Error('no boundary')
      rest = rest.subarray(at >= 0 ? at + delimiter.length : state === 'body' ? safe : 0)
      if (at < 0) return false
      if (state === 'body') events.end()
      state = 'boundary'
      return true
    }
    if (state === 'boundary') {
      if (rest.length < 2) return false
      const two = String.fromCharCode(...rest.subarray(0, 2))
      if (two !== '--' && two !== '\r\n') throw new Error('text after a boundary')
      // The line's end stays: a part without headers then ends its head at once.
      if (two === '\r\n') state = 'head'
      else state = 'over'
      return true
    }
    if (state === 'head') {
      const at = find(rest, headEnd)
      if (at > HEAD_MAX || (at < 0 && rest.length > HEAD_MAX)) throw new Error('headers of a part that are too long')
      if (at < 0) return false
      const head = String.fromCharCode(...rest.subarray(0, at))
      const name = parameter(head, 'name')
      if (name === undefined) throw new Error('a part without a name')
      const filename = parameter(head, 'filename')
      rest = rest.subarray(at + headEnd.length)
      state = 'body'
      events.part(decoded(name), filename === undefined ? undefined : decoded(filename))
      return true
    }
    rest = new Uint8Array()
    return false
  }

  return {
    push(chunk) {
      if (state === 'over') return
      const joined = new Uint8Array(rest.length + chunk.length)
      joined.set(rest)
      joined.set(chunk, rest.length)
      rest = joined
      while (step());
    },
    get complete() {
      return state === 'over'
    }
  }
}
