// An output as NDI source: ffmpeg decodes the stream, and `headend-ndi` passes video and audio to the NDI runtime. The
// source exists while the input is active. Bytes count only while a receiver is connected.
import type { Socket } from 'node:net'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { NdiOutput } from '../../contract/stream/source.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { Deadlines, Processes } from '../interfaces/leg-parts.ts'
import type { Ndi, NdiRuntime } from '../interfaces/ndi.ts'
import type { Stream } from '../interfaces/relay.ts'
import type { Carrier, CarrierContext, OpenCarrier } from '../legs/carrier.ts'
import { Subscription } from '../legs/subscription.ts'
import { createPacketQueue, type PacketQueue } from '../mpegts/packet-queue.ts'
import { explainExit, failure, ndiFailure, systemFailure } from '../process/failure.ts'

/**
 * From MPEG-TS to the raw media that `headend-ndi` takes. It sends only progressive frames, so interlaced video is
 * deinterlaced.
 */
const DECODE_ARGS = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'warning'],
  ...['-probesize', '5000000', '-analyzeduration', '1000000', '-f', 'mpegts', '-i', 'pipe:0'],
  ...['-map', '0:v:0?', '-map', '0:a:0?', '-vf', 'yadif=deint=interlaced'],
  // Frames keep their times, instead of moving to a grid of the nominal rate.
  ...['-fps_mode', 'passthrough', '-enc_time_base:v', '1:90000'],
  ...['-c:v', 'rawvideo', '-pix_fmt', 'uyvy422', '-c:a', 'pcm_f32le', '-ar', '48000'],
  ...['-f', 'matroska', '-flush_packets', '1', 'pipe:1']
]

/** One process with its queue. */
interface Run {
  process: Process
  queue: PacketQueue | undefined
  startedAt: number
  /** Whether the source is announced. */
  isOpen: boolean
  /** Bytes that the process has read, and when it last read some. */
  readBytes: number
  readAt: number
}

class NdiSender implements Carrier {
  readonly #args: readonly string[]
  readonly #program: string
  readonly #name: string
  readonly #config: NdiOutput
  readonly #context: Processes & Deadlines & { ndi: Ndi }
  readonly #output: CarrierContext
  readonly #subscription = Subscription.ofTap({
    media: (data, starts, tables) => this.#push(data, starts, tables),
    end: () => this.#end()
  })
  #run: Run | undefined
  #receivers = 0
  /** Bytes dropped in earlier runs. */
  #droppedBytes = 0
  #isClosed = false
  /** The end of the previous process, which still uses the source name. */
  #stopping: Promise<void> | undefined

  constructor(
    name: string,
    config: NdiOutput,
    runtime: NdiRuntime,
    context: Processes & Deadlines & { ndi: Ndi },
    output: CarrierContext
  ) {
    const { library, ffmpeg, program } = runtime
    this.#name = name
    this.#config = config
    this.#args = ['send', library, name, config.group ?? '', ffmpeg, ...DECODE_ARGS]
    this.#program = program
    this.#context = context
    this.#output = output
  }

  attach(stream: Stream): void {
    this.#subscription.attach(stream)
  }

  #push(data: Buffer, starts: readonly number[], tables: Buffer): void {
    if (!this.#run && !this.#stopping && !this.#isClosed && starts.length > 0) {
      try {
        this.#start()
      } catch (error) {
        this.#output.onFailure(systemFailure(error as Error))
      }
    }
    this.#run?.queue?.push(data, starts, tables)
  }

  #end(): void {
    const run = this.#run
    if (!run) return
    this.#run = undefined
    this.#receivers = 0
    this.#droppedBytes += run.queue?.droppedBytes() ?? 0
    const stopped = run.process.stop().finally(() => {
      if (this.#stopping === stopped) this.#stopping = undefined
    })
    this.#stopping = stopped
    this.#output.onChange()
  }

  playerCount(): number {
    return this.#receivers
  }

  isWaiting(): boolean {
    return this.#run?.isOpen === true && this.#receivers === 0
  }

  problem(): Failure | undefined {
    if (this.#run) return undefined
    return { state: SOURCE_STATE.running, connState: CONNECTION_STATE.waitingForData, reason: 'input-silent' }
  }

  droppedBytes(): number {
    return this.#droppedBytes + (this.#run?.queue?.droppedBytes() ?? 0)
  }

  tick(): void {
    const run = this.#run
    // Node implements the pipe of a child process as a socket.
    const input = run?.process.stdin as Socket | undefined
    if (!run || !input) return
    const { now, timeouts } = this.#context
    const time = now()
    const readBytes = input.bytesWritten - input.writableLength
    if (readBytes > run.readBytes || input.writableLength === 0) run.readAt = time
    run.readBytes = readBytes
    const stallSeconds = Math.round(timeouts.stall / 1000)
    if (time - run.readAt > timeouts.stall)
      this.#output.onFailure(failure(CONNECTION_STATE.disconnected, `target-stuck-for ${stallSeconds}`))
    else if (!run.isOpen && time - run.startedAt > timeouts.start)
      this.#output.onFailure(failure(CONNECTION_STATE.failed, 'timed-out'))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#subscription.cancel()
    this.#end()
    await this.#stopping
  }

  #start(): void {
    const { launcher, ndi, now } = this.#context
    let lastFailure: Failure | undefined
    const process = launcher.run({
      program: this.#program,
      args: this.#args,
      ...ndi.openConfig({ role: 'send', name: this.#name, transport: this.#config }),
      pipeStdin: true,
      onMessage: (text) => {
        const message = JSON.parse(text)
        if (message.open) run.isOpen = true
        if (message.connections !== undefined) this.#receivers = message.connections
        if (message.sent !== undefined && this.#receivers > 0) this.#output.onBytes(message.sent)
        if (message.failed) lastFailure = ndiFailure(message.failed)
        this.#output.onChange()
      },
      onEnd: (lines) => {
        if (this.#run !== run) return
        this.#run = undefined
        const context = { opened: run.isOpen, srtCaller: false, secrets: [] }
        this.#output.onFailure(lastFailure ?? explainExit(lines, context))
      }
    })
    const queue = process.stdin && createPacketQueue(process.stdin, this.#output.inputKbps)
    queue?.waitForKeyFrame()
    const run: Run = { process, queue, startedAt: now(), isOpen: false, readBytes: 0, readAt: now() }
    this.#run = run
  }
}

/** @param name name of the source, which the network shows as `MACHINE (name)` */
export function createNdiOutput(
  name: string,
  config: NdiOutput,
  context: Processes & Deadlines & { ndi: Ndi }
): OpenCarrier {
  return async (output) => new NdiSender(name, config, await context.ndi.findRuntime(), context, output)
}
