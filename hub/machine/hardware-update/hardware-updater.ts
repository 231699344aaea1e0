// Updates the hardware of the machine with the program of the image (docs/architecture/hardware-update.md). The update
// itself belongs to the program: it goes on while the hub is stopped, and the hub then asks how it ended.
import { IN_PROGRESS, NOT_EXIST, UNSUPPORTED, WRONG_STATE } from '../../../contract/codes.ts'
import {
  canCancelHardwareUpdate,
  type HardwareUpdateFault,
  isHardwareUpdating
} from '../../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../../contract/installation-state.ts'
import { LOG_ERROR } from '../../../contract/log.ts'
import type { Store } from '../../store/store.ts'
import { Program, type ProgramCommand, type ProgramEnd, type ProgramRun } from './program.ts'
import { addLine, EMPTY_REPORT, type HardwareReport, type ReportedComponent } from './report.ts'

/** Milliseconds in which `status` and `cancel` must end. */
export const ANSWER_TIMEOUT = 10_000
/** Milliseconds without a change of state, component or progress, after which an update counts as failed. */
export const STALL_TIMEOUT = 600_000
/** Milliseconds after which an update counts as failed, whatever it reports. */
export const UPDATE_TIMEOUT = 2 * 3600_000
/** Milliseconds between two questions for the state of an update that the hub does not follow. */
export const WATCH_INTERVAL = 2000
/** Questions without an answer, one after another, after which an update counts as failed. */
const ATTEMPTS = 5
/** Lines of an answer, and of an update. */
export const ANSWER_LINES = 256
export const UPDATE_LINES = 20_000
/** Milliseconds for which an answer counts as current while somebody looks. */
const FRESH_TIME = 30_000
/** Milliseconds between reports of the progress to consoles. */
const REPORT_INTERVAL = 500
/** Characters of the list of components in the log. */
const NAMES_MAX = 500

/** Why an update, or a question for its state, failed. */
export interface HardwareFailure {
  fault: HardwareUpdateFault
  /** What the program said; may be empty. */
  words: string
}

/** A step that is refused with a result code. */
export class HardwareUpdateRefused extends Error {
  readonly code: number
  /** How the program refused it. */
  readonly failure: HardwareFailure | undefined
  constructor(code: number, failure?: HardwareFailure) {
    super(`result ${code}`)
    this.code = code
    this.failure = failure
  }
}

export interface HardwareUpdateView {
  isAvailable: boolean
  /** `INSTALLATION_STATE`. */
  state: number
  /** Percent. */
  progress: number
  /** The component that is being updated. */
  current?: ReportedComponent | undefined
  components: readonly ReportedComponent[]
  failure?: HardwareFailure | undefined
}

/** An update that runs, as far as the hub knows. */
interface Running {
  /** Aborted when the update is given up, or the hub stops. */
  abort: AbortController
  /** What is updated, for the log. */
  names: string
  /** `init`, `download` or `updating`: shown until the update has ended. */
  state: number
  /** The command `update` of the program is running: it says more than `status`. */
  isFollowed: boolean
  /** The program has cancelled it. */
  isCancelled: boolean
  stall?: NodeJS.Timeout
  limit: NodeJS.Timeout
}

export interface HardwareUpdaterOptions {
  /** Path of the program; undefined: the image has none. */
  program?: string | undefined
  store: Pick<Store, 'settings' | 'database' | 'logEvent'>
  /** What `view` returns has changed. */
  onChange(): void
}

const isOffered = ({ version, offered }: ReportedComponent) => offered !== undefined && offered !== version

/** The state of an update that runs; undefined if none does. */
const runningState = ({ state }: HardwareReport) => (state && isHardwareUpdating(state) ? state : undefined)

/** Waits until the next question is due, or until the signal is aborted. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, WATCH_INTERVAL)
    signal.addEventListener('abort', end)
  })
}

const INTERRUPTED: HardwareFailure = { fault: 'interrupted', words: '' }

export class HardwareUpdater {
  readonly #options: HardwareUpdaterOptions
  readonly #program: Program | undefined
  readonly #closing = new AbortController()
  #report: HardwareReport = EMPTY_REPORT
  #running: Running | undefined
  /** Why the last update failed. */
  #failure: HardwareFailure | undefined
  /** Why the last question for the state failed. */
  #statusFailure: HardwareFailure | undefined
  #question: Promise<HardwareFailure | undefined> | undefined
  /** When the last question ended, on the clock of `performance.now()`. */
  #askedAt = Number.NEGATIVE_INFINITY
  #isCancelling = false
  #reported = ''
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(options: HardwareUpdaterOptions) {
    this.#options = options
    this.#program = options.program === undefined ? undefined : new Program(options.program)
  }

  /** Asks the program for its components, and how an update ended that was running when the hub was stopped. */
  start(): void {
    if (!this.#program) return
    const names = this.#options.store.settings.get('hardware-update')
    if (names === null) void this.#ask()
    else void this.#watch(this.#run(names), INTERRUPTED)
  }

  /** Ends the program. An update that runs goes on. */
  close(): void {
    this.#closing.abort()
    this.#stopTimers()
  }

  /** Whether an update runs, as far as the hub knows. The machine must not be restarted then. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** The state as it was reported last. Asks the program again if that was some time ago; does not wait for it. */
  view(): HardwareUpdateView {
    const isStale = performance.now() - this.#askedAt > FRESH_TIME
    if (this.#program && isStale && !this.#running) void this.#ask()
    return this.#view()
  }

  /** The components for which a newer version is offered. */
  offered(): ReportedComponent[] {
    return this.#report.components.filter(isOffered)
  }

  /** @throws HardwareUpdateRefused */
  requireStartable(): void {
    if (!this.#program) throw new HardwareUpdateRefused(UNSUPPORTED)
    if (this.#running) throw new HardwareUpdateRefused(IN_PROGRESS)
    if (this.offered().length === 0) throw new HardwareUpdateRefused(NOT_EXIST)
  }

  /** Notes that an update begins, within the transaction of the call. @returns what is updated, for the log */
  prepare(): string {
    this.requireStartable()
    const names = this.#describeOffered()
    this.#options.store.settings.set('hardware-update', names)
    return names
  }

  /** Starts the update that `prepare` has noted. */
  begin(names: string): void {
    this.#failure = undefined
    this.#statusFailure = undefined
    this.#report = { components: this.#report.components, state: INSTALLATION_STATE.init, progress: 0 }
    void this.#follow(this.#run(names, true))
    this.#reportChange()
  }

  /**
   * Cancels an update before a component is written, else clears the report of a failure. Waits for the program.
   * @throws HardwareUpdateRefused
   */
  async cancel(): Promise<void> {
    if (!this.#program) throw new HardwareUpdateRefused(UNSUPPORTED)
    if (this.#isCancelling) throw new HardwareUpdateRefused(IN_PROGRESS)
    const { state } = this.#view()
    if (!canCancelHardwareUpdate(state))
      throw new HardwareUpdateRefused(isHardwareUpdating(state) ? WRONG_STATE : NOT_EXIST)
    this.#isCancelling = true
    const end = await this.#answer('cancel', () => {})
    this.#isCancelling = false
    if (state === INSTALLATION_STATE.failed) {
      this.#failure = undefined
      await this.#ask()
    } else if (end.fault) throw new HardwareUpdateRefused(WRONG_STATE, { fault: end.fault, words: end.words })
    else if (this.#running) {
      this.#running.isCancelled = true
      this.#expectProgress(this.#running, ANSWER_TIMEOUT)
    }
  }

  /** Components with their versions, for the log. */
  #describeOffered(): string {
    const changes = this.offered().map(({ name, version, offered }) => `${name} ${version} → ${offered}`)
    return changes.join(', ').slice(0, NAMES_MAX)
  }

  #view(): HardwareUpdateView {
    const { state = INSTALLATION_STATE.idle, progress, component, error, components } = this.#report
    const shared = { isAvailable: this.#program !== undefined, components }
    if (this.#running) {
      const current = components.find((each) => each.component === component)
      return { ...shared, state: this.#running.state, progress, current }
    }
    const isFailed = state === INSTALLATION_STATE.failed
    const reported = isFailed ? { fault: 'failed' as const, words: error ?? '' } : undefined
    const failure = this.#failure ?? this.#statusFailure ?? reported
    return { ...shared, state: failure ? INSTALLATION_STATE.failed : state, progress, failure }
  }

  /** Tells consoles of a change; of the progress alone not more often than they can show it. */
  #reportChange(isProgress = false): void {
    if (this.#closing.signal.aborted) return
    if (isProgress && performance.now() - this.#reportedAt < REPORT_INTERVAL) return
    const view = JSON.stringify(this.#view())
    if (view === this.#reported) return
    this.#reported = view
    this.#reportedAt = performance.now()
    this.#options.onChange()
  }

  /** Runs a command that answers at once. */
  async #answer(command: ProgramCommand, onLine: (line: string) => void): Promise<ProgramEnd> {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), ANSWER_TIMEOUT)
    const signal = AbortSignal.any([timeout.signal, this.#closing.signal])
    const end = await this.#runProgram({ command, lineCount: ANSWER_LINES, onLine, signal })
    clearTimeout(timer)
    return end
  }

  #runProgram(run: ProgramRun): Promise<ProgramEnd> {
    return this.#program?.run(run) ?? Promise.resolve({ fault: 'not-started', words: '' })
  }

  /** Asks the program for its state; one question at a time. @returns why there is no answer */
  #ask(): Promise<HardwareFailure | undefined> {
    this.#question ??= this.#askOnce().finally(() => {
      this.#question = undefined
    })
    return this.#question
  }

  async #askOnce(): Promise<HardwareFailure | undefined> {
    let report = EMPTY_REPORT
    const { fault, words } = await this.#answer('status', (line) => {
      report = addLine(report, line)
    })
    if (this.#closing.signal.aborted) return undefined
    this.#askedAt = performance.now()
    this.#statusFailure = fault && { fault, words }
    if (!fault && report.state === undefined) this.#statusFailure = { fault: 'output', words }
    if (!this.#statusFailure && !this.#running?.isFollowed) this.#take(report)
    // It was started without the hub, for example at the front panel.
    const isNew = !this.#running && !this.#failure && !this.#statusFailure && runningState(report) !== undefined
    if (isNew) void this.#watch(this.#run(this.#describeOffered()), INTERRUPTED)
    this.#reportChange()
    return this.#statusFailure
  }

  /** Takes over a report, and begins to wait for the next one if it has news. */
  #take(report: HardwareReport): void {
    const { state, progress, component } = this.#report
    const hasMoved = report.state !== state || report.progress !== progress || report.component !== component
    this.#report = report
    if (this.#running) this.#running.state = runningState(report) ?? this.#running.state
    if (this.#running && hasMoved) this.#expectProgress(this.#running)
    this.#reportChange(report.state === state && report.component === component)
  }

  #run(names: string, isFollowed = false): Running {
    const abort = new AbortController()
    const limit = setTimeout(() => abort.abort(), UPDATE_TIMEOUT)
    const state = runningState(this.#report) ?? INSTALLATION_STATE.init
    this.#running = { abort, names, state, isFollowed, isCancelled: false, limit }
    this.#expectProgress(this.#running)
    return this.#running
  }

  /** Gives the update up if nothing changes in this time. */
  #expectProgress(running: Running, timeout = STALL_TIMEOUT): void {
    clearTimeout(running.stall)
    running.stall = setTimeout(() => running.abort.abort(), timeout)
  }

  #stopTimers(): void {
    clearTimeout(this.#running?.stall)
    clearTimeout(this.#running?.limit)
  }

  /** Runs `update`, which reports the progress until its end. */
  async #follow(running: Running): Promise<void> {
    const { fault, words } = await this.#runProgram({
      command: 'update',
      lineCount: UPDATE_LINES,
      onLine: (line) => this.#take(addLine(this.#report, line)),
      signal: AbortSignal.any([running.abort.signal, this.#closing.signal])
    })
    running.isFollowed = false
    const { state, error } = this.#report
    if (state === INSTALLATION_STATE.failed) this.#finish(running, { fault: 'failed', words: error ?? words })
    else if (!fault && (state === INSTALLATION_STATE.done || state === INSTALLATION_STATE.idle)) this.#finish(running)
    else return this.#watch(running, { fault: fault ?? 'exit', words })
    // The versions have changed.
    await this.#ask()
  }

  /**
   * Asks for the state of an update until it has ended.
   * @param failure why it failed, if the program then knows nothing of it
   */
  async #watch(running: Running, failure: HardwareFailure): Promise<void> {
    const { signal } = running.abort
    let unanswered = 0
    while (!this.#closing.signal.aborted) {
      const statusFailure = await this.#ask()
      const { state, error } = this.#report
      if (!statusFailure && runningState(this.#report) === undefined) {
        const isEnded = running.isCancelled || state === INSTALLATION_STATE.done
        const reported = { fault: 'failed' as const, words: error ?? '' }
        return this.#finish(running, state === INSTALLATION_STATE.failed ? reported : isEnded ? undefined : failure)
      }
      unanswered = statusFailure ? unanswered + 1 : 0
      if (statusFailure && unanswered === ATTEMPTS) return this.#finish(running, statusFailure)
      if (signal.aborted) return this.#finish(running, { fault: 'timeout', words: '' })
      await pause(AbortSignal.any([signal, this.#closing.signal]))
    }
  }

  /** Ends the update. @param failure undefined if it did not fail */
  #finish({ names }: Running, failure?: HardwareFailure): void {
    if (this.#closing.signal.aborted) return
    const { store } = this.#options
    this.#stopTimers()
    this.#running = undefined
    this.#failure = failure
    store.database.transactionOrLater(() => store.settings.set('hardware-update', null))
    if (failure) {
      const detail = `${failure.words || names} ${failure.fault}`
      store.logEvent({ event: 'hardware-failed', detail, level: LOG_ERROR })
    } else if (this.#report.state === INSTALLATION_STATE.done)
      store.logEvent({ event: 'hardware-updated', detail: names })
    this.#reportChange()
  }
}
