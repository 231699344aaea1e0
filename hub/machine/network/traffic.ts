// Traffic of each interface, measured between two readings of its byte counters.
import type { NetworkInterface } from '../../../contract/machine/network.ts'

/** Milliseconds between two readings of which a rate is computed, at least. */
const MIN_INTERVAL = 1000
/** A reading that is older than this says nothing about the traffic of now. */
const MAX_AGE = 60_000

type Counters = Pick<NetworkInterface, 'iface' | 'rx-bytes' | 'tx-bytes'>
type Rates = Pick<NetworkInterface, 'rx' | 'tx'>

interface Reading {
  rx: number
  tx: number
  at: number
}

export class TrafficMeter {
  readonly #now: () => number
  readonly #readings = new Map<string, Reading>()
  readonly #rates = new Map<string, Rates & { at: number }>()

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Rates in Mbps since the last reading, which becomes this one. Empty without an earlier reading. */
  measure({ iface, 'rx-bytes': rx, 'tx-bytes': tx }: Counters): Rates {
    const at = this.#now()
    const last = this.#readings.get(iface)
    const elapsed = at - (last?.at ?? Number.NEGATIVE_INFINITY)
    if (elapsed < MIN_INTERVAL) return this.#recentRates(iface, at)
    this.#readings.set(iface, { rx, tx, at })
    this.#rates.delete(iface)
    // Counters restart at 0 with a new interface of the same name.
    if (!last || elapsed > MAX_AGE || rx < last.rx || tx < last.tx) return {}
    const mbps = (bytes: number) => Number(((bytes * 8) / 1000 / elapsed).toFixed(3))
    const rates = { rx: mbps(rx - last.rx), tx: mbps(tx - last.tx) }
    this.#rates.set(iface, { ...rates, at })
    return rates
  }

  #recentRates(iface: string, at: number): Rates {
    const known = this.#rates.get(iface)
    if (!known || at - known.at > MAX_AGE) return {}
    return { ...(known.rx !== undefined && { rx: known.rx }), ...(known.tx !== undefined && { tx: known.tx }) }
  }
}
