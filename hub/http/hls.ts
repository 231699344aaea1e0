// Serves HLS playlists and segments of running outputs from memory. The stream key in the path grants access.
import { hashKey } from '../../engine/access/key-throttle.ts'
import type { Engine } from '../../engine/interfaces/engine.ts'
import type { HubRequest } from './request.ts'

const PATH = /^\/hls\/([\w-]{1,64})\/(index\.m3u8|\d{1,16}\.ts)$/

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

/**
 * Handles paths below `/hls/`; returns undefined for others. Responds 403 to an address that is not allowed, 404 to an unknown key or
 * segment, 429 to an address that tries many keys, and 503 to a stream without segments yet.
 */
export function createHlsHandler({ hlsStores, keyThrottle }: Pick<Engine, 'hlsStores' | 'keyThrottle'>) {
  return ({ method, path }: HubRequest, address: string): Response | undefined => {
    if (!path.startsWith('/hls/')) return undefined
    if (method !== 'GET' && method !== 'HEAD') {
      const headers = { allow: 'GET, HEAD', ...CROSS_ORIGIN_HEADERS }
      return new Response('Method not allowed\n', { status: 405, headers })
    }
    const [, key = '', file = ''] = PATH.exec(path) ?? []
    const store = hlsStores.get(key)
    if (!store?.isPlaying(address) && keyThrottle.isBlocked(address)) return errorResponse(429, 'Too many keys')
    if (!store) {
      if (key !== '') keyThrottle.recordWrongKey(address, hashKey(key))
      return errorResponse(404, 'Not found')
    }
    if (!store.isAllowed(address)) return errorResponse(403, 'Forbidden')
    const isPlaylist = file === 'index.m3u8'
    const body = isPlaylist ? store.playlist() : store.segment(file)
    if (body === undefined)
      return isPlaylist ? errorResponse(503, 'Not yet', { 'retry-after': '2' }) : errorResponse(404, 'Not found')
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
    if (method === 'GET' && !isPlaylist) store.recordFetch(address, bytes.length)
    return new Response(method === 'GET' ? bytes : null, {
      headers: {
        ...CROSS_ORIGIN_HEADERS,
        'content-type': isPlaylist ? 'application/vnd.apple.mpegurl' : 'video/mp2t',
        'content-length': String(bytes.length),
        'cache-control': isPlaylist ? 'no-store' : 'private, max-age=60'
      }
    })
  }
}
