// The clients of a matrix. Anybody at an allowed address can connect, so a new client replaces another one when there
// are too many: first one that has sent no request, then one of a network that has several.
import { networkPrefix } from '../../contract/network-prefix.ts'

/** Clients of a matrix. */
export const CLIENTS_MAX = 64
/** Clients of one network: of an IPv4 address, or of an IPv6 /64. */
export const NETWORK_CLIENTS_MAX = 8

interface Entry {
  network: string
  /** Whether the client has sent a valid request. */
  isActive: boolean
}

export class ClientTable<Client> {
  /** In the order of their last requests, the latest one at the end. */
  readonly #entries = new Map<Client, Entry>()

  /**
   * Adds a client.
   * @returns the client that it replaces, which is no longer in the table; `full` if there is none to replace
   */
  add(client: Client, address: string): Client | 'full' | undefined {
    const network = networkPrefix(address)
    const sizes = this.#countByNetwork(() => true)
    let victim: Client | undefined
    if ((sizes.get(network) ?? 0) >= NETWORK_CLIENTS_MAX) victim = this.#victimOf(network)
    else if (this.#entries.size >= CLIENTS_MAX) {
      const idle = this.#countByNetwork(({ isActive }) => !isActive)
      const [largest, size] = largestOf(idle.size > 0 ? idle : sizes)
      if (idle.size === 0 && size < 2) return 'full'
      victim = this.#victimOf(largest)
    }
    if (victim !== undefined) this.#entries.delete(victim)
    this.#entries.set(client, { network, isActive: false })
    return victim
  }

  /** A client has sent a valid request. */
  recordRequest(client: Client): void {
    const entry = this.#entries.get(client)
    if (!entry) return
    this.#entries.delete(client)
    this.#entries.set(client, { ...entry, isActive: true })
  }

  delete(client: Client): void {
    this.#entries.delete(client)
  }

  #countByNetwork(isCounted: (entry: Entry) => boolean): Map<string, number> {
    const counts = new Map<string, number>()
    for (const entry of this.#entries.values())
      if (isCounted(entry)) counts.set(entry.network, (counts.get(entry.network) ?? 0) + 1)
    return counts
  }

  /** The oldest client of a network that has sent no request, else the one whose last request is the oldest. */
  #victimOf(network: string): Client | undefined {
    const entries = [...this.#entries].filter(([, entry]) => entry.network === network)
    return (entries.find(([, { isActive }]) => !isActive) ?? entries[0])?.[0]
  }
}

function largestOf(counts: ReadonlyMap<string, number>): [network: string, count: number] {
  let largest: [string, number] = ['', 0]
  for (const entry of counts) if (entry[1] > largest[1]) largest = entry
  return largest
}
