/** Milliseconds: how long to wait after a failure at first, and at most. */
const SHORTEST = 500
const LONGEST = 10_000
/** A run that carried for this long starts the row anew. */
const GOOD_RUN = 10_000

export interface BackOff {
  /**
   * How long to wait before the next try.
   * @param carried milliseconds for which the run that just failed carried media
   */
  failed(carried: number): number
  reset(): void
}

export function createBackOff(): BackOff {
  let next = SHORTEST
  return {
    failed(carried) {
      if (carried >= GOOD_RUN) next = SHORTEST
      const delay = next
      next = Math.min(LONGEST, next * 2)
      return delay
    },
    reset() {
      next = SHORTEST
    }
  }
}
