// A separate ffmpeg that decodes a stream for analysis (previews, audio level), independent of the process that carries
// the stream.

import type { Process } from '../interfaces/launcher.ts'
import type { Processes } from '../interfaces/leg-parts.ts'
import type { Tap } from '../interfaces/relay.ts'
import { createPacketQueue, type PacketQueue } from '../mpegts/packet-queue.ts'

/** Milliseconds before another attempt if the stream could not be decoded. */
const RETRY_AFTER = 10_000

/** Options of ffmpeg for decoding with one thread. */
export const DECODE_OPTIONS = ['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-threads', '1']
/** Input options: MPEG-TS on stdin with short probing, because a live stream repeats its headers. */
export const STDIN_OPTIONS = ['-probesize', '1000000', '-analyzeduration', '1000000', '-f', 'mpegts', '-i', 'pipe:0']

interface SideDecoderOptions {
  /** Arguments of ffmpeg. */
  args: readonly string[]
  /** Current rate of the stream. */
  kbps(): number
  /** Called for each new process. Returns the handler of its stdout, which returns false if the bytes are invalid. */
  createParser(): (chunk: Buffer) => boolean
  /** Called when the results no longer apply, because the stream changed or decoding stopped. */
  onEnd?(): void
}

/** Starts ffmpeg at the next start point of the stream. Without ffmpeg there are no results and no error. */
export class SideDecoder {
  readonly #options: SideDecoderOptions
  readonly #context: Processes
  #process: Process | undefined
  #queue: PacketQueue | undefined
  /** Earliest time of the next start. */
  #nextStart = Number.NEGATIVE_INFINITY

  /** The subscriber of the stream. */
  readonly tap: Tap = {
    media: (data, starts, tables) => {
      if (!this.#process && starts.length > 0 && this.#context.now() >= this.#nextStart) this.#start()
      this.#queue?.push(data, starts, tables)
    },
    // The next stream can have another picture size or other audio.
    end: () => {
      this.stop()
      this.#nextStart = Number.NEGATIVE_INFINITY
    }
  }

  constructor(options: SideDecoderOptions, context: Processes) {
    this.#options = options
    this.#context = context
  }

  stop(): void {
    this.#process?.stop()
    this.#process = undefined
    this.#queue = undefined
    this.#options.onEnd?.()
  }

  #start(): void {
    const { launcher, now } = this.#context
    const { args, kbps, createParser } = this.#options
    this.#nextStart = now() + RETRY_AFTER
    const parse = createParser()
    try {
      const process = launcher.run({
        args,
        pipeStdin: true,
        onStdout: (chunk) => {
          if (this.#process === process && !parse(chunk)) this.stop()
        },
        onEnd: () => {
          if (this.#process !== process) return
          this.#process = undefined
          this.#queue = undefined
        }
      })
      this.#process = process
      if (process.stdin) this.#queue = createPacketQueue(process.stdin, kbps)
      this.#queue?.waitForKeyFrame()
    } catch {
      // A missing ffmpeg is reported by `Launcher.listMissing`.
    }
  }
}
