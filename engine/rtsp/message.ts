// Parser of RTSP 1.0 requests (RFC 2326). Interleaved packets between requests (10.12) are skipped.

/** Bytes. */
const HEAD_MAX = 8192
const BODY_MAX = 4096
/** First byte of an interleaved packet: `$`. */
const INTERLEAVED = 0x24

export interface RtspRequest {
  method: string
  url: string
  /** By lower-case names. */
  headers: ReadonlyMap<string, string>
}

/**
 * Creates a parser of one connection.
 * @param onRequest receives each request
 * @param onInvalid called once if the bytes are not RTSP; nothing is read after that
 * @returns a function that takes the received bytes
 */
export function createRtspReader(
  onRequest: (request: RtspRequest) => void,
  onInvalid: () => void
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of a body or interleaved packet that are still to be skipped. */
  let skip = 0
  let isInvalid = false

  function fail(): void {
    isInvalid = true
    rest = Buffer.alloc(0)
    onInvalid()
  }

  /** Reads the next request or packet. Returns false if more bytes are needed. */
  function readNext(): boolean {
    if (skip > 0) {
      const skipped = Math.min(skip, rest.length)
      rest = rest.subarray(skipped)
      skip -= skipped
      return rest.length > 0
    }
    if (rest[0] === INTERLEAVED) {
      if (rest.length < 4) return false
      skip = 4 + rest.readUInt16BE(2)
      return true
    }
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) {
      if (rest.length > HEAD_MAX) fail()
      return false
    }
    const request = end > HEAD_MAX ? undefined : parseHead(rest.subarray(0, end).toString('latin1'))
    const length = Number(request?.headers.get('content-length') ?? 0)
    if (!request || !Number.isInteger(length) || length < 0 || length > BODY_MAX) {
      fail()
      return false
    }
    rest = rest.subarray(end + 4)
    skip = length
    onRequest(request)
    return rest.length > 0
  }

  return (chunk) => {
    if (isInvalid) return
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (!isInvalid && rest.length > 0 && readNext());
    // A copy, so that the rest does not keep the whole chunk in memory.
    rest = Buffer.from(rest)
  }
}

function parseHead(head: string): RtspRequest | undefined {
  const [first = '', ...lines] = head.replace(/^(\r\n)+/, '').split('\r\n')
  const [, method, url] = /^([A-Z_]{1,20}) (\S{1,2048}) RTSP\/1\.0$/.exec(first) ?? []
  if (!method || !url) return undefined
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    headers.set(name.toLowerCase(), value)
  }
  return { method, url, headers }
}
