// The response with a file to download.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type ByteRange, type RangeHeaders, requestedRange } from './byte-range.ts'
import { attachment } from './content-disposition.ts'

/**
 * @param path of a file that is replaced, and never changed in place
 * @throws if the file cannot be read
 */
export async function storedFile(
  path: string,
  { name, type }: Pick<DownloadFile, 'name' | 'type'>
): Promise<DownloadFile> {
  const { size, mtimeMs, ino } = await stat(path)
  return {
    name,
    type,
    stored: { size, version: `${ino}-${Math.round(mtimeMs)}-${size}` },
    open: (range) => Readable.toWeb(createReadStream(path, range)) as ReadableStream<Uint8Array>
  }
}

export interface DownloadFile {
  /** Name under which the browser saves it. Characters that some system forbids are replaced. */
  name: string
  /** Content-Type. */
  type: string
  /** For a file that does not change while it is sent: a client can then continue a download that broke off. */
  stored?: {
    /** Bytes. */
    size: number
    /** Differs for each content that the file has had. Letters, digits and hyphens. */
    version: string
  }
  /** @param range given only for a stored file: the bytes to send */
  open(range?: ByteRange): ReadableStream<Uint8Array>
}

const NO_RANGE: RangeHeaders = { range: null, ifRange: null }

/** The file as an attachment that is not cached, or the range of it that the client requests. */
export function fileResponse({ name, type, stored, open }: DownloadFile, requested = NO_RANGE): Response {
  const headers = new Headers({
    'content-type': type,
    'content-disposition': attachment(name),
    'cache-control': 'no-store'
  })
  if (!stored) return new Response(open(), { headers })
  const { size, version } = stored
  const etag = `"${version}"`
  headers.set('accept-ranges', 'bytes')
  headers.set('etag', etag)
  const range = requestedRange(requested, size, etag)
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('content-length', String(range ? range.end - range.start + 1 : size))
  if (!range) return new Response(open(), { headers })
  headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`)
  return new Response(open(range), { status: 206, headers })
}
