// Deletes entries of the trash after 30 days.
import type { Store } from './store.ts'

const CHECK_INTERVAL = 3_600_000

export class TrashExpiry {
  readonly #store: Pick<Store, 'trash' | 'database' | 'changes'>
  #timer: NodeJS.Timeout | undefined

  constructor(store: Pick<Store, 'trash' | 'database' | 'changes'>) {
    this.#store = store
  }

  start(): void {
    this.check()
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL).unref()
  }

  /** Runs on a timer. */
  check(): void {
    const { database, trash, changes } = this.#store
    if (database.storageFault) return
    if (database.transaction(() => trash.removeExpired())) changes.markChanged('trash')
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
