/** Milliseconds: how long to wait after a failure at first, and at most. What is wanted is back within 10 s of the end of the cause. */
const SHORTEST = 500
const LONGEST = 5000
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

/** Starts something again after it has failed, with patience, until that is ended. */
export function createTries(start: () => void) {
  const backOff = createBackOff()
  let timer: NodeJS.Timeout | undefined

  function end(): void {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    /** @param carried as `BackOff.failed` */
    failed(carried: number): void {
      timer = setTimeout(() => {
        timer = undefined
        start()
      }, backOff.failed(carried))
    },
    /** Does not wait for the next try, if one is waited for. */
    retry(): void {
      if (!timer) return
      end()
      backOff.reset()
      start()
    },
    end
  }
}
