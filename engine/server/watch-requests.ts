// Serves channels as fragmented MP4 to the hub, which has checked the rights of the page that plays them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../engine.ts'
import { MISSING_AUDIO_HEADER, WATCH_PREFIX } from '../interfaces/wire.ts'

/**
 * Handles `GET /watch/<channel ID>`. Responds 404 for a channel that is unknown or stopped, and 503 if there is no stream within some
 * seconds.
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
