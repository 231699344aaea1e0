// Compresses JSON responses with gzip: a page of a list takes a tenth of its size.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestHeaders } from './credentials.ts'
import { type Encoding, preferredEncoding } from './encoding.ts'
import type { Reply } from './reply.ts'

/** Bytes below which compression is not worth it, because the headers are most of the response. */
const SIZE_MIN = 600
/** Higher levels save little, and take time for which other calls would wait. */
const GZIP_LEVEL = 4
/** Brotli at the speed that live responses need gains nothing over gzip. */
const ENCODINGS: readonly Encoding[] = ['gzip', 'identity']

const gzipAsync = promisify(gzip)

/**
 * Compresses a JSON reply if it is large enough and the client accepts gzip. Other responses are returned unchanged.
 */
export function compressReply(headers: RequestHeaders, answer: Reply | Response): Reply | Response | Promise<Reply> {
  if (answer instanceof Response || answer.status !== 200 || answer.body === null || !isJson(answer)) return answer
  if (preferredEncoding(headers.get('accept-encoding'), ENCODINGS) !== 'gzip') return answer
  const varying = { ...answer.headers, vary: 'accept-encoding' }
  const size = typeof answer.body === 'string' ? Buffer.byteLength(answer.body) : answer.body.length
  if (size < SIZE_MIN) return { ...answer, headers: varying }
  return gzipAsync(answer.body, { level: GZIP_LEVEL }).then((body) => ({
    ...answer,
    headers: { ...varying, 'content-encoding': 'gzip' },
    body
  }))
}

const isJson = ({ headers }: Reply) => String(headers['content-type']).startsWith('application/json')
