// The pages that play channels: passes the engine's stream to each, and ends it when its session may no longer see the
// channel.
import { NOT_PERMITTED, TOO_MANY, TRY_AGAIN, WRONG_STATE } from '../../contract/codes.ts'
import { WATCHERS_MAX } from '../../contract/limits.ts'
import { MISSING_AUDIO_HEADER } from '../../contract/stream/channel-watch.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { previewOfChannel } from './preview-id.ts'

export interface WatchFeedOptions {
  engine: Pick<EngineClient, 'watchChannel'>
  /** Which preview IDs a session may see now. The right to a channel's preview is the right to play it. */
  createAccessCheck(owner: string): (id: string) => boolean
  /** The number of pages that play a channel has changed. */
  onChange(channelId: number): void
}

interface Watch {
  /** Session key. */
  owner: string
  channelId: number
  abort: AbortController
}

export class WatchFeed {
  readonly #options: WatchFeedOptions
  readonly #watches = new Set<Watch>()

  constructor(options: WatchFeedOptions) {
    this.#options = options
  }

  /**
   * Handles `channel/watch`.
   * @param owner session key
   * @returns the stream, or a result code: 31 not permitted, 17 too many, 38 stopped, 4 no stream at the moment
   */
  async open(owner: string, channelId: number): Promise<Response | number> {
    const { createAccessCheck, engine } = this.#options
    if (!createAccessCheck(owner)(previewOfChannel(channelId))) return NOT_PERMITTED
    if (this.#watches.size >= WATCHERS_MAX) return TOO_MANY
    const watch: Watch = { owner, channelId, abort: new AbortController() }
    this.#watches.add(watch)
    const { status, headers, body } = await engine.watchChannel(channelId, watch.abort.signal)
    if (status !== 200 || !body) {
      this.#watches.delete(watch)
      return status === 404 ? WRONG_STATE : TRY_AGAIN
    }
    this.#options.onChange(channelId)
    const missingAudio = headers.get(MISSING_AUDIO_HEADER)
    return new Response(this.#follow(body, watch), {
      headers: {
        'content-type': headers.get('content-type') ?? '',
        ...(missingAudio !== null && { [MISSING_AUDIO_HEADER]: missingAudio }),
        'cache-control': 'no-store',
        // Otherwise nginx buffers the response.
        'x-accel-buffering': 'no'
      }
    })
  }

  /** Number of pages that play a channel. */
  count(channelId: number): number {
    return [...this.#watches].filter((watch) => watch.channelId === channelId).length
  }

  /** Ends the streams of sessions that have ended, or may no longer see their channel. */
  recheckAccess(): void {
    const { createAccessCheck } = this.#options
    for (const { owner, channelId, abort } of [...this.#watches])
      if (!createAccessCheck(owner)(previewOfChannel(channelId))) abort.abort()
  }

  /** Ends all streams. */
  close(): void {
    for (const { abort } of [...this.#watches]) abort.abort()
  }

  /** Passes the stream on as fast as it is read, and notices its end. */
  #follow(body: ReadableStream<Uint8Array>, watch: Watch): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    const end = () => {
      if (this.#watches.delete(watch)) this.#options.onChange(watch.channelId)
    }
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = await reader.read()
            if (value) controller.enqueue(value)
            if (!done) return
            end()
            controller.close()
          } catch (error) {
            end()
            controller.error(error)
          }
        },
        cancel() {
          end()
          watch.abort.abort()
          // The reader rejects, because the request was aborted.
          reader.closed.catch(() => {})
        }
      },
      { highWaterMark: 0 }
    )
  }
}
