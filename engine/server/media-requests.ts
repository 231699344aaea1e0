// Serves the hub, whose web server passes the responses on: playlists and segments of HLS outputs, to which the stream
// key in the path grants access, and channels as fragmented MP4 for pages whose rights the hub has checked.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { hashKey } from '../access/key-throttle.ts'
import type { Engine } from '../engine.ts'
import type { HlsRequest } from '../interfaces/engine-client.ts'
import { HLS_PREFIX, MISSING_AUDIO_HEADER, PLAYER_HEADER, WATCH_PREFIX } from '../interfaces/wire.ts'

type HlsSource = Pick<Engine, 'hlsStores' | 'keyThrottle'>

/** Handles `GET /hls/<key>/<file>`. */
export function handleHlsRequest(
  engine: HlsSource,
  { url = '', method = '', headers }: IncomingMessage,
  response: ServerResponse
): void {
  const [key = '', file = ''] = url.slice(HLS_PREFIX.length).split('/')
  const address = String(headers[PLAYER_HEADER] ?? '')
  const { status, bytes, release } = readHlsFile(engine, { method, key, file, address })
  if (release) response.on('close', release)
  response.writeHead(status, bytes && { 'content-length': bytes.length })
  response.end(method === 'GET' ? bytes : undefined)
}

/**
 * Looks up a playlist or segment, and counts it as fetched by the player.
 * @returns 200 with the bytes, and for a segment with its `LentSegment.release`; 403 for a player that is not allowed,
 * 404 for an unknown key or segment, 429 for a player that tries many keys, 503 for a stream without segments yet
 */
export function readHlsFile(
  { hlsStores, keyThrottle }: HlsSource,
  { method, key, file, address }: HlsRequest
): { status: number; bytes?: Buffer; release?: () => void } {
  const store = hlsStores.get(key)
  if (!store?.isPlaying(address) && keyThrottle.isBlocked(address)) return { status: 429 }
  if (!store) {
    keyThrottle.recordWrongKey(address, hashKey(key))
    return { status: 404 }
  }
  if (!store.isAllowed(address)) return { status: 403 }
  if (file === 'index.m3u8') {
    const playlist = store.playlist()
    return playlist === undefined ? { status: 503 } : { status: 200, bytes: Buffer.from(playlist) }
  }
  const segment = store.segment(file)
  if (!segment) return { status: 404 }
  if (method === 'GET') store.recordFetch(address, segment.bytes.length)
  return { status: 200, ...segment }
}

/**
 * Handles `GET /watch/<channel ID>`. Responds 404 for a channel that is unknown or stopped, and 503 if there is no
 * stream within some seconds.
 */
export function handleWatchRequest(
  engine: Pick<Engine, 'watchChannel'>,
  { url = '' }: IncomingMessage,
  response: ServerResponse
): void {
  const remove = engine.watchChannel(Number(url.slice(WATCH_PREFIX.length)), {
    open({ type, missingAudio }) {
      response.writeHead(200, {
        'content-type': type,
        ...(missingAudio !== undefined && { [MISSING_AUDIO_HEADER]: missingAudio })
      })
    },
    write: (bytes) => void response.write(bytes),
    queuedBytes: () => response.writableLength,
    end() {
      if (!response.headersSent) response.writeHead(503)
      response.end()
    }
  })
  if (remove) response.on('close', remove)
  else response.writeHead(404).end()
}
