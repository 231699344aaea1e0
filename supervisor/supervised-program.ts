// Keeps one program running: starts it again when it ends, with growing pauses while it keeps ending.
import type { ChildProcess } from 'node:child_process'
import { isStopping, type StartOptions, startNode, stopProcess } from './processes.ts'

/** Milliseconds before a start: the first is immediate, and the last is repeated. */
const PAUSES = [0, 250, 500, 1000, 2000, 5000] as const
/** Milliseconds after which a run counts as a success, so that the next pause is the first again. */
const STEADY_RUN = 10_000
/** Milliseconds before a start after an exit that only an operator can prevent. */
const OPERATOR_PAUSE = 30_000
/**
 * Exit statuses after which another attempt is of no use until an operator acts, as in sysexits.h: the database is
 * refused (65), another process uses the data folder or the socket (75), the configuration is wrong, such as a port in
 * use (78).
 */
const OPERATOR_STATUSES: ReadonlySet<number | null> = new Set([65, 75, 78])

export interface ProgramOptions extends StartOptions {
  /** Name in messages, such as 'hub'. */
  name: string
  /** Arguments of Node. */
  args: readonly string[]
  /** Asks the program to end because it is restarted. Default: SIGTERM. */
  restartSignal?: NodeJS.Signals
  /** The first run of the program ended for a reason that only an operator can remove. */
  onRefused(status: number): void
}

export class SupervisedProgram {
  readonly #options: ProgramOptions
  #child: ChildProcess | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #startedAt = 0
  /** Index in `PAUSES`. */
  #pause = 0
  /** Whether a run was steady, or ended with another status than one of an operator. */
  #hasWorked = false
  #isRestarting = false

  constructor(options: ProgramOptions) {
    this.#options = options
  }

  start(): void {
    clearTimeout(this.#timer)
    if (isStopping()) return
    const { args, onRefused: _, name: __, restartSignal: ___, ...options } = this.#options
    this.#startedAt = performance.now()
    const child = startNode(args, options)
    this.#child = child
    child.once('exit', (status, signal) => this.#handleExit(status, signal))
  }

  /** Stops the program and starts it again. */
  async restart(): Promise<void> {
    if (!this.#child) return this.start()
    this.#isRestarting = true
    await stopProcess(this.#child, this.#options.restartSignal)
  }

  #handleExit(status: number | null, signal: NodeJS.Signals | null): void {
    this.#child = undefined
    if (isStopping()) return
    const wasSteady = performance.now() - this.#startedAt > STEADY_RUN
    this.#hasWorked ||= wasSteady
    if (this.#isRestarting) {
      this.#isRestarting = false
      this.#pause = 0
      return void this.start()
    }
    const { name, onRefused } = this.#options
    const needsOperator = OPERATOR_STATUSES.has(status)
    if (needsOperator && !this.#hasWorked) return void onRefused(status ?? 1)
    this.#hasWorked = true
    const pause = needsOperator ? OPERATOR_PAUSE : this.#nextPause(wasSteady)
    const cause = signal ?? `status ${status}`
    console.error(`The ${name} exited unexpectedly (${cause}). It is restarted${pause ? ` in ${pause / 1000} s` : ''}.`)
    this.#timer = setTimeout(() => this.start(), pause)
  }

  #nextPause(wasSteady: boolean): number {
    if (wasSteady) this.#pause = 0
    const pause = PAUSES[this.#pause] ?? 0
    this.#pause = Math.min(this.#pause + 1, PAUSES.length - 1)
    return pause
  }
}
