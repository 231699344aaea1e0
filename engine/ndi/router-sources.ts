// Presence of the sources of a matrix: announced by the network, and on a machine that answers. Announcements of a machine whose cable was
// pulled last for an hour, so the engine also connects to the port of the source.
import { connect } from 'node:net'
import type { ObservedMatrix } from '../interfaces/router.ts'

/** Milliseconds after its start that the finder has to find sources, before those that it has not found count as absent. */
const SEARCH_TIME = 3000
/** Milliseconds between two connections to a machine, and for a response. The time covers the loss of one packet. */
const PROBE_INTERVAL = 1000
const PROBE_TIMEOUT = 1500

type Presence = ObservedMatrix['sources'][number]

export class RouterSources {
  readonly #onChange: () => void
  /** Addresses of announced sources, by name. */
  readonly #addresses = new Map<string, string>()
  /** The machines that do not answer. */
  readonly #silentHosts = new Set<string>()
  readonly #presence = new Map<string, Presence>()
  #wanted: readonly string[] = []
  #searchedUntil = Number.POSITIVE_INFINITY
  readonly #probing = new Set<string>()
  readonly #timer: ReturnType<typeof setInterval>

  constructor(onChange: () => void) {
    this.#onChange = onChange
    this.#timer = setInterval(() => this.#tick(), PROBE_INTERVAL)
  }

  /** @param names the sources whose presence is wanted */
  watch(names: readonly string[]): void {
    this.#wanted = names
    for (const name of this.#presence.keys()) if (!names.includes(name)) this.#presence.delete(name)
    this.#refresh()
  }

  /** A finder has started. It knows nothing yet, so the presence of all sources stays as it is for a while. */
  finderStarted(): void {
    this.#addresses.clear()
    this.#searchedUntil = performance.now() + SEARCH_TIME
  }

  /** There is no finder. */
  finderEnded(): void {
    this.#searchedUntil = Number.POSITIVE_INFINITY
  }

  /** No source can be looked for. */
  forget(): void {
    this.#presence.clear()
    this.#addresses.clear()
  }

  /** @param address undefined: the source is not announced any more */
  sourceChanged(name: string, address: string | undefined): void {
    if (address === undefined) this.#addresses.delete(name)
    else this.#addresses.set(name, address)
    this.#refresh()
  }

  observe(): Presence[] {
    return [...this.#presence.values()]
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const byHost = new Map<string, number>()
    for (const name of this.#wanted) {
      const [host, port] = this.#addresses.get(name)?.split(':') ?? []
      if (host && port) byHost.set(host, Number(port))
    }
    for (const host of this.#silentHosts) if (!byHost.has(host)) this.#silentHosts.delete(host)
    for (const [host, port] of byHost) this.#probe(host, port)
    this.#refresh()
  }

  /** Connects to a source. A refused connection is an answer, too. */
  #probe(host: string, port: number): void {
    if (this.#probing.has(host)) return
    this.#probing.add(host)
    const socket = connect({ host, port, timeout: PROBE_TIMEOUT })
    const finish = (isSilent: boolean) => {
      socket.destroy()
      this.#probing.delete(host)
      if (isSilent) this.#silentHosts.add(host)
      else this.#silentHosts.delete(host)
      this.#refresh()
    }
    socket.once('connect', () => finish(false))
    socket.once('timeout', () => finish(true))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => finish(code !== 'ECONNREFUSED' && code !== 'ECONNRESET'))
  }

  #refresh(): void {
    let hasChanged = false
    for (const name of this.#wanted) {
      const address = this.#addresses.get(name)
      const online = address !== undefined && !this.#silentHosts.has(address.split(':')[0] ?? '')
      // A source that is not announced may not have been found yet.
      if (address === undefined && performance.now() < this.#searchedUntil) continue
      if (this.#presence.get(name)?.online === online) continue
      this.#presence.set(name, { name, online, since: Date.now() })
      hasChanged = true
    }
    if (hasChanged) this.#onChange()
  }
}
