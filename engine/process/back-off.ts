// Waiting times between restarts.

/** Milliseconds. The longest wait is short enough for a stream to be back within 10 s of the end of a fault. */
const SHORTEST = 500
const LONGEST = 4000
/** A run with media for this many milliseconds resets the wait to the shortest. */
const GOOD_RUN = 10_000

interface BackOff {
  /**
   * Returns the milliseconds to wait before the next attempt, twice as long each time.
   * @param activeMs milliseconds for which the failed run had media
   */
  nextDelay(activeMs: number): number
  reset(): void
}

export function createBackOff(): BackOff {
  let next = SHORTEST
  return {
    nextDelay(activeMs) {
      if (activeMs >= GOOD_RUN) next = SHORTEST
      const delay = next
      next = Math.min(LONGEST, next * 2)
      return delay
    },
    reset() {
      next = SHORTEST
    }
  }
}

/** Calls `start` again after failures, with back-off, until it is cancelled. */
export class RetryTimer {
  readonly #backOff = createBackOff()
  readonly #start: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(start: () => void) {
    this.#start = start
  }

  /** @param activeMs as in `BackOff.nextDelay` */
  schedule(activeMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#start()
    }, this.#backOff.nextDelay(activeMs))
  }

  /** Ends the wait and starts immediately. Does nothing if there is no wait. */
  retryNow(): void {
    if (!this.#timer) return
    this.cancel()
    this.#backOff.reset()
    this.#start()
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
