// Moves the streams to the engine of the release from which the hub runs.
import type { LogEvent } from '../../contract/events.ts'
import { LOG_ERROR } from '../../contract/log.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { logger } from '../../process-log/logger.ts'

interface SwitchOverOptions {
  engine: EngineClient
  logEvent(line: { event: LogEvent; level: number }): void
  /** It began, or failed. */
  onChange(): void
}

export class SwitchOver {
  readonly #options: SwitchOverOptions
  #hasFailed = false

  constructor(options: SwitchOverOptions) {
    this.#options = options
  }

  /** Whether the last one was not completed. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Begins one. Where that is not possible, the engine is restarted. */
  start(): void {
    const { engine, onChange } = this.#options
    this.#hasFailed = false
    if (engine.canSwitchOver()) engine.switchOver().catch((error: unknown) => this.#handleFailure(error))
    else engine.restart()
    onChange()
  }

  #handleFailure(error: unknown): void {
    const { logEvent, onChange } = this.#options
    logger.error('Streams were not switched over', error)
    this.#hasFailed = true
    logEvent({ event: 'switch-over-failed', level: LOG_ERROR })
    onChange()
  }
}
