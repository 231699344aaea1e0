// Ranges of a file that a client requests, to continue a download that broke off (RFC 9110, section 14).

/** The headers of a request that ask for a range. */
export interface RangeHeaders {
  range: string | null
  /** The ETag of the file that the client has a part of. */
  ifRange: string | null
}

/** The first and the last byte. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The range to send.
 * @param size of the file in bytes
 * @param etag of the file
 * @returns undefined for the whole file, which several ranges and malformed ones get too; `unsatisfiable` for one
 * beyond the end
 */
export function requestedRange(
  { range, ifRange }: RangeHeaders,
  size: number,
  etag: string | undefined
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  // Without a matching ETag the client may have a part of another file.
  if (ifRange !== null && ifRange !== etag) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
