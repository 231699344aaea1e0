// Notices that the other end of a connection is silent. Time during which this process itself did not run, because it
// was stopped or busy, does not count.

interface SilenceMonitorOptions {
  /** Called at each check. */
  onCheck(): void
  onSilence(): void
}

export class SilenceMonitor {
  readonly #max: number
  readonly #interval: number
  readonly #options: SilenceMonitorOptions
  readonly #timer: ReturnType<typeof setInterval>
  #lastMessageAt = performance.now()
  #lastCheckAt = performance.now()

  /**
   * @param max milliseconds without a message
   * @param interval milliseconds between checks
   */
  constructor(max: number, interval: number, options: SilenceMonitorOptions) {
    this.#max = max
    this.#interval = interval
    this.#options = options
    this.#timer = setInterval(() => this.#check(), interval)
  }

  /** A message was received. */
  reset(): void {
    this.#lastMessageAt = performance.now()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const now = performance.now()
    const pause = now - this.#lastCheckAt - this.#interval
    // Messages that arrived during a pause have not been read yet.
    if (pause > this.#interval) this.#lastMessageAt += pause
    this.#lastCheckAt = now
    if (now - this.#lastMessageAt > this.#max) this.#options.onSilence()
    else this.#options.onCheck()
  }
}
