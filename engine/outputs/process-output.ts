// An output that a process carries: RTMP, SRT in caller mode, and SRT in listener mode if `headend-srt` is not
// installed.
import { CONNECTION_STATE, SRT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedOutput } from '../interfaces/channel.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type {
  ChangeReports,
  Deadlines,
  HostLookup,
  ListenAddress,
  Processes,
  SrtProgram
} from '../interfaces/leg-parts.ts'
import type { LegCounters, Output } from '../interfaces/legs.ts'
import type { Relay, RelayReport, Stream, StreamUser } from '../interfaces/relay.ts'
import { RelayReceiver } from '../legs/relay-receiver.ts'
import { Subscription } from '../legs/subscription.ts'
import { explainExit, failure, systemFailure } from '../process/failure.ts'
import { type Attempt, Supervisor } from '../process/supervisor.ts'
import { createSrtCall, linkCall, type SrtCallProcess } from '../srt/caller.ts'
import { PortProbe } from '../srt/port-probe.ts'
import { createSrtTotals } from '../srt/srt-totals.ts'
import { createMeter, observeActive } from '../stats/meter.ts'
import { observeInactive } from './observe-process-output.ts'
import { buildOutputCommand, type OutputCommand, type ProcessOutputConfig, resolveTarget } from './output-command.ts'
import { createQueueFeed, createRelayFeed, type ProcessFeed } from './process-feed.ts'

const PORT_CLOSED = failure(CONNECTION_STATE.refused, 'no-one-there')
const TARGET_SILENT = failure(CONNECTION_STATE.disconnected, 'target-silent')

export type ProcessOutputParts = Processes & Deadlines & ChangeReports & HostLookup & SrtProgram & ListenAddress

/** Milliseconds without an answer after which a receiver counts as silent, and the port of one over SRT is probed. */
const SILENT_AFTER = 1000
/** Milliseconds without an answer after which an SRT receiver has not closed the connection. */
const RECEIVER_SILENT = 3000
/** Milliseconds for which a closed port explains why a receiver does not respond. */
const CLOSED_SHOWN = 5000
/** Milliseconds for which media is missing at the target after packets were dropped. */
const DROPS_SHOWN = 10_000
/** Milliseconds without media after which null packets are sent, so that a player that has left is noticed. */
const NULL_PACKETS_AFTER = 1000

export class ProcessOutput implements Output, StreamUser {
  readonly #wanted: ProcessOutputConfig
  readonly #context: ProcessOutputParts
  readonly #isListener: boolean
  readonly #meter = createMeter()
  readonly #srtTotals = createSrtTotals()
  readonly #supervisor: Supervisor
  readonly #subscription = Subscription.ofUser(this)
  #fromCache: boolean | 'first'
  #relay: Relay | undefined
  /** Bytes and key frames that the relay has received, and the key frames before the current stream. */
  #sourceBytes = 0
  #starts = 0
  #startsBefore = 0
  #command: OutputCommand | undefined
  #feed: ProcessFeed | undefined
  /** Whether the target is open. */
  #isOpen = false
  /** When media was last queued, and when the process last sent some. */
  #queuedAt = 0
  #sentAt = 0
  /** When the relay last reported. */
  #reportedAt = 0
  /** Bytes of media that the process has sent in this run. */
  #sentBytes = 0
  /** Bytes that the target has not acknowledged. */
  #pendingBytes = 0
  /** Number of runs that ended because probing was too short. */
  #shortProbes = 0
  #lastEndReason: Reason | undefined
  /** The receiver of an SRT call, and whether its port is open. */
  #receiver: { host: string; port: number } | undefined
  readonly #probe = new PortProbe()
  /** Bytes dropped so far in this run, and when they last became more. */
  #dropped = { bytes: 0, at: Number.NEGATIVE_INFINITY }

  /**
   * Creates an output that starts at the first key frame of its stream; a listener starts immediately.
   * @param fromCache whether it starts with the media since the last key frame, and so shows a picture at once, which
   * delays the stream by the time since then; `first`: only its first connection, which follows that of another engine
   */
  constructor(wanted: ProcessOutputConfig, context: ProcessOutputParts, fromCache: boolean | 'first' = false) {
    this.#wanted = wanted
    this.#fromCache = fromCache
    this.#context = context
    this.#isListener = wanted.protocol === SRT && wanted.config.mode === 'listener'
    this.#supervisor = new Supervisor({
      start: (attempt) => this.#start(attempt),
      lastRunMs: this.#meter.lastRunMs,
      onChange: context.onChange,
      whenReady: () => context.launcher.waitForStops(),
      now: context.now
    })
    if (this.#isListener) this.#supervisor.wake()
  }

  attach(stream: Stream): void {
    this.#subscription.attach(stream)
    this.#feed?.attach?.(stream)
  }

  attachRelay(relay: Relay): void {
    this.#setRelay(relay)
    this.#feed?.attachRelay?.(relay)
    if (this.#fromCache === 'first') this.handleReport(relay.report())
  }

  detachRelay(): void {
    this.#relay = undefined
    this.#feed?.detachRelay?.()
    // The stream of the next relay has to be set up again.
    this.handleStreamEnd()
  }

  moveRelay(relay: Relay): void {
    this.#setRelay(relay)
    this.#feed?.moveRelay?.(relay)
  }

  /** Each relay counts from 0. */
  #setRelay(relay: Relay): void {
    this.#relay = relay
    this.#starts = 0
    this.#startsBefore = 0
    this.#sourceBytes = 0
  }

  /** Starts the process at a key frame. */
  handleReport(report: RelayReport): void {
    const { bytes, starts, isCarrying } = report.source
    this.#reportedAt = this.#context.now()
    if (bytes > this.#sourceBytes) this.#queuedAt = this.#reportedAt
    this.#sourceBytes = bytes
    this.#starts = starts
    this.#feed?.handleReport?.(report)
    if (isCarrying && starts > this.#startsBefore) this.#supervisor.wake()
  }

  /** Copied bytes continue with the next stream at its first key frame, but remuxing must be set up again. */
  handleStreamEnd(): void {
    this.#startsBefore = this.#starts
    if (this.#command?.isPassthrough || this.#isListener) return
    this.#close()
    this.#supervisor.park()
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
    const droppedBytes = this.#feed?.droppedBytes()
    const extra = {
      ...(this.#isListener && { clientNum: this.#isOpen ? 1 : 0 }),
      ...(droppedBytes && { droppedBytes })
    }
    if (this.#isOpen && this.#meter.isActive(now)) {
      const isSlow = now - this.#dropped.at < DROPS_SHOWN
      return { ...extra, ...observeActive(this.#meter, now), ...(isSlow && { reason: 'target-slow' as const }) }
    }
    const state = observeInactive({
      isOpen: this.#isOpen,
      isListener: this.#isListener,
      isStuck: this.#isTargetSilent(SILENT_AFTER),
      isProgramStuck: this.#supervisor.isStuck(),
      isSrtCall: this.#receiver !== undefined,
      isPortClosed: this.#probe.wasClosed(now, CLOSED_SHOWN),
      isInputActive: this.#subscription.stream?.isActive() ?? false,
      phase: this.#supervisor.phase(),
      failure: this.#supervisor.failure(),
      runMs: now - this.#supervisor.startedAt()
    })
    return { kbps: 0, livingTimeS: 0, ...extra, ...state }
  }

  tick(now: number): void {
    const feed = this.#feed
    if (this.#supervisor.phase() !== 'running' || !feed) return
    const { stall, start } = this.#context.timeouts
    this.#probeReceiver(now)
    const droppedBytes = feed.droppedBytes()
    if (droppedBytes !== this.#dropped.bytes)
      this.#dropped = { bytes: droppedBytes, at: droppedBytes > this.#dropped.bytes ? now : this.#dropped.at }
    if (this.#isOpen) {
      if (now - this.#queuedAt > NULL_PACKETS_AFTER) feed.sendNullPackets?.()
      if (!this.#isBehind()) this.#sentAt = Math.max(this.#sentAt, this.#queuedAt)
      else if (now - this.#sentAt > stall)
        this.#restart(CONNECTION_STATE.disconnected, `target-stuck-for ${Math.round(stall / 1000)}`)
    } else if (!this.#isListener && now - this.#supervisor.startedAt() > start)
      this.#restart(CONNECTION_STATE.failed, 'timed-out')
  }

  #probeReceiver(now: number): void {
    const receiver = this.#receiver
    const silentSince = this.#isOpen ? (this.#isBehind() ? this.#sentAt : now) : this.#supervisor.startedAt()
    if (receiver && now - silentSince > SILENT_AFTER)
      this.#probe.probe(receiver.host, receiver.port, now, this.#context.onChange)
  }

  async stop(): Promise<void> {
    this.#subscription.cancel()
    this.#close()
    await this.#supervisor.park()
  }

  #close(): void {
    this.#feed?.close()
    this.#feed = undefined
    this.#isOpen = false
  }

  #restart(connState: number, reason: Reason): void {
    this.#close()
    this.#supervisor.restart(failure(connState, reason))
  }

  async #start(attempt: Attempt): Promise<Process | undefined> {
    const target = await resolveTarget(this.#wanted, this.#context).catch((error: Error) =>
      attempt.end(systemFailure(error))
    )
    if (!target || !attempt.isCurrent()) return undefined
    const { launcher, outputHost, srtProgram, now } = this.#context
    const command = buildOutputCommand(target.output, outputHost, this.#shortProbes)
    this.#command = command
    this.#meter.reset()
    this.#sentBytes = 0
    this.#pendingBytes = 0
    this.#receiver = command.srtCall && { host: command.srtCall.host, port: Number(command.srtCall.port) }
    this.#dropped.bytes = 0
    const onEnd = (lines: readonly string[]) => this.#handleEnd(attempt, command, call, lines)
    let process: Process | undefined
    const receiver = new RelayReceiver({
      fromCache: this.#fromCache !== false,
      ...(command.srtCall && { link: (address) => linkCall(process, address) })
    })
    const call = createSrtCall(command.srtCall, srtProgram(), {
      onOpen: () => this.#handleOpen(attempt),
      onUnlink: () => receiver.handleUnlink(),
      onStats: (stats) => {
        this.#srtTotals.add(stats, attempt, now())
        if (attempt.isCurrent()) this.#pendingBytes = stats.unacknowledged ?? 0
        this.#countBytes(attempt, stats.bytes)
      }
    })
    if (call) {
      process = launcher.run({ ...call.launch, onEnd })
      this.#feed = createRelayFeed(receiver)
      return process
    }
    const launch = { ...this.#ffmpegLaunch(attempt, command, target.allowedHosts), onEnd }
    if (command.isPassthrough) {
      process = launcher.run({ ...launch, pipeStdin: true })
      if (process.stdin) this.#feed = createQueueFeed(process.stdin, this.#subscription.stream)
      return process
    }
    return this.#startRemuxing(launch, receiver, attempt)
  }

  /** Starts ffmpeg, which reads the stream from the relay. Without a relay there is no stream, and so no process. */
  async #startRemuxing(launch: Launch, receiver: RelayReceiver, attempt: Attempt): Promise<Process | undefined> {
    const relay = this.#relay
    if (!relay) {
      this.#supervisor.park()
      return undefined
    }
    const stdin = await receiver.subscribeProcess(relay)
    try {
      if (!attempt.isCurrent()) return undefined
      const process = this.#context.launcher.run({ ...launch, stdinSocket: stdin })
      this.#feed = createRelayFeed(receiver)
      return process
    } finally {
      stdin.destroy()
    }
  }

  #ffmpegLaunch(attempt: Attempt, command: OutputCommand, allowedHosts: NonNullable<Launch['allowedHosts']>) {
    const { args, privateFile, hiddenArgs, verification } = command
    return {
      args,
      privateFile,
      ...(hiddenArgs && { hiddenArgs, allowedHosts }),
      ...(verification && { verification }),
      onProgress: (size: number, pending: number) => {
        this.#handleOpen(attempt)
        if (attempt.isCurrent()) this.#pendingBytes = pending
        this.#countBytes(attempt, size)
      }
    }
  }

  #handleOpen(attempt: Attempt): void {
    if (!attempt.isCurrent() || this.#isOpen) return
    this.#isOpen = true
    this.#lastEndReason = undefined
    this.#sentAt = this.#context.now()
    this.#probe.noteOpen(this.#sentAt)
    this.#supervisor.clearFailure()
    this.#feed?.open?.(this.#relay)
    if (this.#fromCache === 'first') this.#fromCache = false
    this.#context.onChange()
  }

  /** @param size bytes that the process has sent in this run */
  #countBytes(attempt: Attempt, size: number): void {
    const bytes = size - (this.#feed?.nullPacketBytes?.() ?? 0)
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
    const now = this.#context.now()
    const wasOpen = this.#isOpen
    const wasSilent = wasOpen && this.#isTargetSilent(RECEIVER_SILENT)
    const { isListener, srtCall, secrets } = command
    this.#close()
    if (lines.some((line) => line.includes('Could not find codec parameters'))) this.#shortProbes++
    if (isListener && wasOpen) {
      this.#lastEndReason = 'client-left'
      attempt.end()
      return
    }
    const context = { opened: wasOpen, srtCaller: srtCall !== undefined, secrets }
    const ended = call?.failure() ?? explainExit(lines, context)
    // The SRT library does not tell a receiver that closed the connection from one that does not respond.
    const isSilent = ended.reason === 'no-answer' || (ended.reason === 'other-end' && wasSilent)
    if (srtCall && isSilent && this.#probe.wasClosed(now, CLOSED_SHOWN)) attempt.end(PORT_CLOSED)
    else if (srtCall && ended.reason === 'other-end' && wasSilent) attempt.end(TARGET_SILENT)
    else attempt.end(ended)
  }

  /**
   * Whether the target took no bytes for some milliseconds before the last report of the relay. After that report,
   * bytes may be missing because the relay itself does not run.
   */
  #isTargetSilent(ms: number): boolean {
    return this.#isBehind() && this.#reportedAt - this.#sentAt > ms
  }

  /** Whether the target has not taken all media. */
  #isBehind(): boolean {
    return this.#pendingBytes > 0 || (this.#feed?.queuedBytes() ?? 0) > 0
  }
}
