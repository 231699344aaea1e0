// Owns the relay of one stream, and connects the receivers of the stream to it. When the program ends, they are
// connected to the next one.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Launcher } from '../interfaces/launcher.ts'
import type { Relay, RelayReport, Stream, StreamUser, Tap, TapSubscription } from '../interfaces/relay.ts'
import { explainExit } from '../process/failure.ts'
import { startRelay } from './relay.ts'

interface RelayHostOptions {
  launcher: Launcher
  /** New measured values. They start at 0 with each relay. */
  onReport(report: RelayReport): void
  /** The program ended unexpectedly. The owner calls `open` again, after a pause. */
  onExit(failure: Failure): void
}

interface TapUser {
  tap: Tap
  options: TapSubscription
  /** Ends it at the current relay. */
  end: (() => void) | undefined
}

export class RelayHost {
  readonly #options: RelayHostOptions
  readonly #users = new Set<StreamUser>()
  readonly #taps = new Set<TapUser>()
  #opening: Promise<Relay> | undefined
  /** The relay that was started, and the one that is running. */
  #started: Relay | undefined
  #relay: Relay | undefined
  /** Changes of the PMT in the last report. */
  #revision = 0

  constructor(options: RelayHostOptions) {
    this.#options = options
  }

  /**
   * Returns the relay, which is started if it does not run.
   * @throws NotInstalledError if the program is missing
   */
  open(): Promise<Relay> {
    const opening = this.#opening ?? this.#start()
    this.#opening = opening
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined
    })
    return opening
  }

  async #start(): Promise<Relay> {
    const relay = startRelay(this.#options.launcher, {
      onReport: (report) => this.#handleReport(relay, report),
      onExit: (lines) => this.#handleExit(relay, lines)
    })
    this.#started = relay
    await relay.ready()
    if (this.#started !== relay) throw new Error('The relay was stopped')
    this.#relay = relay
    this.#revision = 0
    for (const user of [...this.#users]) user.attachRelay(relay)
    for (const user of this.#taps) user.end = relay.subscribeTap(user.tap, user.options)
    return relay
  }

  /** The relay that is running. */
  get relay(): Relay | undefined {
    return this.#relay
  }

  /** Whether the relay does not run although it has not ended. */
  isStuck(): boolean {
    return this.#started?.isStuck() ?? false
  }

  /** As `Stream.addUser`. */
  addUser(user: StreamUser, from?: Stream): () => void {
    this.#users.add(user)
    const previous = from?.release(user)
    if (previous && this.#relay) user.moveRelay(this.#relay)
    else {
      if (previous) user.detachRelay()
      if (from) user.handleStreamEnd()
      if (this.#relay) user.attachRelay(this.#relay)
    }
    return () => {
      if (this.#users.delete(user) && this.#relay) user.detachRelay()
    }
  }

  /** As `Stream.subscribe`. */
  subscribe(tap: Tap, options: TapSubscription = {}, from?: Stream): () => void {
    const user: TapUser = { tap, options, end: undefined }
    this.#taps.add(user)
    const previous = this.#relay && from?.release(tap)
    if (this.#relay && previous) {
      user.end = previous.moveTap(tap, this.#relay)
    } else {
      if (from) tap.end()
      user.end = this.#relay?.subscribeTap(tap, options)
    }
    return () => {
      if (this.#taps.delete(user)) user.end?.()
    }
  }

  /** As `Stream.release`. */
  release(receiver: StreamUser | Tap): Relay | undefined {
    if (this.#users.delete(receiver as StreamUser)) return this.#relay
    const user = [...this.#taps].find(({ tap }) => tap === receiver)
    if (!user) return undefined
    this.#taps.delete(user)
    return this.#relay
  }

  /** Ends the source. What follows is another stream. */
  endStream(): void {
    this.#relay?.closeSource()
    for (const user of [...this.#users]) user.handleStreamEnd()
  }

  async stop(): Promise<void> {
    const relay = this.#started
    if (this.#relay) this.#disconnectAll()
    this.#forgetRelay()
    this.#users.clear()
    this.#taps.clear()
    await relay?.stop()
  }

  #forgetRelay(): void {
    this.#started = undefined
    this.#relay = undefined
    this.#opening = undefined
  }

  #handleReport(relay: Relay, report: RelayReport): void {
    if (relay !== this.#relay) return
    const { revision } = report.source
    const isChanged = revision !== this.#revision
    this.#revision = revision
    this.#options.onReport(report)
    for (const user of [...this.#users]) {
      if (isChanged) user.handleStreamEnd()
      user.handleReport(report)
    }
  }

  #handleExit(relay: Relay, lines: readonly string[]): void {
    if (relay !== this.#started) return
    if (this.#relay) this.#disconnectAll()
    this.#forgetRelay()
    this.#options.onExit({
      ...explainExit(lines, { opened: false, srtCaller: false, secrets: [] }),
      connState: CONNECTION_STATE.creationFailed
    })
  }

  #disconnectAll(): void {
    for (const user of [...this.#users]) user.detachRelay()
    for (const user of [...this.#taps]) {
      // Bytes that the relay has sent already must not arrive after the end of the stream.
      user.end?.()
      user.end = undefined
      user.tap.end()
    }
  }
}
