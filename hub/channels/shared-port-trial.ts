// A new number for the shared SRT or RTMP port, which a user confirms. The engine moves the port, which disconnects its
// clients. Without a confirmation, or when the engine cannot open it, the port moves back. Nothing is stored before the
// confirmation, so a hub that is restarted meanwhile has its old port.
import { PORT_CONFIRM_TIME, type PortOutcome, type PortTrial } from '../../contract/web/ports.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { logger } from '../../process-log/logger.ts'

/** The shared ports, which are settings of these names. */
export type SharedPortName = 'srt' | 'rtmp'

interface SharedPortTrialOptions {
  /** Makes the engine move a port; without a number, back to the stored one. */
  movePort(name: SharedPortName, port: number | undefined): Promise<void>
  engine: Pick<EngineClient, 'observePorts'>
  /** Stores a confirmed port, at which the engine stays. */
  store(name: SharedPortName, port: number): void
  onChange(): void
  onEvent(event: 'port-confirmed' | 'port-not-confirmed', detail: string): void
  /** Milliseconds until a new port moves back; for tests. */
  confirmTime?: number | undefined
}

interface Trial {
  name: SharedPortName
  port: number
  endsAt: number
  timer: NodeJS.Timeout
}

/** Milliseconds between checks whether the engine could open the port. */
const CHECK_INTERVAL = 250

export class SharedPortTrial {
  readonly #options: SharedPortTrialOptions
  #trial: Trial | undefined
  #last: PortOutcome | undefined

  constructor(options: SharedPortTrialOptions) {
    this.#options = options
  }

  observe(): PortTrial | undefined {
    if (!this.#trial) return undefined
    const { name, port, endsAt } = this.#trial
    return { name, port, 'remaining-s': Math.max(0, Math.ceil((endsAt - performance.now()) / 1000)) }
  }

  last(): PortOutcome | undefined {
    return this.#last
  }

  /** Moves the port. */
  async start(name: SharedPortName, port: number): Promise<void> {
    const { movePort, onChange, confirmTime = PORT_CONFIRM_TIME * 1000 } = this.#options
    const timer = setInterval(() => this.#check(), CHECK_INTERVAL)
    this.#trial = { name, port, endsAt: performance.now() + confirmTime, timer }
    onChange()
    await movePort(name, port)
  }

  /** Keeps the new port. @returns whether there was one */
  confirm(): boolean {
    const trial = this.#end('confirmed')
    if (!trial) return false
    this.#options.store(trial.name, trial.port)
    this.#options.onEvent('port-confirmed', `${trial.name} ${trial.port}`)
    return true
  }

  /** Moves the port back at once. @returns whether there was a new one */
  cancel(): boolean {
    return this.#goBack('canceled')
  }

  close(): void {
    clearInterval(this.#trial?.timer)
    this.#trial = undefined
  }

  #check(): void {
    const { name = 'srt', endsAt = 0 } = this.#trial ?? {}
    const hasFailed = this.#options.engine.observePorts()[name].reason !== undefined
    if (hasFailed || performance.now() >= endsAt) this.#goBack('not-confirmed')
  }

  #goBack(outcome: 'canceled' | 'not-confirmed'): boolean {
    const trial = this.#end(outcome)
    if (!trial) return false
    if (outcome === 'not-confirmed') this.#options.onEvent('port-not-confirmed', `${trial.name} ${trial.port}`)
    this.#options.movePort(trial.name, undefined).catch((error) => logger.error('Shared port', error))
    return true
  }

  #end(outcome: PortOutcome['outcome']): Trial | undefined {
    const trial = this.#trial
    if (!trial) return undefined
    clearInterval(trial.timer)
    this.#trial = undefined
    this.#last = { name: trial.name, port: trial.port, outcome, at: Date.now() }
    this.#options.onChange()
    return trial
  }
}
