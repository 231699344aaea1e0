// Work that waits for the end of a storage fault.
import { logger } from '../../process-log/logger.ts'

/** Items kept; beyond them the oldest is dropped. */
const ITEMS_MAX = 10_000

export class DeferredWork {
  #items: (() => unknown)[] = []

  add(...items: (() => unknown)[]): undefined {
    this.#items.push(...items)
    if (this.#items.length > ITEMS_MAX) this.#items = this.#items.slice(-ITEMS_MAX)
    return undefined
  }

  /** Removes all items and runs them, oldest first. One that fails does not affect the others. */
  run(runItem: (work: () => unknown) => void): void {
    for (const work of this.#items.splice(0)) {
      try {
        runItem(work)
      } catch (error) {
        logger.error('A deferred write failed', error)
      }
    }
  }
}
