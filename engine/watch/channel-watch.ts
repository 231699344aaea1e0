// Repackages the stream of a channel while pages play it. One ffmpeg serves all of them. It copies the video, and the
// audio that browsers play; other audio it makes AAC.

import { PictureFormat } from '../hls/parameter-sets.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { Processes } from '../interfaces/leg-parts.ts'
import type { Stream } from '../interfaces/relay.ts'
import { Subscription } from '../legs/subscription.ts'
import { audioCodecName } from '../mpegts/codec-names.ts'
import { createPacketQueue, GROUP_MAX, type PacketQueue } from '../mpegts/packet-queue.ts'
import { VIDEO_CODECS } from '../mpegts/start-points.ts'
import { type ElementaryStream, readTables, type TsProgram } from '../mpegts/tables.ts'
import { createBackOff } from '../process/back-off.ts'
import { Broadcast, type WatchSink } from './broadcast.ts'

/** Milliseconds for which ffmpeg runs on after the last watcher has left: a page that reconnects finds it. */
const LINGER = 3000
/** Milliseconds after which a watcher without a stream is ended. */
const WAIT = 10_000
/** Milliseconds after the end of a stream in which ffmpeg must have written the rest. */
const DRAIN_TIME = 1000

/** Milliseconds within which ffmpeg must have decoded the first sound. */
const CONVERSION_TIME = 3000

/** One run of ffmpeg, which has one format. */
interface Run {
  broadcast: Broadcast
  process: Process
  queue: PacketQueue | undefined
  startedAt: number
  /** Stops the process if it does not begin, or does not end by itself. */
  timer?: NodeJS.Timeout
}

/** A watcher, which receives one run. */
interface Watcher extends WatchSink {
  isOpen: boolean
  /** Ends it if no run begins. */
  timer: NodeJS.Timeout
}

export class ChannelWatch {
  readonly #context: Processes
  readonly #watchers = new Set<Watcher>()
  readonly #runs = new Set<Run>()
  readonly #subscription: Subscription
  #stream: Stream | undefined
  #current: Run | undefined
  #picture: PictureFormat | undefined
  #tables: Buffer | undefined
  /** Whether the audio of the present stream cannot be made AAC. */
  #isAudioBroken = false
  #backOff = createBackOff()
  /** Earliest time of the next run. */
  #nextStart = Number.NEGATIVE_INFINITY
  #lingerTimer: NodeJS.Timeout | undefined

  constructor(context: Processes) {
    this.#context = context
    this.#subscription = Subscription.ofTap(
      { media: (data, starts, tables) => this.#media(data, starts, tables), end: () => this.#endStream() },
      { fromCache: true }
    )
  }

  /** Changes to another stream, or to none. */
  attach(stream: Stream | undefined): void {
    this.#stream = stream
    if (this.#subscription.stream || this.#watchers.size > 0) this.#subscription.attach(stream)
  }

  /** @returns a function that removes the watcher */
  add(sink: WatchSink): () => void {
    clearTimeout(this.#lingerTimer)
    const watcher: Watcher = {
      isOpen: false,
      timer: setTimeout(() => watcher.end(), WAIT),
      open(head) {
        clearTimeout(watcher.timer)
        watcher.isOpen = true
        sink.open(head)
      },
      write: (bytes) => sink.write(bytes),
      queuedBytes: () => sink.queuedBytes(),
      end: () => {
        this.#remove(watcher)
        sink.end()
      }
    }
    this.#watchers.add(watcher)
    this.#current?.broadcast.add(watcher)
    this.#subscription.attach(this.#stream)
    return () => this.#remove(watcher)
  }

  /** Ends all watchers and the process. */
  stop(): void {
    this.#subscription.cancel()
    this.#current = undefined
    for (const run of this.#runs) void this.#kill(run)
    for (const watcher of [...this.#watchers]) watcher.end()
    clearTimeout(this.#lingerTimer)
  }

  #remove(watcher: Watcher): void {
    clearTimeout(watcher.timer)
    if (!this.#watchers.delete(watcher)) return
    for (const { broadcast } of this.#runs) broadcast.remove(watcher)
    if (this.#watchers.size === 0) this.#lingerTimer = setTimeout(() => this.stop(), LINGER)
  }

  #media(data: Buffer, starts: readonly number[], tables: Buffer): void {
    if (tables !== this.#tables) this.#readTables(tables)
    // The initialization segment holds the picture format, so a change ends a run.
    const change = starts.find((start) => this.#picture?.changesAt(data, start))
    const end = this.#current && change !== undefined ? change : data.length
    this.#push(
      data.subarray(0, end),
      starts.filter((start) => start < end),
      tables
    )
    if (end === data.length) return
    this.#endRun()
    this.#push(
      data.subarray(end),
      starts.flatMap((start) => (start < end ? [] : [start - end])),
      tables
    )
  }

  #push(data: Buffer, starts: readonly number[], tables: Buffer): void {
    if (!this.#current && starts.length > 0 && this.#context.now() >= this.#nextStart) this.#start(tables)
    this.#current?.queue?.push(data, starts, tables)
  }

  #readTables(tables: Buffer): void {
    this.#tables = tables
    if (this.#current) return
    const codec = readTables(tables)
      ?.streams.map(({ type }) => VIDEO_CODECS[type])
      .find((each) => each !== undefined)
    this.#picture = codec === 'h264' || codec === 'hevc' ? new PictureFormat(codec) : undefined
  }

  #start(tables: Buffer): void {
    const program = readTables(tables)
    if (!program) return
    const audio = this.#isAudioBroken ? undefined : chooseAudio(program)
    if (!audio && !program.streams.some(isVideo)) return
    const broadcast = new Broadcast(audio ? undefined : nameMissingAudio(program))
    const { launcher, now } = this.#context
    try {
      const process = launcher.run({
        args: buildWatchArgs(program, audio),
        pipeStdin: true,
        onStdout: (chunk) => {
          if (!broadcast.push(chunk)) void this.#kill(run)
        },
        onEnd: () => this.#handleExit(run)
      })
      const queue =
        process.stdin && createPacketQueue(process.stdin, () => this.#subscription.kbps(), { groupBytes: GROUP_MAX })
      queue?.waitForKeyFrame()
      const run: Run = { broadcast, process, queue, startedAt: now() }
      if (audio?.isConverted && program.streams.some(isVideo))
        run.timer = setTimeout(() => this.#checkConversion(run), CONVERSION_TIME)
      this.#runs.add(run)
      this.#current = run
      for (const watcher of this.#watchers) if (!watcher.isOpen) broadcast.add(watcher)
    } catch {
      // A missing ffmpeg is reported by `Launcher.listMissing`.
      this.#delayStart(now())
    }
  }

  /** The stream ended, or continues in another layout. */
  #endStream(): void {
    this.#tables = undefined
    this.#isAudioBroken = false
    this.#picture?.reset()
    this.#backOff = createBackOff()
    this.#nextStart = Number.NEGATIVE_INFINITY
    this.#endRun()
  }

  /**
   * ffmpeg begins to write when it has decoded the first sound. A track that has none, or that it cannot decode, is
   * left out, so that it does not hold up the picture.
   */
  #checkConversion(run: Run): void {
    if (run.broadcast.isOpen || this.#current !== run) return
    this.#isAudioBroken = true
    void this.#kill(run)
    this.#nextStart = Number.NEGATIVE_INFINITY
  }

  /** Lets ffmpeg write the rest. */
  #endRun(): void {
    const run = this.#current
    this.#current = undefined
    if (!run) return
    run.process.stdin?.end()
    clearTimeout(run.timer)
    run.timer = setTimeout(() => void this.#kill(run), DRAIN_TIME)
  }

  #handleExit(run: Run): void {
    if (this.#current === run) {
      this.#current = undefined
      this.#delayStart(run.startedAt)
    }
    this.#finish(run)
  }

  #delayStart(startedAt: number): void {
    const now = this.#context.now()
    this.#nextStart = now + this.#backOff.nextDelay(now - startedAt)
  }

  async #kill(run: Run): Promise<void> {
    if (this.#current === run) {
      this.#current = undefined
      this.#delayStart(run.startedAt)
    }
    await run.process.stop()
    this.#finish(run)
  }

  /** Watchers that have received a part of the run end; the others wait for the next one. */
  #finish(run: Run): void {
    clearTimeout(run.timer)
    if (!this.#runs.delete(run)) return
    if (run.broadcast.isOpen) run.broadcast.end()
  }
}

const AAC = 15
const HEVC = 36

/** Audio that nearly all browsers play. */
const OPUS = 'Opus'
/** Audio that browsers do not play in MP4, and that ffmpeg decodes: it is made AAC. */
const CONVERTED: readonly (string | undefined)[] = ['MPEG audio', 'AC-3', 'E-AC-3', 'DTS', 'AAC LATM', 'SMPTE 302M']
/** Stereo at the rate of broadcasting, whatever the source has: a source that changes either ends no run. */
const ENCODER = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000', '-af', 'aresample=async=1000']

const INPUT = [
  // Without `-fflags nobuffer`, which drops the packets that are read to find the tracks, and with them the key frame.
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-dts_delta_threshold', '1'],
  ...['-probesize', '2000000', '-analyzeduration', '1000000', '-fpsprobesize', '0', '-f', 'mpegts', '-i', 'pipe:0']
]
const OUTPUT = [
  // Five fragments a second, and one more at each key frame, so that a watcher can begin there.
  ...['-movflags', 'frag_keyframe+delay_moov+empty_moov+default_base_moof+skip_trailer', '-frag_duration', '200000'],
  // Video does not wait for audio that is missing or late.
  ...['-max_interleave_delta', '500000', '-use_editlist', '0', '-flush_packets', '1', '-f', 'mp4', 'pipe:1']
]

const isVideo = ({ type }: ElementaryStream) => VIDEO_CODECS[type] !== undefined

/** How an audio track reaches the pages. */
interface WatchAudio {
  pid: number
  /** Arguments of ffmpeg. */
  args: readonly string[]
  /** Whether it is decoded and encoded. */
  isConverted: boolean
}

/** The audio for the pages: the first track of AAC, else of Opus, else the first one that can be made AAC. */
function chooseAudio({ streams }: TsProgram): WatchAudio | undefined {
  const aac = streams.find(({ type }) => type === AAC)
  if (aac) return { pid: aac.pid, args: ['-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'], isConverted: false }
  const opus = streams.find((stream) => audioCodecName(stream) === OPUS)
  if (opus) return { pid: opus.pid, args: ['-c:a', 'copy'], isConverted: false }
  const other = streams.find((stream) => CONVERTED.includes(audioCodecName(stream)))
  return other && { pid: other.pid, args: ENCODER, isConverted: true }
}

/** Arguments of ffmpeg: the first video, which is copied, and the audio. */
function buildWatchArgs({ streams }: TsProgram, audio: WatchAudio | undefined): string[] {
  const video = streams.find(isVideo)
  return [
    // One thread decodes sound fast enough.
    ...(audio?.isConverted ? ['-threads', '1'] : []),
    ...INPUT,
    ...(video ? ['-map', `0:i:${video.pid}`] : []),
    ...(audio ? ['-map', `0:i:${audio.pid}`] : []),
    ...['-c:v', 'copy', ...(video?.type === HEVC ? ['-tag:v', 'hvc1'] : []), ...(audio?.args ?? [])],
    ...OUTPUT
  ]
}

/** Name of the codec of the first audio track that is left out; undefined if the program has no audio. */
const nameMissingAudio = ({ streams }: TsProgram): string | undefined =>
  streams.map(audioCodecName).find((name) => name !== undefined)
