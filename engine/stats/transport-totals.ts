// Adds up the errors of a transport stream over counters that begin at 0 again.
import { TRANSPORT_ERRORS } from '../../contract/stream/transport.ts'
import type { TransportCount, TransportCounts } from '../interfaces/relay.ts'

const NO_ERRORS: readonly TransportCount[] = TRANSPORT_ERRORS.map(() => ({ count: 0, at: 0 }))

export class TransportTotals {
  #last = NO_ERRORS
  #totals = NO_ERRORS
  #pcrJitterMs: number | undefined

  /** The errors since the start or the last reset. */
  counts(): TransportCounts {
    return { errors: this.#totals, ...(this.#pcrJitterMs !== undefined && { pcrJitterMs: this.#pcrJitterMs }) }
  }

  /** Adds the errors since the last call. Returns their number. */
  add({ errors, pcrJitterMs }: TransportCounts): number {
    this.#pcrJitterMs = pcrJitterMs
    const last = this.#last
    if (errors === last) return 0
    this.#last = errors
    let added = 0
    this.#totals = this.#totals.map((total, index) => {
      const { count = 0, at = 0 } = errors[index] ?? {}
      const increase = Math.max(0, count - (last[index]?.count ?? 0))
      added += increase
      return increase > 0 ? { count: total.count + increase, at } : total
    })
    return added
  }

  /** Other counters follow, of which the errors so far are not added. Default: they begin at 0. */
  setBaseline(counts?: TransportCounts): void {
    this.#last = counts?.errors ?? NO_ERRORS
    this.#pcrJitterMs = undefined
  }

  reset(): void {
    this.#totals = NO_ERRORS
  }
}
