// The time at which the hub was started, which a change of the clock moves, so that the uptime stays right.
export class StartTime {
  #at = Date.now()

  /** Milliseconds since the epoch. */
  get at(): number {
    return this.#at
  }

  /** @param step milliseconds by which the clock was set forward; negative: back */
  shift(step: number): void {
    this.#at += step
  }
}
