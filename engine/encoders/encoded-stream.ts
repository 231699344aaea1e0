// A stream whose audio one ffmpeg encodes for all outputs that want it so; video is copied. It has a relay of its own,
// to which the outputs subscribe as to that of an input.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { ChangeReports, Deadlines, Processes } from '../interfaces/leg-parts.ts'
import type { Relay, RelayReport, Stream, StreamUser, Tap, TapSubscription } from '../interfaces/relay.ts'
import { RelayReceiver } from '../legs/relay-receiver.ts'
import { Subscription } from '../legs/subscription.ts'
import { explainExit, failure, PROGRAM_STUCK, programFailure } from '../process/failure.ts'
import { type Attempt, Supervisor } from '../process/supervisor.ts'
import { runIntoRelay } from '../relay/relay-address.ts'
import { RelayHost } from '../relay/relay-host.ts'
import { createMeter } from '../stats/meter.ts'
import { type AudioProfile, encoderArgs } from './audio-profile.ts'

export type EncoderParts = Processes & Deadlines & ChangeReports

/**
 * Share of time for which a program waited for a processor, from which no encoder starts that has not run before. One
 * that was on air starts again in any case.
 */
const BUSY_FROM = 0.7
const NO_PROCESSOR = failure(CONNECTION_STATE.creationFailed, 'encoder-waits')

export class EncodedStream implements Stream, StreamUser {
  readonly #profile: AudioProfile
  readonly #context: EncoderParts
  readonly #meter = createMeter()
  readonly #host: RelayHost
  readonly #supervisor: Supervisor
  readonly #subscription = Subscription.ofUser(this)
  /** The relay of the source, and the connection of the process to it. */
  #relay: Relay | undefined
  #receiver: RelayReceiver | undefined
  /** Of the source: bytes, key frames, and the key frames before the current stream. */
  #sourceBytes = 0
  #starts = 0
  #startsBefore = 0
  /** Bytes that the relay of the encoded stream has reported. */
  #encodedBytes = 0
  /** Since when the process has written nothing although it gets media. */
  #silentSince: number | undefined
  #hasRun = false

  constructor(profile: AudioProfile, context: EncoderParts) {
    this.#profile = profile
    this.#context = context
    this.#host = new RelayHost({
      launcher: context.launcher,
      onReport: ({ source }) => this.#count(source.bytes),
      onExit: (reason) => this.#handleRelayExit(reason)
    })
    this.#supervisor = new Supervisor({
      start: (attempt) => this.#start(attempt),
      lastRunMs: this.#meter.lastRunMs,
      onChange: context.onChange,
      whenReady: () => context.launcher.waitForStops(),
      now: context.now
    })
  }

  /** Encodes another stream. */
  attach(source: Stream): void {
    this.#subscription.attach(source)
  }

  /** Why nothing is encoded; undefined while the source has no media. */
  problem(): Failure | undefined {
    if (this.#host.isStuck() || this.#supervisor.isStuck()) return PROGRAM_STUCK
    return this.#subscription.stream?.isActive() ? this.#supervisor.failure() : undefined
  }

  /** Call about twice a second. Restarts a process that writes nothing. */
  tick(now: number): void {
    if (this.#supervisor.phase() !== 'running' || this.#silentSince === undefined) return
    const { start, stall } = this.#context.timeouts
    const limit = this.#meter.lastByteAt() === undefined ? start : stall
    if (now - this.#silentSince <= limit) return
    this.#endRun()
    this.#supervisor.restart(PROGRAM_STUCK)
  }

  async stop(): Promise<void> {
    this.#subscription.cancel()
    this.#endRun()
    await Promise.all([this.#supervisor.park(), this.#host.stop()])
  }

  subscribe(tap: Tap, options?: TapSubscription, from?: Stream): () => void {
    return this.#host.subscribe(tap, options, from)
  }

  addUser(user: StreamUser, from?: Stream): () => void {
    return this.#host.addUser(user, from)
  }

  release(receiver: StreamUser | Tap): Relay | undefined {
    return this.#host.release(receiver)
  }

  kbps(): number {
    return this.#meter.kbps(this.#context.now())
  }

  lastMediaAt(): number | undefined {
    return this.#meter.lastByteAt()
  }

  isActive(): boolean {
    return this.#meter.isActive(this.#context.now())
  }

  attachRelay(relay: Relay): void {
    this.#setRelay(relay)
  }

  detachRelay(): void {
    this.#relay = undefined
    this.handleStreamEnd()
  }

  moveRelay(relay: Relay): void {
    this.#setRelay(relay)
    this.#receiver?.moveRelay(relay)
  }

  /** Starts the process at a key frame of the source. */
  handleReport(report: RelayReport): void {
    const { bytes, starts, isCarrying } = report.source
    if (bytes > this.#sourceBytes && this.#receiver) this.#silentSince ??= this.#context.now()
    this.#sourceBytes = bytes
    this.#starts = starts
    this.#receiver?.handleReport(report)
    if (isCarrying && starts > this.#startsBefore) this.#supervisor.wake()
  }

  /** The next stream can have other tracks. */
  handleStreamEnd(): void {
    this.#startsBefore = this.#starts
    this.#endRun()
    this.#supervisor.park()
  }

  /** Each relay counts from 0. */
  #setRelay(relay: Relay): void {
    this.#relay = relay
    this.#sourceBytes = 0
    this.#starts = 0
    this.#startsBefore = 0
  }

  async #start(attempt: Attempt): Promise<Process | undefined> {
    const { launcher } = this.#context
    if (!this.#hasRun && launcher.processorWait() >= BUSY_FROM) {
      attempt.end(NO_PROCESSOR)
      return undefined
    }
    const encoded = await this.#host.open()
    const source = this.#relay
    if (!attempt.isCurrent()) return undefined
    if (!source) {
      this.#supervisor.park()
      return undefined
    }
    const types = source.report().source.programs.flatMap(({ streams }) => streams)
    const receiver = new RelayReceiver({ fromCache: false })
    const stdin = await receiver.subscribeProcess(source)
    try {
      if (!attempt.isCurrent()) return undefined
      this.#meter.reset()
      const launch = {
        args: encoderArgs(this.#profile, types),
        stdinSocket: stdin,
        onEnd: (lines: readonly string[]) => this.#handleEnd(attempt, lines)
      }
      const process = await runIntoRelay(launcher, launch, encoded)
      if (attempt.isCurrent()) this.#receiver = receiver
      return process
    } finally {
      stdin.destroy()
    }
  }

  #handleEnd(attempt: Attempt, lines: readonly string[]): void {
    if (!attempt.isCurrent()) return
    this.#endRun()
    attempt.end(this.#explain(lines))
  }

  #explain(lines: readonly string[]): Failure {
    const programFault = programFailure(lines)
    if (programFault) return programFault
    const { track } = this.#profile
    if (track > 0 && lines.some((line) => line.includes('matches no streams')))
      return failure(CONNECTION_STATE.streamFailed, `audio-track-lost ${track}`)
    // A source that ends closes the input of the process.
    const context = { opened: this.#hasRun, srtCaller: false, secrets: [] }
    const { reason } = explainExit(lines, context)
    return failure(CONNECTION_STATE.streamFailed, reason === 'other-end' ? 'input-silent' : 'encoder-failed')
  }

  /** What was encoded so far has ended. */
  #endRun(): void {
    this.#receiver?.detachRelay()
    this.#receiver = undefined
    this.#silentSince = undefined
    this.#host.endStream()
  }

  #handleRelayExit(reason: Failure): void {
    this.#encodedBytes = 0
    this.#receiver = undefined
    this.#silentSince = undefined
    if (this.#supervisor.phase() !== 'parked') this.#supervisor.restart(reason)
  }

  /** @param bytes that the relay of the encoded stream has received so far */
  #count(bytes: number): void {
    if (bytes <= this.#encodedBytes) return
    const { now, onChange } = this.#context
    const wasActive = this.isActive()
    this.#meter.add(bytes - this.#encodedBytes, now())
    this.#encodedBytes = bytes
    this.#silentSince = undefined
    this.#hasRun = true
    if (wasActive) return
    this.#supervisor.clearFailure()
    onChange()
  }
}
