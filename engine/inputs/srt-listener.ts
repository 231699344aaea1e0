import type { SourceUrl } from '../../contract/stream/source-url.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { KeyChecks, Processes, SrtProgram } from '../interfaces/leg-parts.ts'
import type { Relay } from '../interfaces/relay.ts'
import { runIntoRelay } from '../relay/relay-address.ts'
import { listenForSrtSender } from '../srt/listener-input.ts'

export type SrtListenerParts = Processes & SrtProgram & KeyChecks

/** Listens for an SRT sender with `headend-srt`, or without it with the process of the launch. */
export class SrtListener {
  readonly #context: SrtListenerParts
  #failure: Failure | undefined

  constructor(context: SrtListenerParts) {
    this.#context = context
  }

  async run(url: SourceUrl, launch: Launch, relay: Relay): Promise<Process> {
    const program = this.#context.srtProgram()
    this.#failure = undefined
    if (program === undefined) return runIntoRelay(this.#context.launcher, launch, relay)
    return listenForSrtSender(url, program, this.#context, launch, relay, (failure) => {
      this.#failure = failure
    })
  }

  /** Why the port could not be opened. */
  failure(): Failure | undefined {
    return this.#failure
  }
}
