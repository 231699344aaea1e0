// Compresses JSON responses with gzip: a page of a list takes a tenth of its size.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { chooseEncoding } from './static-files.ts'

/** Bytes below which compression is not worth it, because the headers are most of the response. */
const SIZE_MIN = 600
/** Higher levels save little, and take time for which other calls would wait. */
const GZIP_LEVEL = 4

const gzipAsync = promisify(gzip)

/** Compresses a JSON response if it is large enough and the client accepts gzip. Other responses are returned unchanged. */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  const { status, headers } = response
  if (status !== 200 || !headers.get('content-type')?.startsWith('application/json')) return response
  // Brotli at the speed that live responses need gains nothing over gzip.
  if (chooseEncoding(`${request.headers.get('accept-encoding') ?? ''},br;q=0`) !== 'gzip') return response
  const plain = Buffer.from(await response.arrayBuffer())
  const isCompressed = plain.length >= SIZE_MIN
  const body = isCompressed ? await gzipAsync(plain, { level: GZIP_LEVEL }) : plain
  headers.append('vary', 'accept-encoding')
  if (isCompressed) headers.set('content-encoding', 'gzip')
  return new Response(new Uint8Array(body), { status, headers })
}
