// Limits a rate by delaying: a burst is served at once, what exceeds the rate waits in a queue.

export interface Rate {
  /** How many are served at once after a pause. */
  burst: number
  perSecond: number
}

export class RateLimit {
  readonly #rate: Rate
  readonly #now: () => number
  /** How many can be served at `#countedAt`. */
  #available: number
  #countedAt: number
  /** First in, first out. */
  readonly #queue = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined

  /** @param now milliseconds of a monotonic clock */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate
    this.#now = now
    this.#available = rate.burst
    this.#countedAt = now()
  }

  /**
   * Waits until the rate permits one more. @throws the reason of the signal, if it is aborted before; then nothing is
   * counted
   */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.#refill()
    if (this.#queue.size === 0 && this.#available >= 1) {
      this.#available--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#queue.delete(serve)
        reject(signal.reason)
      }
      const serve = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#queue.add(serve)
      this.#schedule()
    })
  }

  #refill(): void {
    const { burst, perSecond } = this.#rate
    const now = this.#now()
    this.#available = Math.min(burst, this.#available + ((now - this.#countedAt) / 1000) * perSecond)
    this.#countedAt = now
  }

  #schedule(): void {
    const missing = 1 - this.#available
    this.#timer ??= setTimeout(() => this.#serveQueue(), Math.ceil((missing / this.#rate.perSecond) * 1000))
  }

  #serveQueue(): void {
    this.#timer = undefined
    this.#refill()
    for (const serve of this.#queue) {
      if (this.#available < 1) break
      this.#available--
      this.#queue.delete(serve)
      serve()
    }
    if (this.#queue.size > 0) this.#schedule()
  }
}
