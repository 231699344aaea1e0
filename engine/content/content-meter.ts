// Measures the pictures and the sound of a stream for all channels that check it. A separate ffmpeg gets the stream
// from the relay, decodes only key frames of the video and all of the first audio track, and scales the pictures to
// 128 x 72. It takes about 0.5 % of a processor (1080p25 with 5 Mbps, a key frame every two seconds). The relay drops
// packets for it when it is too slow, so that nothing else is disturbed.
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import type { Process } from '../interfaces/launcher.ts'
import type { Processes } from '../interfaces/leg-parts.ts'
import type { Relay, RelayReport, Stream, StreamUser } from '../interfaces/relay.ts'
import { RelayReceiver } from '../legs/relay-receiver.ts'
import { DECODE_OPTIONS, STDIN_OPTIONS } from '../process/side-decoder.ts'
import type { TurnMember } from './meter-turns.ts'
import { HEIGHT, PictureMeter, type PictureSample, WIDTH } from './picture-meter.ts'
import { SOUND_FILTERS, SoundMeter, type SoundSample } from './sound-meter.ts'

/** Milliseconds before another attempt after the process has ended. */
const RETRY_AFTER = 10_000
/** Milliseconds without a measurement after which the process is replaced. Key frames can be rare. */
const SILENT_AFTER = 40_000

/** Arguments of ffmpeg: pictures leave at stdout, and the measurements of the sound as lines at stderr. */
export const METER_ARGS = [
  ...DECODE_OPTIONS,
  ...['-skip_frame:v', 'nokey'],
  ...STDIN_OPTIONS,
  ...['-map', '0:v:0?', '-vf', `scale=${WIDTH}:${HEIGHT}:flags=area,format=yuv420p`],
  ...['-fps_mode', 'passthrough', '-threads', '1', '-f', 'rawvideo', 'pipe:1'],
  ...['-map', '0:a:0?', '-af', SOUND_FILTERS, '-f', 'null', '-']
]

/** Nice value of the process: streams get the processor first. */
const NICENESS = 10

/** Receives the measurements of a stream. */
export interface ContentListener {
  addPicture(sample: PictureSample, now: number): void
  addSound(sample: SoundSample, now: number): void
}

export class ContentMeter implements StreamUser, TurnMember {
  readonly listeners = new Set<ContentListener>()
  readonly #context: Processes
  readonly #receiver = new RelayReceiver({ fromCache: true })
  readonly #pictures = new PictureMeter((sample) => this.#measured((each, now) => each.addPicture(sample, now)))
  readonly #removeUser: () => void
  #relay: Relay | undefined
  #process: Process | undefined
  #isStarting = false
  /** Whether it has a turn. */
  #isRunning = false
  /** Whether the relay carries media. */
  #isCarrying = false
  #nextStart = Number.NEGATIVE_INFINITY
  #measuredAt = 0

  constructor(stream: Pick<Stream, 'addUser'>, context: Processes) {
    this.#context = context
    this.#removeUser = stream.addUser(this)
  }

  attachRelay(relay: Relay): void {
    this.#relay = relay
  }

  detachRelay(): void {
    this.#stop()
    this.#isCarrying = false
    this.#relay = undefined
  }

  /** Another stream does not continue the one that is checked. */
  moveRelay(relay: Relay): void {
    this.detachRelay()
    this.attachRelay(relay)
  }

  handleReport(report: RelayReport): void {
    this.#isCarrying = report.source.isCarrying
  }

  /** The process has ended by itself, or does so now. The next stream can have other pictures. */
  handleStreamEnd(): void {
    this.#stop()
    this.#isCarrying = false
    this.#nextStart = Number.NEGATIVE_INFINITY
  }

  setRunning(isRunning: boolean): void {
    this.#isRunning = isRunning
    if (!isRunning) this.#stop()
    this.#nextStart = Number.NEGATIVE_INFINITY
  }

  /** Call about twice a second. */
  tick(now: number): void {
    if (this.#process && now - this.#measuredAt > SILENT_AFTER) this.#stop()
    if (this.#isRunning && this.#isCarrying && !this.#process && !this.#isStarting && now >= this.#nextStart)
      void this.#start(now)
  }

  close(): void {
    this.#isRunning = false
    this.#removeUser()
    this.#stop()
  }

  async #start(now: number): Promise<void> {
    const relay = this.#relay
    if (!relay) return
    this.#isStarting = true
    this.#nextStart = now + RETRY_AFTER
    try {
      const socket = await this.#receiver.subscribeProcess(relay)
      // It was detached, or its turn ended.
      if (this.#relay === relay && this.#isRunning && this.#isCarrying) this.#launch(socket)
      else socket.destroy()
    } catch {
      // The relay has ended, which the input reports. A missing ffmpeg is reported by `Launcher.listMissing`.
    } finally {
      this.#isStarting = false
    }
  }

  #launch(stdinSocket: Socket): void {
    const sound = new SoundMeter((sample) => this.#measured((each, now) => each.addSound(sample, now)))
    this.#pictures.restart()
    this.#measuredAt = this.#context.now()
    // The output of a process that was stopped is discarded.
    const process = this.#context.launcher.run({
      args: METER_ARGS,
      stdinSocket,
      onStdout: (chunk) => this.#pictures.push(chunk),
      onStderrLine: (line) => sound.push(line),
      onEnd: () => {
        if (this.#process === process) this.#stop()
      }
    })
    this.#process = process
    lowerPriority(process)
  }

  #measured(send: (listener: ContentListener, now: number) => void): void {
    this.#measuredAt = this.#context.now()
    for (const listener of this.listeners) send(listener, this.#measuredAt)
  }

  #stop(): void {
    this.#receiver.detachRelay()
    void this.#process?.stop()
    this.#process = undefined
  }
}

function lowerPriority({ pid }: Process): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // It has ended, or a sandbox forbids it: it then runs as all programs do.
  }
}
