// Keeps one process running while it is wanted: starts it, restarts it after failures, and never runs two at a time.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { type Failure, NotInstalledError } from '../interfaces/errors.ts'
import type { Process } from '../interfaces/launcher.ts'
import { createBackOff } from './back-off.ts'
import { failure, systemFailure } from './failure.ts'

/** One run of the process. Calls of an earlier attempt are ignored. */
export interface Attempt {
  isCurrent(): boolean
  /** Reports that the process has ended. With a failure the next attempt waits; without one it starts immediately. */
  end(failure?: Failure): void
}

export interface SupervisorOptions {
  /** Starts the process. If it throws, the attempt has failed. */
  start(attempt: Attempt): Promise<Process | undefined>
  /** Milliseconds for which the last run had media. */
  lastRunMs(): number
  onChange(): void
  /** Resolves when stopped processes have freed their ports. */
  whenReady(): Promise<void>
  now(): number
}

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #backOff = createBackOff()
  #phase: 'parked' | 'pausing' | 'starting' | 'running' = 'parked'
  /** Number of the current attempt. */
  #attempt = 0
  #process: Process | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failure: Failure | undefined
  #startedAt = 0

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /**
   * Starts the process if it is parked.
   * @param now whether to end a pause and start immediately; default false
   */
  wake(now = false): void {
    if (now && this.#phase === 'pausing') {
      this.#backOff.reset()
      this.#stopProcess()
      this.#phase = 'parked'
    }
    if (this.#phase === 'parked') this.#start()
  }

  /** Stops the process and clears its failure, until `wake`. Resolves when the process has ended. */
  park(): Promise<void> {
    const stopped = this.#stopProcess()
    if (this.#phase !== 'parked') this.#options.onChange()
    this.#phase = 'parked'
    this.#failure = undefined
    return stopped
  }

  /** Stops the process and starts it again: after a pause if there is a failure, otherwise immediately. */
  restart(failure?: Failure): void {
    this.#stopProcess()
    this.#failure = failure
    this.#phase = 'pausing'
    this.#timer = setTimeout(() => this.#start(), failure ? this.#backOff.nextDelay(this.#options.lastRunMs()) : 0)
    this.#options.onChange()
  }

  /** Clears the last failure, because the process works. */
  clearFailure(): void {
    this.#failure = undefined
  }

  phase(): 'parked' | 'pausing' | 'starting' | 'running' {
    return this.#phase
  }

  /** Why the last attempt failed, until `clearFailure`. */
  failure(): Failure | undefined {
    return this.#failure
  }

  /** As `Process.isStuck`. */
  isStuck(): boolean {
    return this.#process?.isStuck?.() ?? false
  }

  /** When the current attempt started. */
  startedAt(): number {
    return this.#startedAt
  }

  #stopProcess(): Promise<void> {
    this.#attempt++
    clearTimeout(this.#timer)
    const process = this.#process
    this.#process = undefined
    return process?.stop() ?? Promise.resolve()
  }

  async #start(): Promise<void> {
    const { start, whenReady, onChange, now } = this.#options
    clearTimeout(this.#timer)
    this.#phase = 'starting'
    this.#startedAt = now()
    const number = ++this.#attempt
    const isCurrent = () => this.#attempt === number
    await whenReady()
    if (!isCurrent()) return
    this.#startedAt = now()
    try {
      const process = await start({
        isCurrent,
        end: (reason) => {
          if (isCurrent()) this.restart(reason)
        }
      })
      if (!isCurrent()) {
        process?.stop()
        return
      }
      this.#process = process
      this.#phase = 'running'
      onChange()
    } catch (error) {
      if (isCurrent()) this.restart(startFailure(error as Error))
    }
  }
}

function startFailure(error: Error): Failure {
  if (!(error instanceof NotInstalledError) || error.installCommand === undefined) return systemFailure(error)
  return failure(CONNECTION_STATE.creationFailed, `install-with ${error.installCommand}`, SOURCE_STATE.addFailed)
}
