// The open connections of a listening port, with limits that leave room for known clients. Strangers, who have shown no
// session and no stream key, share a small part of the connections; when it is full, the network with the most of them
// loses its oldest one. Clients that were admitted keep their connections, and further connections from their networks
// do not compete with strangers.
import { networkPrefix } from '../../contract/network-prefix.ts'

/** Numbers of connections. */
export interface ConnectionLimits {
  /** Of all strangers, and of one network of strangers (an IPv4 address or an IPv6 /64). */
  strangers: number
  strangersPerNetwork: number
  /** Of all networks with an admitted client, and of one of them. */
  known: number
  knownPerNetwork: number
  /**
   * Whether a network at its limit gets no further connection if the server owes all of them a response. Otherwise the
   * oldest of these is closed. Set where many clients of one network connect at once, so that the first ones can
   * finish.
   */
  keepsBusy?: boolean
}

/** Networks that are remembered after an admission, and for how many milliseconds. */
const NETWORKS_MAX = 10_000
const REMEMBER_TIME = 3_600_000

interface Closable {
  destroy(): unknown
}

interface Entry<Connection> {
  connection: Connection
  network: string
  pool: Pool<Connection>
  isAdmitted: boolean
  /** Whether the server owes the client a response. */
  isBusy: boolean
}

/** Connections by network. The connections of a network are in the order of their last use. */
class Pool<Connection> {
  readonly networks = new Map<string, Set<Entry<Connection>>>()
  size = 0

  add(entry: Entry<Connection>): void {
    const entries = this.networks.get(entry.network)
    if (entries) entries.add(entry)
    else this.networks.set(entry.network, new Set([entry]))
    this.size++
  }

  delete(entry: Entry<Connection>): void {
    const entries = this.networks.get(entry.network)
    if (!entries?.delete(entry)) return
    this.size--
    if (entries.size === 0) this.networks.delete(entry.network)
  }

  countOf(network: string): number {
    return this.networks.get(network)?.size ?? 0
  }

  /** The network with the most connections that were not admitted; undefined if all connections were. */
  largestNetwork(): string | undefined {
    let largest: string | undefined
    let most = 0
    for (const [network, entries] of this.networks) {
      if (entries.size <= most) continue
      let count = 0
      for (const { isAdmitted } of entries) if (!isAdmitted) count++
      if (count > most) [largest, most] = [network, count]
    }
    return largest
  }

  /**
   * The connection of a network that is closed first: the oldest one that waits for the client, else the oldest one in
   * use.
   */
  victimOf(network: string | undefined, keepsBusy = false): Entry<Connection> | undefined {
    const entries = [...(this.networks.get(network ?? '') ?? [])].filter(({ isAdmitted }) => !isAdmitted)
    return entries.find(({ isBusy }) => !isBusy) ?? (keepsBusy ? undefined : entries[0])
  }
}

export class ConnectionTable<Connection extends Closable> {
  readonly #limits: ConnectionLimits
  readonly #now: () => number
  readonly #entries = new Map<Connection, Entry<Connection>>()
  readonly #strangers = new Pool<Connection>()
  readonly #known = new Pool<Connection>()
  /** Time of the last admission by network, the oldest first. */
  readonly #admissions = new Map<string, number>()

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: ConnectionLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * Adds a new connection, and closes another one if a limit is reached.
   * @returns false if there is none to close: the new connection has to be refused
   */
  add(connection: Connection, address: string): boolean {
    const network = networkPrefix(address)
    const isKnown = this.#isKnown(network)
    const pool = isKnown ? this.#known : this.#strangers
    const { strangers, strangersPerNetwork, known, knownPerNetwork, keepsBusy } = this.#limits
    const [max, perNetwork] = isKnown ? [known, knownPerNetwork] : [strangers, strangersPerNetwork]
    if (pool.countOf(network) >= perNetwork && !this.#close(pool.victimOf(network, keepsBusy))) return false
    if (pool.size >= max && !this.#close(pool.victimOf(pool.largestNetwork()))) return false
    const entry = { connection, network, pool, isAdmitted: false, isBusy: false }
    this.#entries.set(connection, entry)
    pool.add(entry)
    return true
  }

  /**
   * Records that the client of a connection has a session or a key. Its connection is not closed for others any more.
   */
  admit(connection: Connection): void {
    const entry = this.#entries.get(connection)
    if (!entry) return
    this.#remember(entry.network)
    if (entry.isAdmitted) return
    entry.isAdmitted = true
    if (entry.pool === this.#known) return
    entry.pool.delete(entry)
    entry.pool = this.#known
    this.#known.add(entry)
  }

  /** Makes a connection count as a stranger's again, when a session or a stream on it has ended. */
  dismiss(connection: Connection): void {
    const entry = this.#entries.get(connection)
    if (entry) entry.isAdmitted = false
  }

  /** Records whether the server owes the client a response. */
  setBusy(connection: Connection, isBusy: boolean): void {
    const entry = this.#entries.get(connection)
    if (!entry || entry.isBusy === isBusy) return
    entry.isBusy = isBusy
    if (isBusy || entry.isAdmitted) return
    // The last one used is closed last.
    entry.pool.delete(entry)
    entry.pool.add(entry)
  }

  delete(connection: Connection): void {
    const entry = this.#entries.get(connection)
    if (!entry) return
    this.#entries.delete(connection)
    entry.pool.delete(entry)
  }

  #isKnown(network: string): boolean {
    const admittedAt = this.#admissions.get(network)
    return admittedAt !== undefined && this.#now() - admittedAt < REMEMBER_TIME
  }

  #remember(network: string): void {
    this.#admissions.delete(network)
    this.#admissions.set(network, this.#now())
    if (this.#admissions.size > NETWORKS_MAX) this.#admissions.delete(this.#admissions.keys().next().value ?? '')
  }

  #close(victim: Entry<Connection> | undefined): boolean {
    if (!victim) return false
    this.delete(victim.connection)
    victim.connection.destroy()
    return true
  }
}
