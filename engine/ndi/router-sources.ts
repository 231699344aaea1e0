// Presence of the sources of a matrix: announced by the network, and their port answers. The announcements of a machine
// whose cable was pulled last for an hour, and those of a program that was killed for seconds, so the engine also
// connects to one source of each machine per second.
import type { ObservedMatrix } from '../interfaces/router.ts'
import { probePort } from './source-probes.ts'

/**
 * Milliseconds after its start that the finder has to find sources, before those that it has not found count as absent.
 */
const SEARCH_TIME = 3000
/** Milliseconds between two connections to a machine. */
const PROBE_INTERVAL = 1000

type Presence = ObservedMatrix['sources'][number]

const hostOf = (address: string) => address.split(':')[0] ?? ''

export class RouterSources {
  readonly #onChange: () => void
  /**
   * Addresses of all announced sources, by name: at most 1000, which is the limit of the finder. It reports a source
   * once, so those that are not wanted are kept for a matrix to which they are added later.
   */
  readonly #addresses = new Map<string, string>()
  /**
   * The machines that have answered. A firewall may refuse the others to this machine and not to receivers, so they
   * count as present.
   */
  readonly #knownHosts = new Set<string>()
  /** The machines that do not answer any more. */
  readonly #silentHosts = new Set<string>()
  /** The sources whose ports refuse connections: their programs have ended. */
  readonly #ended = new Set<string>()
  readonly #presence = new Map<string, Presence>()
  readonly #probing = new Set<string>()
  readonly #timer: ReturnType<typeof setInterval>
  #wanted: readonly string[] = []
  #searchedUntil = Number.POSITIVE_INFINITY
  #tickCount = 0

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
    if (!this.#wanted.includes(name)) return
    if (address !== undefined && this.#ended.has(name)) void this.#probe(name, address)
    this.#refresh()
  }

  observe(): Presence[] {
    return [...this.#presence.values()]
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    this.#tickCount++
    const byHost = Map.groupBy(
      this.#wanted.filter((name) => this.#addresses.has(name)),
      (name) => hostOf(this.#addresses.get(name) ?? '')
    )
    for (const host of this.#silentHosts) if (!byHost.has(host)) this.#silentHosts.delete(host)
    for (const names of byHost.values()) {
      const name = names.find((each) => this.#ended.has(each)) ?? names[this.#tickCount % names.length] ?? ''
      void this.#probe(name, this.#addresses.get(name) ?? '')
    }
    this.#refresh()
  }

  /** Connects to a source. */
  async #probe(name: string, address: string): Promise<void> {
    const [host = '', port = ''] = address.split(':')
    if (this.#probing.has(name) || !/^\d+$/.test(port) || Number(port) > 65_535) return
    this.#probing.add(name)
    const outcome = await probePort(host, Number(port))
    this.#probing.delete(name)
    if (outcome === 'silent' && this.#knownHosts.has(host)) this.#silentHosts.add(host)
    if (outcome !== 'silent') this.#silentHosts.delete(host)
    if (outcome === 'refuses' && this.#knownHosts.has(host)) this.#ended.add(name)
    if (outcome === 'answers') {
      this.#knownHosts.add(host)
      this.#ended.delete(name)
    }
    this.#refresh()
  }

  #refresh(): void {
    let hasChanged = false
    for (const name of this.#wanted) {
      const address = this.#addresses.get(name)
      const online = address !== undefined && !this.#ended.has(name) && !this.#silentHosts.has(hostOf(address))
      // A source that is not announced may not have been found yet.
      if (address === undefined && performance.now() < this.#searchedUntil) continue
      if (this.#presence.get(name)?.online === online) continue
      this.#presence.set(name, { name, online, since: Date.now() })
      hasChanged = true
    }
    if (hasChanged) this.#onChange()
  }
}
