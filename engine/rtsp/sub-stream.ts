// The sub stream of an RTSP output: ffmpeg transcodes the stream of the channel to a smaller picture at a lower rate.

import { SUB_STREAM } from '../../contract/limits.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { Processes } from '../interfaces/leg-parts.ts'
import type { Stream, Tap } from '../interfaces/relay.ts'
import { Subscription } from '../legs/subscription.ts'
import { bufferArgs } from '../mpegts/buffer-args.ts'
import { createPacketQueue, GROUP_MAX, type PacketQueue } from '../mpegts/packet-queue.ts'
import { TsReader } from '../mpegts/ts-reader.ts'
import { createBackOff } from '../process/back-off.ts'

/** kbps of the audio, and of the video so that both with the packets of MPEG-TS have about `SUB_STREAM.kbps`. */
const AUDIO_KBPS = 64
const VIDEO_KBPS = SUB_STREAM.kbps - 2 * AUDIO_KBPS
/** Frames per second at most, and seconds between two key frames. */
const FRAME_RATE_MAX = 30
const KEY_FRAME_INTERVAL = 2

const { width, height } = SUB_STREAM
/** A smaller picture keeps its size, and every picture its shape. H.264 with 4:2:0 needs even sizes. */
const SCALE = `scale=w='min(${width},iw)':h='min(${height},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`

const ARGS = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-threads', '1'],
  ...['-probesize', '1000000', '-analyzeduration', '1000000', '-f', 'mpegts', '-i', 'pipe:0'],
  ...['-map', '0:v:0?', '-map', '0:a:0?', '-vf', `yadif=deint=interlaced,${SCALE}`, '-fpsmax', String(FRAME_RATE_MAX)],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-threads', '2'],
  ...['-b:v', `${VIDEO_KBPS}k`, '-maxrate', `${VIDEO_KBPS}k`, '-bufsize', `${VIDEO_KBPS}k`],
  ...['-force_key_frames', `expr:gte(t,n_forced*${KEY_FRAME_INTERVAL})`],
  ...['-c:a', 'aac', '-b:a', `${AUDIO_KBPS}k`, '-ac', '2', '-af', 'aresample=async=1000'],
  ...['-f', 'mpegts', ...bufferArgs(), '-max_interleave_delta', '500000', '-flush_packets', '1', 'pipe:1']
]

/** One run of ffmpeg. */
interface Run {
  process: Process
  queue: PacketQueue | undefined
  startedAt: number
}

/** Transcodes while it is attached to a stream. After ffmpeg has ended, it is started again with back-off. */
export class SubStream {
  readonly #sink: Tap
  readonly #context: Processes
  readonly #subscription = Subscription.ofTap(
    { media: (data, starts, tables) => this.#media(data, starts, tables), end: () => this.#stop() },
    // A player that has just connected gets its first picture sooner.
    { fromCache: true }
  )
  #run: Run | undefined
  #backOff = createBackOff()
  /** Earliest time of the next run. */
  #nextStart = Number.NEGATIVE_INFINITY

  /** @param sink receives the transcoded stream */
  constructor(sink: Tap, context: Processes) {
    this.#sink = sink
    this.#context = context
  }

  attach(stream: Stream | undefined): void {
    this.#subscription.attach(stream)
  }

  cancel(): void {
    this.#subscription.cancel()
    this.#stop()
  }

  #media(data: Buffer, starts: readonly number[], tables: Buffer): void {
    if (!this.#run && starts.length > 0 && this.#context.now() >= this.#nextStart) this.#start()
    this.#run?.queue?.push(data, starts, tables)
  }

  #start(): void {
    const { launcher, now } = this.#context
    const startedAt = now()
    const reader = new TsReader((data, starts) => {
      const tables = reader.tables()
      if (tables) this.#sink.media(data, starts, tables)
    })
    try {
      const process = launcher.run({
        args: ARGS,
        pipeStdin: true,
        onStdout: (chunk) => {
          if (this.#run?.process === process) reader.push(chunk)
        },
        onEnd: () => {
          if (this.#run?.process === process) this.#handleEnd(startedAt)
        }
      })
      const queue =
        process.stdin && createPacketQueue(process.stdin, () => this.#subscription.kbps(), { groupBytes: GROUP_MAX })
      queue?.waitForKeyFrame()
      this.#run = { process, queue, startedAt }
    } catch {
      // A missing ffmpeg is reported by `Launcher.listMissing`.
      this.#handleEnd(startedAt)
    }
  }

  #handleEnd(startedAt: number): void {
    const now = this.#context.now()
    this.#nextStart = now + this.#backOff.nextDelay(now - startedAt)
    this.#run = undefined
    this.#sink.end()
  }

  /** The stream ended, or nobody plays. */
  #stop(): void {
    this.#backOff = createBackOff()
    this.#nextStart = Number.NEGATIVE_INFINITY
    const run = this.#run
    if (!run) return
    this.#run = undefined
    void run.process.stop()
    this.#sink.end()
  }
}
