// The pages that play channels: passes the engine's stream to each, and ends it when its session may no longer see the
// channel, or when another page needs its place.
import { NOT_PERMITTED, TOO_MANY, TRY_AGAIN, WRONG_STATE } from '../../contract/codes.ts'
import { WATCHERS_MAX, WATCHERS_PER_USER_MAX } from '../../contract/limits.ts'
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

/** Who plays a channel. */
interface Watcher {
  /** Session key. */
  owner: string
  /** User ID. */
  user: number
  /** A number that the page keeps; undefined if it has none. */
  page: number | undefined
}

interface Watch extends Watcher {
  channelId: number
  abort: AbortController
}

export class WatchFeed {
  readonly #options: WatchFeedOptions
  /** In the order in which they began. */
  readonly #watches = new Set<Watch>()
  /**
   * Pages whose stream gave way to another one. They open it again at once, and would end yet another stream if they
   * were not refused.
   */
  #displaced: Watcher[] = []

  constructor(options: WatchFeedOptions) {
    this.#options = options
  }

  /**
   * Handles `channel/watch`.
   * @returns the stream, or a result code: 31 not permitted, 17 too many, 38 stopped, 4 no stream at the moment
   */
  async open(watcher: Watcher, channelId: number): Promise<Response | number> {
    const { createAccessCheck, engine } = this.#options
    if (!createAccessCheck(watcher.owner)(previewOfChannel(channelId))) return NOT_PERMITTED
    if (!this.#makeRoom(watcher)) return TOO_MANY
    const watch: Watch = { ...watcher, channelId, abort: new AbortController() }
    this.#watches.add(watch)
    const { status, headers, body } = await engine.watchChannel(channelId, watch.abort.signal)
    if (status !== 200 || !body) {
      const wasWaiting = this.#watches.delete(watch)
      if (!wasWaiting) return TOO_MANY
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

  /**
   * Ends another stream if there is no place for a further one: the user's own that began first, or if all places are
   * in use, that of the user with the most.
   * @returns false if none gives way
   */
  #makeRoom(watcher: Watcher): boolean {
    const isSamePage = ({ user, page }: Watcher) => user === watcher.user && page === watcher.page
    const own = this.#watchesOf(watcher.user)
    if (own.length >= WATCHERS_PER_USER_MAX) {
      if (watcher.page !== undefined && this.#displaced.some(isSamePage)) return false
      this.#displace(own[0])
    } else if (this.#watches.size >= WATCHERS_MAX) {
      const byUser = [...Map.groupBy(this.#watches, ({ user }) => user).values()]
      const most = byUser.reduce((one, other) => (other.length > one.length ? other : one))
      // Otherwise both users would take the place from each other in turns.
      if (most.length <= own.length + 1) return false
      this.#displace(most[0])
    }
    this.#displaced = this.#displaced.filter((other) => !isSamePage(other))
    return true
  }

  #watchesOf(user: number): Watch[] {
    return [...this.#watches].filter((watch) => watch.user === user)
  }

  #displace(watch: Watch | undefined): void {
    if (!watch) return
    this.#watches.delete(watch)
    this.#displaced = [...this.#displaced, watch].slice(-WATCHERS_MAX)
    watch.abort.abort()
    this.#options.onChange(watch.channelId)
  }

  /** The limit that keeps a user from playing another channel. */
  limitFor(user: number): number {
    return this.#watchesOf(user).length >= WATCHERS_PER_USER_MAX ? WATCHERS_PER_USER_MAX : WATCHERS_MAX
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
