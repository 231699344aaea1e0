// An output that a process carries: RTMP, SRT in caller mode, and SRT in listener mode if `headend-srt` is not installed.
import { CONNECTION_STATE, SOURCE_STATE, SRT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { targetHost } from '../../contract/stream/stream-hosts.ts'
import type { ObservedOutput } from '../interfaces/channel.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { LegCounters } from '../interfaces/leg-stats.ts'
import type { Output } from '../interfaces/output.ts'
import type { Stream } from '../interfaces/stream.ts'
import { Subscription } from '../legs/subscription.ts'
import { createPacketQueue, type PacketQueue } from '../mpegts/packet-queue.ts'
import { explainExit, failure } from '../process/failure.ts'
import { type Attempt, createSupervisor, type Supervisor } from '../process/supervisor.ts'
import { systemFailure } from '../process/system-failure.ts'
import { createSrtCall, type SrtCallProcess } from '../srt/caller.ts'
import { createSrtTotals } from '../srt/srt-totals.ts'
import { createMeter, observeActive } from '../stats/meter.ts'
import {
  buildOutputCommand,
  type OutputCommand,
  type ProcessOutputConfig,
  withTargetAddress
} from './output-command.ts'

/** Milliseconds for which a failure is shown while the next attempt has no result; less for a listener, which is soon ready again. */
const FAILURE_SHOWN = 5000
const LISTENER_FAILURE_SHOWN = 1000
/** Milliseconds without media after which null packets are sent, so that a player that has left is noticed. */
const NULL_PACKETS_AFTER = 1000

class ProcessOutput implements Output {
  readonly #wanted: ProcessOutputConfig
  readonly #context: EngineContext
  readonly #isListener: boolean
  readonly #meter = createMeter()
  readonly #srtTotals = createSrtTotals()
  readonly #supervisor: Supervisor
  readonly #subscription: Subscription
  #command: OutputCommand | undefined
  #queue: PacketQueue | undefined
  /** Whether the target is open. */
  #isOpen = false
  /** When media was last queued, and when the process last sent some. */
  #queuedAt = 0
  #sentAt = 0
  /** Bytes of media that the process has sent in this run. */
  #sentBytes = 0
  /** Bytes that the target has not acknowledged. */
  #pendingBytes = 0
  /** Number of runs that ended because probing was too short. */
  #shortProbes = 0
  #lastEndReason: Reason | undefined

  constructor(wanted: ProcessOutputConfig, context: EngineContext) {
    this.#wanted = wanted
    this.#context = context
    this.#isListener = wanted.protocol === SRT && wanted.config.mode === 'listener'
    this.#supervisor = createSupervisor({
      start: (attempt) => this.#start(attempt),
      lastRunMs: this.#meter.lastRunMs,
      onChange: context.onChange,
      whenReady: () => context.launcher.waitForStops(),
      now: context.now
    })
    this.#subscription = new Subscription({
      media: (data, starts, tables) => this.#queueMedia(data, starts, tables),
      end: () => this.#endStream()
    })
    if (this.#isListener) this.#supervisor.wake()
  }

  attach(stream: Stream): void {
    this.#subscription.attach(stream)
  }

  totalBytes(): number {
    return this.#meter.totalBytes()
  }

  counters(now: number): LegCounters {
    return { bytes: this.#meter.settledBytes(now), ...this.#srtTotals.counters(now) }
  }

  lastEndReason(): Reason | undefined {
    return this.#lastEndReason
  }

  observe(now: number): ObservedOutput {
    const droppedBytes = this.#queue?.droppedBytes()
    const extra = {
      ...(this.#isListener && { clientNum: this.#isOpen ? 1 : 0 }),
      ...(droppedBytes && { droppedBytes })
    }
    if (this.#isOpen && this.#meter.isActive(now)) return { ...extra, ...observeActive(this.#meter, now) }
    const state = this.#isOpen ? this.#observeSilent() : this.#observeClosed(now)
    return { kbps: 0, livingTimeS: 0, ...extra, ...state }
  }

  tick(now: number): void {
    const queue = this.#queue
    if (this.#supervisor.phase() !== 'running' || !queue) return
    const { stall, start } = this.#context.timeouts
    if (this.#isOpen) {
      if (this.#command?.isPassthrough && now - this.#queuedAt > NULL_PACKETS_AFTER) queue.sendNullPackets()
      if (!this.#isBehind()) this.#sentAt = Math.max(this.#sentAt, this.#queuedAt)
      else if (now - this.#sentAt > stall)
        this.#restart(CONNECTION_STATE.disconnected, `target-stuck-for ${Math.round(stall / 1000)}`)
    } else if (!this.#isListener && now - this.#supervisor.startedAt() > start)
      this.#restart(CONNECTION_STATE.failed, 'timed-out')
  }

  async stop(): Promise<void> {
    this.#subscription.cancel()
    this.#close()
    await this.#supervisor.park()
  }

  /** Queues media for the process, or starts it at a key frame. */
  #queueMedia(data: Buffer, starts: readonly number[], tables: Buffer): void {
    this.#queuedAt = this.#context.now()
    if (this.#queue) this.#queue.push(data, starts, tables)
    else if (starts.length > 0) this.#supervisor.wake()
  }

  /** Prepares for another stream: copied bytes need only start at a key frame, but remuxing must be set up again. */
  #endStream(): void {
    if (this.#command?.isPassthrough || this.#isListener) {
      if (this.#isOpen) this.#queue?.waitForKeyFrame()
    } else {
      this.#close()
      this.#supervisor.park()
    }
  }

  #close(): void {
    this.#queue = undefined
    this.#isOpen = false
  }

  #restart(connState: number, reason: Reason): void {
    this.#close()
    this.#supervisor.restart(failure(connState, reason))
  }

  async #start(attempt: Attempt): Promise<Process | undefined> {
    const target = await this.#resolveTarget(attempt)
    if (!target || !attempt.isCurrent()) return undefined
    const { launcher, outputHost, srtProgram, now } = this.#context
    const command = buildOutputCommand(target.output, outputHost, this.#shortProbes)
    this.#command = command
    this.#meter.reset()
    this.#sentBytes = 0
    this.#pendingBytes = 0
    const call = createSrtCall(command.srtCall, srtProgram(), {
      onOpen: () => this.#handleOpen(attempt, command),
      onStats: (stats) => {
        this.#srtTotals.add(stats, attempt, now())
        this.#countBytes(attempt, stats.bytes)
      }
    })
    const process = launcher.run({
      ...(call ? call.launch : this.#ffmpegLaunch(attempt, command, target.allowedHosts)),
      pipeStdin: true,
      onEnd: (lines) => this.#handleEnd(attempt, command, call, lines)
    })
    if (process.stdin) {
      const queue = createPacketQueue(process.stdin, () => this.#subscription.kbps())
      this.#queue = queue
      // The data that ffmpeg needs to open the target: null packets if it copies bytes, the stream if it probes.
      if (!command.isPassthrough) queue.waitForKeyFrame()
      else if (!call) queue.sendNullPackets()
    }
    return process
  }

  /** Applies the address policy to the target. If it is refused, ends the attempt and returns undefined. */
  async #resolveTarget(
    attempt: Attempt
  ): Promise<{ output: ProcessOutputConfig; allowedHosts: NonNullable<Launch['allowedHosts']> } | undefined> {
    const host = targetHost(this.#wanted)
    if (host === undefined) return { output: this.#wanted, allowedHosts: {} }
    try {
      const address = await this.#context.resolveHost(host)
      return { output: withTargetAddress(this.#wanted, address), allowedHosts: { [host]: address } }
    } catch (error) {
      attempt.end(systemFailure(error as Error))
      return undefined
    }
  }

  #ffmpegLaunch(attempt: Attempt, command: OutputCommand, allowedHosts: NonNullable<Launch['allowedHosts']>) {
    const { args, privateFile, hiddenArgs } = command
    return {
      args,
      privateFile,
      ...(hiddenArgs && { hiddenArgs, allowedHosts }),
      onProgress: (size: number, pending: number) => {
        this.#handleOpen(attempt, command)
        if (attempt.isCurrent()) this.#pendingBytes = pending
        this.#countBytes(attempt, size)
      }
    }
  }

  #handleOpen(attempt: Attempt, command: OutputCommand): void {
    if (!attempt.isCurrent() || this.#isOpen) return
    this.#isOpen = true
    this.#sentAt = this.#context.now()
    this.#supervisor.clearFailure()
    // Until now it has had only null packets. It starts with live media.
    if (command.isPassthrough) this.#queue?.waitForKeyFrame()
    this.#context.onChange()
  }

  /** @param size bytes that the process has sent in this run */
  #countBytes(attempt: Attempt, size: number): void {
    const bytes = size - (this.#queue?.nullPacketBytes() ?? 0)
    if (!attempt.isCurrent() || bytes <= this.#sentBytes) return
    const now = this.#context.now()
    if (!this.#meter.isActive(now)) this.#context.onChange()
    this.#meter.add(bytes - this.#sentBytes, now)
    this.#sentBytes = bytes
    this.#sentAt = now
  }

  #handleEnd(
    attempt: Attempt,
    command: OutputCommand,
    call: SrtCallProcess | undefined,
    lines: readonly string[]
  ): void {
    const wasOpen = this.#isOpen
    const { isListener, srtCall, secrets } = command
    this.#close()
    if (lines.some((line) => line.includes('Could not find codec parameters'))) this.#shortProbes++
    if (isListener && wasOpen) {
      this.#lastEndReason = 'client-left'
      attempt.end()
      return
    }
    const context = { opened: wasOpen, srtCaller: srtCall !== undefined, secrets }
    attempt.end(call?.failure() ?? explainExit(lines, context))
  }

  /** Whether the target has not taken all media. */
  #isBehind(): boolean {
    return this.#pendingBytes > 0 || (this.#queue?.queuedBytes() ?? 0) > 0
  }

  /** State of an open target that gets no media. */
  #observeSilent() {
    const isInputActive = this.#subscription.stream?.isActive()
    const reason: Reason | undefined = !isInputActive ? 'input-silent' : this.#isBehind() ? 'target-stuck' : undefined
    return {
      state: SOURCE_STATE.running,
      connState: CONNECTION_STATE.waitingForData,
      ...(reason && { reason })
    }
  }

  #observeClosed(now: number): Pick<ObservedOutput, 'state' | 'connState' | 'reason'> {
    const phase = this.#supervisor.phase()
    const lastFailure = this.#supervisor.failure()
    const shownFor = this.#isListener ? LISTENER_FAILURE_SHOWN : FAILURE_SHOWN
    if (lastFailure && !(phase === 'running' && now - this.#supervisor.startedAt() > shownFor)) return lastFailure
    if (this.#isListener) return { state: SOURCE_STATE.running, connState: CONNECTION_STATE.waiting }
    if (phase !== 'parked') return { state: SOURCE_STATE.adding, connState: CONNECTION_STATE.connecting }
    // It starts when there is media.
    const isInputActive = this.#subscription.stream?.isActive()
    return {
      ...(!isInputActive && { reason: 'input-silent' as const }),
      state: SOURCE_STATE.initializing,
      connState: CONNECTION_STATE.waiting
    }
  }
}

/** Creates an output that starts at the first key frame of its stream; a listener starts immediately. */
export const createProcessOutput = (wanted: ProcessOutputConfig, context: EngineContext): Output =>
  new ProcessOutput(wanted, context)
