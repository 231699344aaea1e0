// Segments of fragmented MP4 for HEVC, which Safari does not play from MPEG-TS. ffmpeg remuxes one stream; its
// fragments, each from one key frame to the next, are joined into segments.
import type { Socket } from 'node:net'
import { SEGMENT_DEFAULT } from '../../contract/limits.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { HlsOutput } from '../../contract/stream/source.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { Deadlines, Processes } from '../interfaces/leg-parts.ts'
import type { Tap } from '../interfaces/relay.ts'
import { createPacketQueue, type PacketQueue } from '../mpegts/packet-queue.ts'
import { type ElementaryStream, readTables } from '../mpegts/tables.ts'
import { createBackOff } from '../process/back-off.ts'
import { explainExit, failure, systemFailure } from '../process/failure.ts'
import { BoxReader, type FragmentTimes, readFragmentTimes, readTimescale } from './boxes.ts'
import { BYTES_MAX, type SegmentStore } from './segment-store.ts'

const AAC = 15
/** Stream types of audio that MP4 carries: MPEG-1, MPEG-2, AAC with ADTS, AC-3 and E-AC-3. */
const AUDIO_TYPES = new Set([3, 4, AAC, 129, 135])
/** DVB marks AC-3 and E-AC-3 by descriptors of a stream of private data. */
const PRIVATE_DATA = 6
const DVB_AUDIO_TAGS = new Set([0x6a, 0x7a])

const INPUT = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'warning'],
  ...['-probesize', '5000000', '-analyzeduration', '3000000', '-fpsprobesize', '0', '-f', 'mpegts', '-i', 'pipe:0']
]
const OUTPUT = [
  // A fragment ends at each key frame, or after 30 seconds without one, which bounds memory.
  ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof+delay_moov+skip_trailer', '-frag_duration', '30000000'],
  // Not every player applies edit lists. Without them the first packet of a track that starts late is made longer.
  ...['-use_editlist', '0', '-flush_packets', '1', '-f', 'mp4', 'pipe:1']
]

/**
 * Arguments of ffmpeg for a stream with these tables. Audio that MP4 does not carry, subtitles and data are left out.
 */
function buildRemuxArgs(tables: Buffer): string[] {
  const audio = readTables(tables)?.streams.filter(isCarriedAudio) ?? []
  return [
    ...INPUT,
    ...['-map', '0:v:0', ...audio.flatMap(({ pid }) => ['-map', `0:i:${pid}`]), '-c', 'copy', '-tag:v', 'hvc1'],
    ...audio.flatMap(({ type }, index) => (type === AAC ? [`-bsf:a:${index}`, 'aac_adtstoasc'] : [])),
    ...OUTPUT
  ]
}

function isCarriedAudio({ type, descriptors }: ElementaryStream): boolean {
  if (type !== PRIVATE_DATA) return AUDIO_TYPES.has(type)
  for (let offset = 0; offset + 2 <= descriptors.length; offset += 2 + (descriptors[offset + 1] ?? 0))
    if (DVB_AUDIO_TAGS.has(descriptors[offset] ?? 0)) return true
  return false
}

/** One run of ffmpeg. Its segments share an initialization segment. */
class Run {
  readonly #duration: number
  readonly #store: SegmentStore
  readonly #onSegment: () => void
  #head: Buffer[] = []
  #init: Buffer | undefined
  #timescale = 0
  /** Boxes of the open segment, and its times. */
  #boxes: Buffer[] = []
  #times: FragmentTimes | undefined
  #isDiscarded = false
  readonly #reader = new BoxReader((type, box) => this.#take(type, box), BYTES_MAX)

  constructor(duration: number, store: SegmentStore, onSegment: () => void) {
    this.#duration = duration
    this.#store = store
    this.#onSegment = onSegment
  }

  /** Takes output of ffmpeg. Returns false if it is invalid. */
  push(chunk: Buffer): boolean {
    return this.#isDiscarded || this.#reader.push(chunk)
  }

  /** Ends the run. The rest becomes a shorter segment. */
  end(): void {
    if (this.#isDiscarded) return
    if (this.#times) this.#finish(this.#times.end)
    this.#store.markDiscontinuity()
    this.#isDiscarded = true
  }

  discard(): void {
    this.#isDiscarded = true
  }

  #take(type: string, box: Buffer): void {
    if (type === 'ftyp' || type === 'moov') this.#head.push(box)
    if (type === 'moov') {
      this.#init = Buffer.concat(this.#head)
      this.#timescale = readTimescale(box) ?? 0
    }
    if (type === 'moof') this.#startFragment(box)
    if (type === 'moof' || (type === 'mdat' && this.#boxes.length > 0)) this.#boxes.push(box)
  }

  #startFragment(moof: Buffer): void {
    const times = readFragmentTimes(moof)
    if (!times || this.#timescale === 0) return
    const isFull = this.#times && times.start - this.#times.start >= this.#duration * this.#timescale
    if (isFull) this.#finish(times.start)
    this.#times = { start: this.#times?.start ?? times.start, end: times.end }
  }

  #finish(end: number): void {
    const start = this.#times?.start ?? end
    const bytes = Buffer.concat(this.#boxes)
    this.#boxes = []
    this.#times = undefined
    if (!this.#init || end <= start) return
    this.#store.add({ bytes, duration: (end - start) / this.#timescale, init: this.#init })
    this.#onSegment()
  }
}

/** A run with its process. */
interface Remuxer {
  run: Run
  process: Process
  queue: PacketQueue | undefined
  startedAt: number
  /** Bytes that the process has read, and when it last read some or had nothing to read. */
  readBytes: number
  readAt: number
  /** When the stream ended. The process then writes the rest and ends by itself. */
  endedAt?: number
  /** Resolves when all output of the process before is stored. Output of this process waits for it. */
  earlier: Promise<void>
  /** Resolves when all output of the process is stored. */
  ended: PromiseWithResolvers<void>
}

export interface FragmentRecorder extends Tap {
  /** Stops without storing the rest of the stream. */
  stop(): Promise<void>
  /**
   * Call about twice a second. Restarts an ffmpeg that reads nothing, and stops one that does not end after its stream.
   */
  tick(): void
  /** Why there are no segments. */
  problem(): Failure | undefined
  /** Bytes dropped because ffmpeg was too slow. */
  droppedBytes(): number
}

type Context = Processes &
  Deadlines & {
    kbps(): number
    /** The problem has changed. */
    onChange(): void
  }

class FragmentRemuxer implements FragmentRecorder {
  readonly #duration: number
  readonly #store: SegmentStore
  readonly #context: Context
  #current: Remuxer | undefined
  /** All whose process has not ended; later ones store their segments after those of earlier ones. */
  readonly #remuxers = new Set<Remuxer>()
  #problem: Failure | undefined
  #backOff = createBackOff()
  /** Earliest time of the next start. */
  #nextStart = Number.NEGATIVE_INFINITY
  /** Bytes dropped in earlier runs. */
  #droppedBytes = 0

  constructor(config: HlsOutput, context: Context, store: SegmentStore) {
    this.#duration = config['seg-duration'] ?? SEGMENT_DEFAULT
    this.#context = context
    this.#store = store
  }

  media(data: Buffer, starts: readonly number[], tables: Buffer): void {
    if (!this.#current && starts.length > 0 && this.#context.now() >= this.#nextStart) this.#start(tables)
    this.#current?.queue?.push(data, starts, tables)
  }

  end(): void {
    const remuxer = this.#detach()
    this.#backOff = createBackOff()
    this.#nextStart = Number.NEGATIVE_INFINITY
    this.#setProblem(undefined)
    if (!remuxer) return
    remuxer.process.stdin?.end()
    remuxer.endedAt = this.#context.now()
  }

  async stop(): Promise<void> {
    this.#detach()
    this.#setProblem(undefined)
    this.#store.markDiscontinuity()
    const stops = [...this.#remuxers].map((remuxer) => {
      remuxer.run.discard()
      return this.#kill(remuxer)
    })
    await Promise.all(stops)
  }

  tick(): void {
    this.#killUnended()
    const remuxer = this.#current
    // Node implements the pipe of a child process as a socket.
    const input = remuxer?.process.stdin as Socket | undefined
    if (!remuxer || !input) return
    const { now, timeouts } = this.#context
    const readBytes = input.bytesWritten - input.writableLength
    if (readBytes > remuxer.readBytes || input.writableLength === 0) remuxer.readAt = now()
    remuxer.readBytes = readBytes
    if (now() - remuxer.readAt <= timeouts.stall) return
    this.#fail(failure(CONNECTION_STATE.disconnected, `target-stuck-for ${Math.round(timeouts.stall / 1000)}`))
    this.#kill(remuxer)
  }

  problem(): Failure | undefined {
    return this.#problem
  }

  droppedBytes(): number {
    return this.#droppedBytes + (this.#current?.queue?.droppedBytes() ?? 0)
  }

  #start(tables: Buffer): void {
    const earlier = [...this.#remuxers].at(-1)?.ended.promise ?? Promise.resolve()
    const run = new Run(this.#duration, this.#store, () => this.#setProblem(undefined))
    const { launcher, now, kbps } = this.#context
    try {
      const process = launcher.run({
        args: buildRemuxArgs(tables),
        pipeStdin: true,
        onStdout: (chunk) =>
          void earlier.then(() => {
            if (!run.push(chunk)) this.#abandon(remuxer)
          }),
        onEnd: (lines) => {
          if (this.#current === remuxer)
            this.#fail(explainExit(lines, { opened: false, srtCaller: false, secrets: [] }))
          earlier.then(() => this.#finish(remuxer))
        }
      })
      const queue = process.stdin && createPacketQueue(process.stdin, kbps)
      queue?.waitForKeyFrame()
      const remuxer: Remuxer = {
        run,
        process,
        queue,
        startedAt: now(),
        readBytes: 0,
        readAt: now(),
        earlier,
        ended: Promise.withResolvers()
      }
      this.#remuxers.add(remuxer)
      this.#current = remuxer
    } catch (error) {
      this.#fail(systemFailure(error as Error))
    }
  }

  /** Ends a run whose output is invalid. */
  #abandon(remuxer: Remuxer): void {
    if (this.#current === remuxer) this.#fail(failure(CONNECTION_STATE.streamFailed, 'not-a-stream'))
    this.#kill(remuxer)
  }

  #fail(problem: Failure): void {
    const startedAt = this.#detach()?.startedAt
    const now = this.#context.now()
    this.#nextStart = now + this.#backOff.nextDelay(startedAt === undefined ? 0 : now - startedAt)
    this.#setProblem(problem)
  }

  #detach(): Remuxer | undefined {
    const remuxer = this.#current
    this.#current = undefined
    this.#droppedBytes += remuxer?.queue?.droppedBytes() ?? 0
    return remuxer
  }

  async #kill(remuxer: Remuxer): Promise<void> {
    await remuxer.process.stop()
    await remuxer.earlier
    this.#finish(remuxer)
  }

  /** Stops processes that do not end after the end of their stream, because later segments wait for them. */
  #killUnended(): void {
    const { now, timeouts } = this.#context
    for (const remuxer of this.#remuxers)
      if (remuxer.endedAt !== undefined && now() - remuxer.endedAt > timeouts.stall) this.#kill(remuxer)
  }

  #finish(remuxer: Remuxer): void {
    if (!this.#remuxers.delete(remuxer)) return
    remuxer.run.end()
    remuxer.ended.resolve()
  }

  #setProblem(problem: Failure | undefined): void {
    if (this.#problem === problem) return
    this.#problem = problem
    this.#context.onChange()
  }
}

/** Starts ffmpeg at the next start point of the stream, and again, with back-off, after it has failed. */
export const createFragmentRecorder = (config: HlsOutput, context: Context, store: SegmentStore): FragmentRecorder =>
  new FragmentRemuxer(config, context, store)
