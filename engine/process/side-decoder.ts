// An ffmpeg of its own that looks at a stream beside what carries it, for as long as somebody wants to know what it finds.

import type { Surroundings } from '../interfaces/engine-context.ts'
import type { Tap } from '../interfaces/tap.ts'
import { createFeed, type Feed } from '../mpegts/packet-queue.ts'
import type { Process } from './launcher.ts'

/** Milliseconds after which it is tried again where nothing could be decoded. */
const AGAIN = 10_000

/** How such an ffmpeg reads, at the least cost, before what it does with it. */
export const LOOKS = ['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-threads', '1']
/** Where it reads: it need not look far for what a live stream repeats. */
export const READS = ['-probesize', '1000000', '-analyzeduration', '1000000', '-f', 'mpegts', '-i', 'pipe:0']

export interface DecodingOptions {
  args: readonly string[]
  /** What the stream carries now. */
  kbps(): number
  /** A process begins: what takes its output, and says whether that can be such. */
  begin(): (chunk: Buffer) => boolean
  /** What was found is of another stream, or nobody asks any more. */
  over?(): void
}

export interface Decoding {
  /** Takes the stream; ffmpeg begins with the next key frame. */
  tap: Tap
  end(): void
}

/** Runs none before the stream comes. Where ffmpeg is missing nothing is found; that it is missing is said elsewhere. */
export function createDecoding(
  { args, kbps, begin, over }: DecodingOptions,
  { launcher, now }: Pick<Surroundings, 'launcher' | 'now'>
): Decoding {
  let process: Process | undefined
  let feed: Feed | undefined
  /** When one may be started. */
  let next = Number.NEGATIVE_INFINITY

  function start(): void {
    next = now() + AGAIN
    const take = begin()
    try {
      const mine = launcher.run({
        args,
        takes: true,
        gives(chunk) {
          if (process === mine && !take(chunk)) end()
        },
        ended() {
          if (process !== mine) return
          process = undefined
          feed = undefined
        }
      })
      process = mine
      if (mine.input) feed = createFeed(mine.input, kbps)
      feed?.seek()
    } catch {
      // As if it had found nothing.
    }
  }

  function end(): void {
    process?.stop()
    process = undefined
    feed = undefined
    over?.()
  }

  return {
    tap: {
      media(data, starts, tables) {
        if (!process && starts.length > 0 && now() >= next) start()
        feed?.take(data, starts, tables)
      },
      // Another stream may be of another size, or have other sound.
      over() {
        end()
        next = Number.NEGATIVE_INFINITY
      }
    },
    end
  }
}
