// HLS for players: playlists and segments of running outputs, from memory. The key in the path is what lets in.

import { markOf } from '../../engine/access/key-throttle.ts'
import type { Engine } from '../../engine/engine.ts'

const PATH = /^\/hls\/([\w-]{1,64})\/(index\.m3u8|\d{1,16}\.ts)$/

/** Players are pages of any origin, too: there is no cookie that could be misused, only the key. */
const OPEN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff'
}

/** Answers what lies below `/hls/`; undefined for other paths. */
export function createHls({ shelves, guesses }: Pick<Engine, 'shelves' | 'guesses'>) {
  return (request: Request, address: string): Response | undefined => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/hls/')) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET, HEAD', ...OPEN } })
    const [, key = '', file = ''] = PATH.exec(pathname) ?? []
    const shelf = shelves.get(key)
    if (!shelf?.serves(address) && guesses.barred(address))
      return new Response('Too many keys\n', { status: 429, headers: NOT_KEPT })
    if (!shelf) {
      if (key !== '') guesses.wrong(address, markOf(key))
      return missing(404)
    }
    if (!shelf.admits(address)) return new Response('Forbidden\n', { status: 403, headers: NOT_KEPT })
    const live = file === 'index.m3u8'
    const body = live ? shelf.playlist() : shelf.segment(file)
    // A stream that has just begun has no segment yet: players come again.
    if (body === undefined) return missing(live ? 503 : 404)
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
    const whole = request.method === 'GET'
    if (whole && !live) shelf.fetched(address, bytes.length)
    return new Response(whole ? bytes : null, {
      headers: {
        ...OPEN,
        'content-type': live ? 'application/vnd.apple.mpegurl' : 'video/mp2t',
        'content-length': String(bytes.length),
        'cache-control': live ? 'no-store' : 'private, max-age=60'
      }
    })
  }
}

const NOT_KEPT = { ...OPEN, 'content-type': 'text/plain', 'cache-control': 'no-store' }

function missing(status: 404 | 503): Response {
  return new Response(status === 404 ? 'Not found\n' : 'Not yet\n', {
    status,
    headers: status === 503 ? { ...NOT_KEPT, 'retry-after': '2' } : NOT_KEPT
  })
}
