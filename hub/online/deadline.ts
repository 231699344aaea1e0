// A time limit that can be restarted, as the signal of a request.
import { OnlineError } from './online-error.ts'

export class Deadline {
  /** Aborted with `OnlineError` when the time is over, and together with the outer signal. */
  readonly signal: AbortSignal
  readonly #milliseconds: number
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number, outer: AbortSignal) {
    this.#milliseconds = milliseconds
    this.signal = AbortSignal.any([outer, this.#controller.signal])
    this.restart()
  }

  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(new OnlineError('timeout')), this.#milliseconds)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
