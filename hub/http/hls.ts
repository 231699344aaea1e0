// Serves HLS playlists and segments of running outputs, which the engine has in memory. The stream key in the path
// grants access.
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { HubRequest } from '../../web-server/request.ts'

const PATH = /^\/hls\/([\w-]{1,64})\/(index\.m3u8|\d{1,16}\.(ts|m4s|mp4))$/

/**
 * By the ending of the file: playlists, segments of MPEG-TS, and segments and initialization segments of fragmented
 * MP4.
 */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4'
}

/** Pages of any origin may play: access depends on the key alone, and no cookie could be abused. */
const CROSS_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff'
}
const ERROR_HEADERS = { ...CROSS_ORIGIN_HEADERS, 'content-type': 'text/plain', 'cache-control': 'no-store' }

function errorResponse(status: number, text: string, headers?: Record<string, string>): Response {
  return new Response(`${text}\n`, { status, headers: { ...ERROR_HEADERS, ...headers } })
}

const ERRORS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not found',
  429: 'Too many keys',
  503: 'Not yet'
}

/**
 * Handles paths below `/hls/`; returns undefined for others. Responds 403 to an address that is not allowed, 404 to an
 * unknown key or segment, 429 to an address that tries many keys, and 503 to a stream without segments yet, and while
 * the engine is away.
 * @param isEnabled whether the hub serves HLS. While it does not, no key is looked up, so players with a right one do
 * not count as guessing.
 */
export function createHlsHandler({ fetchHls }: Pick<EngineClient, 'fetchHls'>, isEnabled = () => true) {
  return ({ method, path }: HubRequest, address: string): Promise<Response> | Response | undefined => {
    if (!path.startsWith('/hls/')) return undefined
    if (method !== 'GET' && method !== 'HEAD') {
      const headers = { allow: 'GET, HEAD', ...CROSS_ORIGIN_HEADERS }
      return new Response('Method not allowed\n', { status: 405, headers })
    }
    if (!isEnabled()) return errorResponse(404, 'HLS is turned off')
    const [, key = '', file = ''] = PATH.exec(path) ?? []
    if (key === '') return errorResponse(404, 'Not found')
    return serveFile(fetchHls({ method, key, file, address }), file.split('.')[1] ?? '')
  }
}

async function serveFile(fetched: Promise<Response>, ending: string): Promise<Response> {
  const { status, headers, body } = await fetched
  if (status !== 200)
    return errorResponse(status, ERRORS[status] ?? 'Error', status === 503 ? { 'retry-after': '2' } : {})
  return new Response(body, {
    headers: {
      ...CROSS_ORIGIN_HEADERS,
      'content-type': CONTENT_TYPES[ending] ?? '',
      'content-length': headers.get('content-length') ?? '',
      'cache-control': ending === 'm3u8' ? 'no-store' : 'private, max-age=60'
    }
  })
}
