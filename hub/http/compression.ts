// Makes answers small on their way. A page of a list in JSON is a tenth of its size with gzip: seconds on a thin line.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { chooseEncoding } from './static-files.ts'

/** Bytes below which the headers are most of an answer. */
const WORTH = 600
/** Of more the smaller half is gained at once, and the rest costs time that other calls would wait for. */
const LEVEL = 4

const gzipped = promisify(gzip)

/** The answer as JSON packed with gzip where that is worth it and who asks takes it; any other is left as it is. */
export async function packed(request: Request, response: Response): Promise<Response> {
  const { status, headers } = response
  if (status !== 200 || !headers.get('content-type')?.startsWith('application/json')) return response
  // Brotli at a speed that answers need gains nothing over gzip.
  if (chooseEncoding(`${request.headers.get('accept-encoding') ?? ''},br;q=0`) !== 'gzip') return response
  const plain = Buffer.from(await response.arrayBuffer())
  const body = plain.length < WORTH ? plain : await gzipped(plain, { level: LEVEL })
  headers.append('vary', 'accept-encoding')
  if (body !== plain) headers.set('content-encoding', 'gzip')
  return new Response(new Uint8Array(body), { status, headers })
}
