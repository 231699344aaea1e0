// One input: runs the process that receives the stream, measures it, and passes it to subscribers.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { ObservedLeg, PushSettings, WantedInput } from '../interfaces/channel.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { Failure } from '../interfaces/failure.ts'
import type { Input } from '../interfaces/input.ts'
import type { InputCommand } from '../interfaces/input-command.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { LegCounters } from '../interfaces/leg-stats.ts'
import type { SrtStats } from '../interfaces/srt-stats.ts'
import type { Tap } from '../interfaces/stream.ts'
import { createTsReader } from '../mpegts/ts-reader.ts'
import { explainExit, failure, orderFailure } from '../process/failure.ts'
import { type Attempt, createSupervisor, type Supervisor } from '../process/supervisor.ts'
import { systemFailure } from '../process/system-failure.ts'
import { createSrtCall, type SrtCallProcess } from '../srt/caller.ts'
import { createSrtTotals } from '../srt/srt-totals.ts'
import { type AudioLevel, createAudioLevel } from '../stats/audio-level.ts'
import { createMeter, observeActive } from '../stats/meter.ts'
import { createOrigin } from './create-origin.ts'
import {
  isOverRtp,
  isPassphraseRefused,
  isRtpPacketDropped,
  isTimestampReset,
  missedRtpPackets
} from './ffmpeg-messages.ts'
import { type Origin, originKey } from './origin.ts'

/** Milliseconds for which a failure is shown while the next attempt has no result; less for a listener, which is soon ready again. */
const FAILURE_SHOWN = 5000
const LISTENER_FAILURE_SHOWN = 1000
/** Milliseconds for which a refused caller is shown. */
const REFUSAL_SHOWN = 10_000
/** Milliseconds without other packets after which the sender has restarted. */
const RTP_DROPPED_ONLY = 1000

class SupervisedInput implements Input {
  readonly key: string
  readonly taps = new Set<Tap>()
  readonly #wanted: WantedInput
  readonly #context: EngineContext
  readonly #origin: Origin
  readonly #meter = createMeter()
  readonly #srtTotals = createSrtTotals()
  readonly #audioLevel: AudioLevel
  readonly #supervisor: Supervisor
  #command: InputCommand | undefined
  /** Gaps in the continuity counters of MPEG-TS. */
  #gaps = 0
  /** RTP packets that ffmpeg has missed. */
  #missedPackets = 0
  /** When a caller was last refused for its passphrase. */
  #refusedAt: number | undefined
  /** Whether bytes arrived that are not MPEG-TS. */
  #isInvalid = false
  /** When ffmpeg last reported dropped RTP packets. */
  #rtpDroppedAt = 0
  /** Whether it is restarting with other push settings. */
  #isReconfiguring = false
  #isStopped = false

  constructor(wanted: WantedInput, context: EngineContext) {
    this.key = originKey(wanted)
    this.#wanted = wanted
    this.#context = context
    this.#origin = createOrigin(wanted, context)
    this.#audioLevel = createAudioLevel(this.taps, () => this.kbps(), context)
    this.#supervisor = createSupervisor({
      start: (attempt) => this.#start(attempt),
      lastRunMs: this.#meter.lastRunMs,
      onChange: context.onChange,
      whenReady: async () => {
        await Promise.all([context.launcher.waitForStops(), context.whenReleased(this.key)])
      },
      now: context.now
    })
    if (this.#origin.isAvailable()) this.#supervisor.wake()
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

  totalBytes(): number {
    return this.#meter.totalBytes()
  }

  audioLevels(now: number): number[] | undefined {
    return this.#audioLevel.read(now)
  }

  counters(now: number): LegCounters {
    const wanted = this.#wanted
    return {
      bytes: this.#meter.settledBytes(now),
      ...this.#srtTotals.counters(now),
      ...(wanted.kind === 'url' && isOverRtp(wanted.url) && { lost: this.#missedPackets }),
      ...(this.#command && !this.#command.isRemuxed && { gaps: this.#gaps })
    }
  }

  observe(now: number): ObservedLeg {
    if (!this.#origin.isAvailable()) return this.#observeUnavailable()
    const isRunning = this.#supervisor.phase() === 'running'
    if (isRunning && this.#meter.isActive(now)) return observeActive(this.#meter, now)
    return { kbps: 0, livingTimeS: 0, ...this.#observeInactive(now, isRunning) }
  }

  tick(now: number): void {
    this.#audioLevel.tick(now)
    if (this.#supervisor.phase() !== 'running') return
    const lastByteAt = this.#meter.lastByteAt()
    if (lastByteAt === undefined) this.#checkStart(now)
    else this.#checkStall(now, lastByteAt)
  }

  changePushSettings(push: PushSettings | undefined): void {
    if (!this.#origin.changePushSettings(push) || this.#supervisor.phase() === 'parked') return
    this.#isReconfiguring = true
    this.#restart()
  }

  onOriginChange(): void {
    if (this.#isStopped) return
    if (this.#origin.isAvailable()) this.#supervisor.wake(true)
    else {
      this.#endStream()
      this.#supervisor.park()
    }
    this.#context.onChange()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endStream()
    this.#audioLevel.stop()
    this.taps.clear()
    await Promise.all([this.#supervisor.park(), this.#origin.release()])
  }

  async #start(attempt: Attempt): Promise<Process | undefined> {
    const { srtProgram, now } = this.#context
    const command = await this.#origin.command().catch((error: Error) => attempt.end(systemFailure(error)))
    if (!command || !attempt.isCurrent()) return undefined
    this.#command = command
    const { args, secrets, hiddenArgs, allowedHosts } = command
    this.#meter.reset()
    this.#isInvalid = false
    const onSrtStats = (stats: SrtStats) => this.#srtTotals.add(stats, attempt, now())
    const call = createSrtCall(command.srtCall, srtProgram(), { onOpen() {}, onStats: onSrtStats })
    const launch = call
      ? call.launch
      : { args, ...(hiddenArgs && { hiddenArgs }), ...(allowedHosts && { allowedHosts }) }
    const process = this.#origin.run({
      ...launch,
      onStdout: this.#createReader(attempt),
      onSrtStats,
      onStderrLine: (text) => this.#handleStderrLine(text, attempt),
      onEnd: (lines) => {
        this.#endStream()
        attempt.end(this.#explainEnd(lines, command, call))
      }
    })
    this.#origin.onStarted().catch((error: Error) => {
      if (attempt.isCurrent()) attempt.end(orderFailure(error, secrets))
    })
    return process
  }

  /** Creates the reader of one run, so that the bytes of two runs never mix. */
  #createReader(attempt: Attempt): (chunk: Buffer) => void {
    let revision = 0
    const reader = createTsReader((data, starts) => {
      this.#countBytes(data.length)
      const tables = reader.tables()
      if (!tables) return
      if (reader.revision() !== revision) {
        revision = reader.revision()
        this.#endStream()
      }
      for (const tap of this.taps) tap.media(data, starts, tables)
    })
    return (chunk) => {
      if (!attempt.isCurrent()) return
      const totalBytes = this.#meter.totalBytes()
      const gaps = reader.continuityGaps()
      reader.push(chunk)
      this.#gaps += reader.continuityGaps() - gaps
      this.#isInvalid ||= this.#meter.totalBytes() === totalBytes && chunk.length > 188
    }
  }

  #countBytes(bytes: number): void {
    const now = this.#context.now()
    const wasActive = this.#meter.isActive(now)
    this.#meter.add(bytes, now)
    if (wasActive) return
    this.#supervisor.clearFailure()
    this.#isReconfiguring = false
    this.#refusedAt = undefined
    this.#context.onChange()
  }

  #handleStderrLine(text: string, attempt: Attempt): void {
    const { now, onChange } = this.#context
    this.#missedPackets += missedRtpPackets(text)
    if (isRtpPacketDropped(text)) this.#rtpDroppedAt = now()
    if (attempt.isCurrent() && isTimestampReset(text)) return void this.#restart()
    if (this.#meter.lastByteAt() !== undefined || !isPassphraseRefused(text)) return
    this.#refusedAt = now()
    onChange()
  }

  /** The failure of a run that ended; undefined if the end is not a failure. */
  #explainEnd(lines: readonly string[], command: InputCommand, call: SrtCallProcess | undefined): Failure | undefined {
    const wanted = this.#wanted
    // A connectionless source can only be silent.
    const isSilent = command.isConnectionless && lines.some((line) => line.includes('timed out'))
    if (isSilent || command.formatChanged?.()) return undefined
    const srtCaller = wanted.kind === 'url' && wanted.url.srt?.mode === 'caller'
    const opened = this.#meter.lastByteAt() !== undefined
    return call?.failure() ?? command.failure?.() ?? explainExit(lines, { opened, srtCaller, secrets: command.secrets })
  }

  #restart(failure?: Failure): void {
    this.#endStream()
    this.#supervisor.restart(failure)
  }

  #endStream(): void {
    for (const tap of this.taps) tap.end()
  }

  /** Restarts a run whose media stopped. */
  #checkStall(now: number, lastByteAt: number): void {
    const { stall } = this.#context.timeouts
    if (this.#rtpDroppedAt > lastByteAt && now - this.#rtpDroppedAt > RTP_DROPPED_ONLY) this.#restart()
    else if (now - lastByteAt > stall)
      this.#restart(
        this.#command?.isConnectionless
          ? undefined
          : failure(CONNECTION_STATE.disconnected, `no-data-for ${Math.round(stall / 1000)}`)
      )
  }

  /** Restarts a run that has had no media since it started. */
  #checkStart(now: number): void {
    if (now - this.#supervisor.startedAt() <= this.#context.timeouts.start) return
    if (this.#isInvalid) this.#supervisor.restart(failure(CONNECTION_STATE.streamFailed, 'not-mpeg-ts'))
    else if (this.#origin.isDevice) this.#supervisor.restart(failure(CONNECTION_STATE.failed, 'device-silent'))
    else if (!this.#command?.isListener && !this.#command?.isConnectionless)
      this.#supervisor.restart(failure(CONNECTION_STATE.failed, 'nothing-received'))
  }

  #observeUnavailable(): ObservedLeg {
    const idle = { kbps: 0, livingTimeS: 0 }
    const { running, offline } = SOURCE_STATE
    if (this.#wanted.kind !== 'pushed')
      return { ...idle, state: offline, connState: CONNECTION_STATE.disconnected, reason: 'device-offline' }
    const reason = this.#context.lastRefusal(this.#wanted.channel)
    const connState = reason === undefined ? CONNECTION_STATE.waiting : CONNECTION_STATE.notAuthorized
    return { ...idle, state: running, connState, ...(reason !== undefined && { reason }) }
  }

  #observeInactive(now: number, isRunning: boolean): Pick<ObservedLeg, 'state' | 'connState' | 'reason'> {
    const command = this.#command
    const lastFailure = this.#supervisor.failure()
    if (this.#isReconfiguring && !lastFailure)
      return { state: SOURCE_STATE.configuring, connState: CONNECTION_STATE.connecting }
    const isListener = command?.isListener && this.#wanted.kind === 'url'
    const shownFor = isListener ? LISTENER_FAILURE_SHOWN : FAILURE_SHOWN
    if (lastFailure && !(isRunning && now - this.#supervisor.startedAt() > shownFor)) return lastFailure
    if (this.#refusedAt !== undefined && now - this.#refusedAt < REFUSAL_SHOWN)
      return { state: SOURCE_STATE.running, connState: CONNECTION_STATE.notAuthorized, reason: 'wrong-passphrase' }
    if (isRunning && (this.#meter.lastByteAt() !== undefined || this.#isInvalid))
      return {
        state: SOURCE_STATE.running,
        connState: CONNECTION_STATE.waitingForData,
        reason: this.#isInvalid ? 'not-mpeg-ts' : 'no-data'
      }
    const problem = isRunning ? command?.problem?.() : undefined
    if (problem) return problem
    if (command?.isConnectionless) return { state: SOURCE_STATE.running, connState: CONNECTION_STATE.waitingForData }
    if (command?.isListener && !this.#origin.isDevice)
      return { state: SOURCE_STATE.running, connState: CONNECTION_STATE.waiting }
    return { state: SOURCE_STATE.adding, connState: CONNECTION_STATE.connecting }
  }
}

/** Creates an input, which starts as soon as its origin is available. */
export const createInput = (wanted: WantedInput, context: EngineContext): Input => new SupervisedInput(wanted, context)
