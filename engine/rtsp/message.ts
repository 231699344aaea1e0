// What comes over a connection of RTSP 1.0 (RFC 2326): requests, and between them packets in frames of their own (10.12), which are left out.

/** Bytes. */
const HEAD_MAX = 8192
const BODY_MAX = 4096

export interface RtspRequest {
  method: string
  url: string
  /** By names in small letters. */
  headers: ReadonlyMap<string, string>
}

/**
 * @param request takes each request
 * @param broken what arrives is no RTSP: nothing more is read
 */
export function createRtspReader(request: (request: RtspRequest) => void, broken: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let skip = 0
  let over = false

  function fail(): void {
    over = true
    rest = Buffer.alloc(0)
    broken()
  }

  /** Takes the next request or frame off; false when more must come first. */
  function next(): boolean {
    if (skip > 0) {
      const taken = Math.min(skip, rest.length)
      rest = rest.subarray(taken)
      skip -= taken
      return rest.length > 0
    }
    if (rest[0] === 0x24) {
      if (rest.length < 4) return false
      skip = 4 + rest.readUInt16BE(2)
      return true
    }
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) {
      if (rest.length > HEAD_MAX) fail()
      return false
    }
    const parsed = end > HEAD_MAX ? undefined : parse(rest.subarray(0, end).toString('latin1'))
    const length = Number(parsed?.headers.get('content-length') ?? 0)
    if (!parsed || !Number.isInteger(length) || length < 0 || length > BODY_MAX) {
      fail()
      return false
    }
    rest = rest.subarray(end + 4)
    skip = length
    request(parsed)
    return rest.length > 0
  }

  return (chunk) => {
    if (over) return
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (!over && rest.length > 0 && next());
    // A copy, so that a few bytes do not keep a whole chunk alive.
    rest = Buffer.from(rest)
  }
}

function parse(head: string): RtspRequest | undefined {
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
