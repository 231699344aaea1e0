// One input: receives the stream into a relay, which measures it and copies it to the outputs. This module decides when
// to start and to restart, and observes the state.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { RefusedCallers } from '../access/refused-callers.ts'
import type { ObservedLeg, PushSettings, WantedInput } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { ChangeReports, Deadlines, ReleaseWaits } from '../interfaces/leg-parts.ts'
import type { InputCommand, LegCounters } from '../interfaces/legs.ts'
import type {
  DatagramSource,
  Relay,
  RelayAddress,
  RelayReport,
  Stream,
  StreamUser,
  Tap,
  TapSubscription
} from '../interfaces/relay.ts'
import type { SrtStats } from '../interfaces/srt-stats.ts'
import { failure, orderFailure, systemFailure } from '../process/failure.ts'
import { type Attempt, Supervisor } from '../process/supervisor.ts'
import { feedAddress } from '../relay/relay-address.ts'
import { RelayHost } from '../relay/relay-host.ts'
import { createSrtCall, linkCall } from '../srt/caller.ts'
import { createSrtTotals } from '../srt/srt-totals.ts'
import { type AudioLevel, createAudioLevel } from '../stats/audio-level.ts'
import { createMeter, observeActive } from '../stats/meter.ts'
import { createOrigin, type OriginParts } from './create-origin.ts'
import {
  explainEnd,
  isOverRtp,
  isPassphraseRefused,
  isRtpPacketDropped,
  isTimestampReset,
  missedRtpPackets,
  uncarriedCodec
} from './ffmpeg-messages.ts'
import { observeInactive, observeUnavailable } from './observe-input.ts'
import { inputKey, type Origin, originKey } from './origin.ts'
import { SourceCounts } from './source-counts.ts'
import type { TrackKinds } from './track-watch.ts'

export type InputParts = OriginParts & Deadlines & ChangeReports & ReleaseWaits

/** Milliseconds between two ticks from which this process was stopped, so that it has not read what has arrived. */
const PAUSE = 3000
/** Milliseconds without other packets after which the sender has restarted. */
const RTP_DROPPED_ONLY = 1000

const NOT_MPEG_TS = failure(CONNECTION_STATE.streamFailed, 'not-mpeg-ts')

/** An input, which may be used by several channels. Times are milliseconds of `Clock.now`. */
export class Input implements Stream {
  /** Inputs with the same key are the same program of the same origin. */
  readonly key: string
  readonly #wanted: WantedInput
  readonly #context: InputParts
  readonly #origin: Origin
  readonly #meter = createMeter()
  readonly #counts = new SourceCounts()
  readonly #srtTotals = createSrtTotals()
  readonly #relay: RelayHost
  readonly #audioLevel: AudioLevel
  readonly #supervisor: Supervisor
  #command: InputCommand | undefined
  /** Codecs of the tracks of this run that MPEG-TS cannot carry. */
  #uncarried: string[] = []
  /** RTP packets that ffmpeg has missed. */
  #missedPackets = 0
  readonly #refusedCallers: RefusedCallers
  /** When ffmpeg last reported dropped RTP packets. */
  #rtpDroppedAt = 0
  /** Whether it is restarting with other push settings. */
  #isReconfiguring = false
  #isStopped = false
  /** Media socket of the relay of the engine before, which this input is to continue. */
  #continued: string | undefined
  /** Where that relay hands its port over. */
  #sourceAddress: RelayAddress | undefined
  /** When it was last ticked, and when this process went on after it was stopped. */
  #tickedAt = Number.POSITIVE_INFINITY
  #resumedAt = 0

  /**
   * Creates an input, which starts as soon as its origin is available.
   * @param continued media socket of the relay of another engine whose datagrams it continues
   */
  constructor(wanted: WantedInput, context: InputParts, continued?: string) {
    this.#continued = continued
    this.key = inputKey(wanted)
    this.#wanted = wanted
    this.#context = context
    this.#origin = createOrigin(wanted, context)
    this.#refusedCallers = new RefusedCallers(context.now)
    this.#relay = new RelayHost({
      launcher: context.launcher,
      onReport: (report) => this.#handleReport(report),
      onExit: (failure) => this.#handleRelayExit(failure)
    })
    this.#audioLevel = createAudioLevel(this, context)
    this.#supervisor = new Supervisor({
      start: (attempt) => this.#start(attempt),
      // Of the pauses, only the first and shortest one follows the loss of a source that is waited for.
      lastRunMs: () => (this.#command?.hasLostSource?.() ? Number.POSITIVE_INFINITY : this.#meter.lastRunMs()),
      onChange: context.onChange,
      whenReady: async () => {
        await Promise.all([context.launcher.waitForStops(), context.whenReleased(originKey(wanted))])
      },
      now: context.now
    })
    if (this.#origin.isAvailable()) this.#supervisor.wake()
  }

  subscribe(tap: Tap, options?: TapSubscription, from?: Stream): () => void {
    return this.#relay.subscribe(tap, options, from)
  }

  addUser(user: StreamUser, from?: Stream): () => void {
    return this.#relay.addUser(user, from)
  }

  release(receiver: StreamUser | Tap): Relay | undefined {
    return this.#relay.release(receiver)
  }

  kbps(): number {
    return this.#meter.kbps(this.#context.now())
  }

  isActive(): boolean {
    return this.#meter.isActive(this.#context.now())
  }

  lastMediaAt(): number | undefined {
    return this.#meter.lastByteAt()
  }

  /** Bytes of MPEG-TS received so far. */
  totalBytes(): number {
    return this.#meter.totalBytes()
  }

  /**
   * Peak level of each audio channel in dBFS; undefined without audio. Measured only while it is read every few
   * seconds.
   */
  audioLevels(now: number): number[] | undefined {
    return this.#audioLevel.read(now)
  }

  counters(now: number): LegCounters {
    const wanted = this.#wanted
    return {
      bytes: this.#meter.settledBytes(now),
      ...this.#srtTotals.counters(now),
      ...(wanted.kind === 'url' && isOverRtp(wanted.url) && { lost: this.#missedPackets + this.#counts.lost }),
      ...(this.#command && !this.#command.isRemuxed && { gaps: this.#counts.gaps, transport: this.#counts.transport() })
    }
  }

  observe(now: number): ObservedLeg {
    if (!this.#origin.isAvailable()) return observeUnavailable(this.#wanted, this.#context)
    const isRunning = this.#supervisor.phase() === 'running'
    if (isRunning && this.#meter.isActive(now))
      return { ...observeActive(this.#meter, now), ...this.#counts.describeSource(now, this.#uncarried) }
    const status = observeInactive({
      wanted: this.#wanted,
      command: this.#command,
      isDevice: this.#origin.isDevice,
      failure: this.#supervisor.failure(),
      runMs: isRunning ? now - this.#supervisor.startedAt() : undefined,
      refusal: this.#refusedCallers.last(),
      hadMedia: this.#meter.lastByteAt() !== undefined,
      isInvalid: this.#counts.isInvalid(now),
      isReconfiguring: this.#isReconfiguring,
      isStuck: this.#relay.isStuck() || this.#supervisor.isStuck()
    })
    return { kbps: 0, livingTimeS: 0, ...status }
  }

  /**
   * The tracks that arrive, and those that have vanished. Of a device without an input signal all are missing: it sends
   * a picture of its own.
   */
  trackKinds(): TrackKinds {
    const kinds = this.#counts.trackKinds()
    const hasNoSignal = this.#wanted.kind === 'device' && (this.#context.hasNoSignal?.(this.#wanted.sn) ?? false)
    return hasNoSignal ? { live: [], missing: [...new Set([...kinds.live, ...kinds.missing])], hasNoSignal } : kinds
  }

  /** Call about twice a second. */
  tick(now: number): void {
    this.#audioLevel.tick(now)
    if (now - this.#tickedAt > PAUSE) this.#resumedAt = now
    this.#tickedAt = now
    if (this.#supervisor.phase() !== 'running') return
    const lastByteAt = this.#meter.lastByteAt()
    if (lastByteAt === undefined) this.#checkStart(now)
    else this.#checkStall(now, lastByteAt)
  }

  /** Restarts the input if a device is to push with other settings. */
  changePushSettings(push: PushSettings | undefined): void {
    if (!this.#origin.changePushSettings(push) || this.#supervisor.phase() === 'parked') return
    this.#isReconfiguring = true
    this.#restart()
  }

  /** The origin appeared or disappeared: a device went online or offline, or a publisher connected or left. */
  onOriginChange(): void {
    if (this.#isStopped) return
    if (this.#origin.isAvailable()) this.#supervisor.wake(true)
    else {
      this.#relay.endStream()
      this.#supervisor.park()
    }
    this.#context.onChange()
  }

  /** Where the relay of the engine before hands its port over; undefined if this input does not continue one. */
  sourceAddress(): RelayAddress | undefined {
    return this.#sourceAddress
  }

  /** Media socket of its relay while that receives datagrams, for the input of the next engine. */
  mediaSocket(): string | undefined {
    const isReceiving = this.#command?.datagrams && this.#supervisor.phase() === 'running'
    return isReceiving ? this.#relay.relay?.socketPath : undefined
  }

  /** Hands the port over to the input of the next engine. Rejects if it cannot be handed over. */
  async handOverSource(address: RelayAddress): Promise<void> {
    await this.#relay.relay?.moveSource(address)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#relay.endStream()
    this.#audioLevel.stop()
    await Promise.all([this.#supervisor.park(), this.#origin.release(), this.#relay.stop()])
  }

  async #start(attempt: Attempt): Promise<Process | undefined> {
    const command = await this.#origin.command().catch((error: Error) => attempt.end(systemFailure(error)))
    if (!command || !attempt.isCurrent()) return undefined
    const relay = await this.#relay.open()
    if (!attempt.isCurrent()) return undefined
    relay.selectProgram(this.#wanted.program)
    this.#command = command
    if (command.datagrams) return this.#receiveDatagrams(relay, command.datagrams, attempt)
    return this.#startProcess(command, relay, attempt)
  }

  async #startProcess(command: InputCommand, relay: Relay, attempt: Attempt): Promise<Process> {
    const { srtProgram, now } = this.#context
    const { args, secrets, hiddenArgs, allowedHosts, verification } = command
    const onSrtStats = (stats: SrtStats) => this.#srtTotals.add(stats, attempt, now())
    let process: Process | undefined
    const call = createSrtCall(command.srtCall, srtProgram(), {
      onOpen: () => linkCall(process, feedAddress(relay)),
      onStats: onSrtStats
    })
    const launch = call
      ? call.launch
      : {
          args,
          ...(hiddenArgs && { hiddenArgs }),
          ...(allowedHosts && { allowedHosts }),
          ...(verification && { verification })
        }
    const run = {
      ...launch,
      onSrtStats,
      onRefusal: (reason: Reason, address: string) => this.#handleRefusal(reason, address),
      onStderrLine: (text: string) => this.#handleStderrLine(text, attempt),
      onEnd: (lines: readonly string[]) => {
        this.#relay.endStream()
        attempt.end(explainEnd(lines, this.#wanted, command, call, this.#meter.lastByteAt() !== undefined))
      }
    }
    process = call ? this.#context.launcher.run(run) : await this.#origin.run(run, relay)
    this.#startRun()
    this.#origin.onStarted().catch((error: Error) => {
      if (attempt.isCurrent()) attempt.end(orderFailure(error, secrets))
    })
    return process
  }

  /** Receives datagrams without a process. Rejects if the port cannot be opened. */
  async #receiveDatagrams(relay: Relay, source: DatagramSource, attempt: Attempt): Promise<Process | undefined> {
    try {
      if (this.#continued === undefined) await relay.openDatagrams(source)
      else this.#continueDatagrams(relay, this.#continued, source.rtp, attempt)
    } catch (error) {
      attempt.end(systemFailure(Object.assign(error as Error, { port: source.port })))
      return undefined
    }
    this.#startRun()
    return { pid: undefined, stdin: undefined, stop: async () => relay.closeSource() }
  }

  /** Continues the relay of another engine, and opens the port itself if that does not hand it over. */
  #continueDatagrams(relay: Relay, path: string, rtp: boolean, attempt: Attempt): void {
    this.#continued = undefined
    const { address, opened } = relay.continueDatagrams(path, rtp)
    this.#sourceAddress = address
    opened
      .catch(() => attempt.end())
      .finally(() => {
        this.#sourceAddress = undefined
      })
  }

  /** Starts to measure a run. What the relay has reported until now belongs to the run before. */
  #startRun(): void {
    this.#meter.reset()
    this.#uncarried = []
    this.#counts.startRun()
  }

  #handleReport({ source }: RelayReport): void {
    const bytes = this.#counts.add(source, this.#context.now())
    if (bytes > 0) this.#countBytes(bytes)
  }

  #handleRelayExit(failure: Failure): void {
    this.#counts.startRelay()
    if (this.#supervisor.phase() !== 'parked') this.#supervisor.restart(failure)
  }

  #countBytes(bytes: number): void {
    const now = this.#context.now()
    const wasActive = this.#meter.isActive(now)
    this.#meter.add(bytes, now)
    if (wasActive) return
    this.#supervisor.clearFailure()
    this.#isReconfiguring = false
    this.#refusedCallers.clear()
    this.#context.onChange()
  }

  #handleStderrLine(text: string, attempt: Attempt): void {
    const { now } = this.#context
    this.#missedPackets += missedRtpPackets(text)
    const uncarried = uncarriedCodec(text)
    if (uncarried !== undefined) this.#uncarried.push(uncarried)
    if (isRtpPacketDropped(text)) this.#rtpDroppedAt = now()
    if (attempt.isCurrent() && isTimestampReset(text)) return void this.#restart()
    if (isPassphraseRefused(text)) this.#handleRefusal('wrong-passphrase', '')
  }

  /** A caller that is refused while another one sends does not matter. */
  #handleRefusal(reason: Reason, address: string): void {
    if (!this.#meter.isActive(this.#context.now()) && this.#refusedCallers.record(reason, address))
      this.#context.onChange()
  }

  #restart(failure?: Failure): void {
    this.#relay.endStream()
    this.#supervisor.restart(failure)
  }

  /** Restarts a run whose media stopped. */
  #checkStall(now: number, lastByteAt: number): void {
    const { stall } = this.#context.timeouts
    if (this.#rtpDroppedAt > lastByteAt && now - this.#rtpDroppedAt > RTP_DROPPED_ONLY) this.#restart()
    else if (now - Math.max(lastByteAt, this.#resumedAt) <= stall) return
    else if (this.#counts.isInvalid(now)) this.#restart(NOT_MPEG_TS)
    else if (this.#command?.isConnectionless) this.#restart()
    else this.#restart(failure(CONNECTION_STATE.disconnected, `no-data-for ${Math.round(stall / 1000)}`))
  }

  /** Restarts a run that has had no media since it started. */
  #checkStart(now: number): void {
    if (now - Math.max(this.#supervisor.startedAt(), this.#resumedAt) <= this.#context.timeouts.start) return
    if (this.#counts.isInvalid(now)) this.#supervisor.restart(NOT_MPEG_TS)
    else if (this.#origin.isDevice) this.#supervisor.restart(failure(CONNECTION_STATE.failed, 'device-silent'))
    else if (!this.#command?.isListener && !this.#command?.isConnectionless)
      this.#supervisor.restart(failure(CONNECTION_STATE.failed, 'nothing-received'))
  }
}
