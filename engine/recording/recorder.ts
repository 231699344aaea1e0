// Records the stream of a channel: runs `headend-recorder` (engine/native/recorder), which receives the frames of a
// relay and writes segments, so that a slow disk holds up neither the channel nor the engine.
import { fileURLToPath } from 'node:url'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { type Failure, NotInstalledError } from '../interfaces/errors.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { ChangeReports, Processes } from '../interfaces/leg-parts.ts'
import type { ObservedRecording, WantedRecording } from '../interfaces/recording.ts'
import type { Relay, Stream, StreamUser } from '../interfaces/relay.ts'
import { nextRelayId } from '../legs/relay-receiver.ts'
import { Subscription } from '../legs/subscription.ts'
import { failure, programFailure } from '../process/failure.ts'
import { findProgram } from '../process/find-program.ts'
import { type Attempt, Supervisor } from '../process/supervisor.ts'
import { tapAddress } from '../relay/relay-address.ts'

/** Path of the program as `make native` builds it. */
const RECORDER_PROGRAM: string = fileURLToPath(new URL('../../build/headend-recorder', import.meta.url))
/** The command that installs it. */
const INSTALL_RECORDER = 'apt-get install -y gcc libc6-dev && make native'
/** Milliseconds for which the relay collects media. */
const BATCH = 100
/** Milliseconds in which the program must have completed its last segment. */
const END_TIME = 10_000
/** Milliseconds without a report after which the disk does not keep up. The program reports each second. */
const STALL_TIME = 5000

export type RecorderParts = Processes &
  ChangeReports & {
    /** Whether members of the engine's group may read and delete segments. */
    isGroupShared: boolean
  }

/** Events of the program, as it describes them. */
interface RecorderEvent {
  segment?: [start: number, end: number, bytes: number]
  open?: [start: number, bytes: number]
  failed?: string
}

export class Recorder implements StreamUser {
  readonly wanted: WantedRecording
  readonly #context: RecorderParts
  readonly #subscription = Subscription.ofUser(this)
  readonly #supervisor: Supervisor
  #process: Process | undefined
  #relay: Relay | undefined
  /** Its ID at the relay. */
  #id = 0
  #observed: ObservedRecording
  #failure: Failure | undefined
  /** When the program last reported, and when it began to write without a failure. */
  #reportedAt = 0
  #workingSince: number | undefined

  /** Begins to record the stream that is attached. */
  constructor(wanted: WantedRecording, context: RecorderParts) {
    this.wanted = wanted
    this.#context = context
    this.#observed = { id: wanted.id, openBytes: 0 }
    this.#supervisor = new Supervisor({
      start: async (attempt) => this.#start(attempt),
      lastRunMs: () => (this.#workingSince === undefined ? 0 : context.now() - this.#workingSince),
      onChange: () => context.onChange(),
      whenReady: async () => {},
      now: context.now
    })
    this.#supervisor.wake()
  }

  /** Changes to another stream, or to none. */
  attach(stream: Stream | undefined): void {
    this.#subscription.attach(stream)
  }

  observe(now: number): ObservedRecording {
    const reason = this.#reason(now)
    return { ...this.#observed, ...(reason && { reason }) }
  }

  /** Resolves when the last segment is complete. */
  stop(): Promise<void> {
    this.#subscription.cancel()
    return this.#supervisor.park()
  }

  attachRelay(relay: Relay): void {
    this.#relay = relay
    this.#connect()
  }

  detachRelay(): void {
    this.#relay?.unsubscribe(this.#id)
    this.#relay = undefined
    this.#send('disconnect')
  }

  moveRelay(relay: Relay): void {
    const previous = this.#relay
    const before = this.#id
    this.#relay = relay
    this.#id = nextRelayId()
    // The connection of the program stays.
    previous?.moveSubscriber(before, tapAddress(relay, this.#id, BATCH))
  }

  handleReport(): void {}

  /** The relay tells the program. */
  handleStreamEnd(): void {}

  #reason(now: number): Reason | undefined {
    const known = this.#supervisor.failure() ?? this.#failure
    if (known) return known.reason
    if (this.#process?.isStuck?.()) return 'program-stuck'
    const isStalled = this.#process && now - this.#reportedAt > STALL_TIME
    return isStalled ? 'disk-too-slow' : undefined
  }

  #start(attempt: Attempt): Process {
    const { launcher, now, isGroupShared } = this.#context
    const { folder, segmentS, segmentBytes, freeMin } = this.wanted
    const program = findProgram(RECORDER_PROGRAM)
    if (program === undefined) throw new NotInstalledError('headend-recorder', INSTALL_RECORDER)
    this.#reportedAt = now()
    this.#workingSince = undefined
    this.#failure = undefined
    const ended = Promise.withResolvers<void>()
    const process = launcher.run({
      program,
      args: [folder, `${segmentS}`, `${segmentBytes}`, `${freeMin}`, isGroupShared ? '1' : '0'],
      pipeStdin: true,
      // It completes its segment when the engine ends.
      deathSignal: 'TERM',
      onMessage: (text) => this.#handleEvent(JSON.parse(text)),
      onEnd: (lines) => {
        if (this.#process === process) this.#process = undefined
        this.#setOpen(0, 0)
        attempt.end(
          this.#failure ?? programFailure(lines) ?? failure(CONNECTION_STATE.creationFailed, 'ended-silently')
        )
      },
      onExit: ended.resolve
    })
    this.#process = process
    if (this.#relay) this.#connect()
    return {
      pid: process.pid,
      stdin: undefined,
      stop: () => {
        if (this.#process === process) this.#process = undefined
        return endProcess(process, ended.promise)
      }
    }
  }

  #connect(): void {
    if (!this.#relay) return
    this.#id = nextRelayId()
    const { path, greeting } = tapAddress(this.#relay, this.#id, BATCH)
    this.#send('connect', path, greeting)
  }

  /** Sends a command, if the program runs. */
  #send(...fields: readonly string[]): void {
    this.#process?.stdin?.write(`${fields.join('\t')}\n`)
  }

  #handleEvent({ segment, open, failed }: RecorderEvent): void {
    const { now, onChange } = this.#context
    this.#reportedAt = now()
    if (segment) {
      this.#observed.completeUntil = segment[1]
      onChange()
    }
    if (open) this.#setOpen(...open)
    if (open && open[1] > 0) {
      this.#workingSince ??= now()
      this.#supervisor.clearFailure()
    }
    if (failed !== undefined) this.#failure = failure(CONNECTION_STATE.creationFailed, reasonOf(failed))
  }

  #setOpen(since: number, bytes: number): void {
    const { openSince: _, ...rest } = this.#observed
    this.#observed = { ...rest, openBytes: bytes, ...(bytes > 0 && { openSince: since }) }
  }
}

/** Lets the program complete its last segment. */
async function endProcess(process: Process, ended: Promise<void>): Promise<void> {
  process.stdin?.end()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_TIME)
  })
  await Promise.race([ended, timeout])
  clearTimeout(timer)
  await process.stop()
}

/** @param code system error code */
function reasonOf(code: string): Reason {
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'recording-disk-full' : `recording-disk-failed ${code}`
}
