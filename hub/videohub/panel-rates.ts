// Rates of the clients of all matrices. They are kept while clients are disconnected, so that reconnecting does not
// restore a burst.
import { networkPrefix } from '../../contract/network-prefix.ts'
import { type Rate, RateLimit } from './rate-limit.ts'

/** Connections and requests of one address. */
const REQUEST_RATE: Rate = { burst: 200, perSecond: 100 }
/**
 * Requests of one address that change something or ask for a status block. A controller sends one request for each of
 * 64 routes at once.
 */
export const WORK_RATE: Rate = { burst: 128, perSecond: 20 }
/** Requests of all addresses that change something. Each one is written to disk and to the log. */
const CHANGE_RATE: Rate = { burst: 256, perSecond: 50 }
/** Addresses whose rate is remembered. */
const ADDRESSES_MAX = 1000

/** The rates of one address. */
export interface AddressRates {
  /** Of connections and requests. */
  requests: RateLimit
  /** Of requests that change something, or ask for a status block. */
  work: RateLimit
}

export class PanelRates {
  /** Rate of the changes of all clients. */
  readonly changes = new RateLimit(CHANGE_RATE)
  /** By network prefix, the one used last at the end. */
  readonly #byAddress = new Map<string, AddressRates>()

  of(address: string): AddressRates {
    const key = networkPrefix(address)
    const rates = this.#byAddress.get(key) ?? {
      requests: new RateLimit(REQUEST_RATE),
      work: new RateLimit(WORK_RATE)
    }
    this.#byAddress.delete(key)
    this.#byAddress.set(key, rates)
    if (this.#byAddress.size > ADDRESSES_MAX) this.#byAddress.delete(this.#byAddress.keys().next().value ?? '')
    return rates
  }
}
