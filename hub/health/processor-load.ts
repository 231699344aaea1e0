// Whether the programs of the engine get too little of the processor, so that streams suffer on this machine.
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'

/** Shares of the last 10 s for which a program waited for a processor, from which the hub is busy, and is no more. */
const BUSY_FROM = 0.7
const BUSY_UNTIL = 0.4

export class ProcessorLoad {
  readonly #engine: Pick<EngineClient, 'usage'>
  #isBusy = false

  constructor(engine: Pick<EngineClient, 'usage'>) {
    this.#engine = engine
  }

  isBusy(): boolean {
    this.#isBusy = (this.#engine.usage()?.processorWait ?? 0) >= (this.#isBusy ? BUSY_UNTIL : BUSY_FROM)
    return this.#isBusy
  }
}
