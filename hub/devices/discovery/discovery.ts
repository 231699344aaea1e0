// Looks for devices, cameras, streaming servers and NDI sources in the network of one interface, when a user asks for
// it. A search ends by itself. docs/architecture/neighbours.md has its limits.
import type { Discovered } from '../../../contract/device/discovery.ts'
import { ipv4Number } from '../../../contract/ipv4.ts'
import { logger } from '../../../process-log/logger.ts'
import { type Description, type Findings, Inspector, type Place } from './inspect.ts'
import { type SearchNetwork, searchNetworks } from './interfaces.ts'
import { searchMdns } from './mdns.ts'
import { Pace } from './pace.ts'
import { searchSsdp } from './ssdp.ts'
import { searchCameras } from './ws-discovery.ts'

/** Milliseconds in which answers to multicast are collected. */
const LISTEN = 6000
/** Milliseconds after which a search ends, whatever it still waits for. */
const LONGEST = 120_000
/** Results of a search; further ones are dropped. */
const RESULTS_MAX = 1000
/** Ports at which devices and servers of a range are looked for, in this order. */
const RANGE_PORTS = [80, 8080, 9997, 1985, 4455] as const

type Way = Discovered['by'][number]

interface DiscoveryOptions {
  /** Whether the loopback interface is offered: for a hub that only this machine can reach. */
  allowLoopback: boolean
  /** IP addresses of the devices that have been added: a search leaves them alone. */
  knownAddresses(): ReadonlySet<string>
}

interface Search {
  network: SearchNetwork
  addresses: readonly string[]
  /** IP addresses of the devices that had been added when the search began. */
  knownAddresses: ReadonlySet<string>
  checked: number
  results: Map<string, Discovered>
  /** Announcements of machines that are looked at, or were: the way, the address and the port. */
  inspected: Set<string>
  /** What the search still waits for. */
  work: Set<Promise<void>>
  inspector: Inspector
  abort: AbortController
  isRunning: boolean
}

export class Discovery {
  readonly #options: DiscoveryOptions
  #search: Search | undefined

  constructor(options: DiscoveryOptions) {
    this.#options = options
  }

  /** Interfaces in whose network devices can be looked for. */
  networks(): SearchNetwork[] {
    return searchNetworks(this.#options.allowLoopback)
  }

  get isRunning(): boolean {
    return this.#search?.isRunning === true
  }

  /** The last search; undefined before the first one. */
  state(): (Pick<Search, 'checked' | 'network'> & { total: number; results: Discovered[] }) | undefined {
    if (!this.#search) return undefined
    const { network, checked, addresses, results } = this.#search
    const byAddress = (a: Discovered, b: Discovered) => ipv4Number(a.address) - ipv4Number(b.address) || a.port - b.port
    return { network, checked, total: addresses.length, results: [...results.values()].sort(byAddress) }
  }

  /** Starts a search, while none is running. @param addresses of a range, in the network */
  start(network: SearchNetwork, addresses: readonly string[]): void {
    const abort = new AbortController()
    const search: Search = {
      network,
      addresses,
      knownAddresses: this.#options.knownAddresses(),
      checked: 0,
      results: new Map(),
      inspected: new Set(),
      work: new Set(),
      inspector: new Inspector(new Pace(abort.signal), network.address),
      abort,
      isRunning: true
    }
    this.#search = search
    void this.#run(search)
  }

  close(): void {
    if (this.#search) this.#end(this.#search)
  }

  #end(search: Search): void {
    search.isRunning = false
    search.abort.abort()
  }

  async #run(search: Search): Promise<void> {
    const { network, abort, work } = search
    const listening = AbortSignal.any([abort.signal, AbortSignal.timeout(LISTEN)])
    const longest = setTimeout(() => this.#end(search), LONGEST)
    searchMdns(network, listening, ({ service, name, address, port }) => {
      // A connection that is closed at once ends some NDI senders, so a source is listed as it was announced.
      if (service === 'ndi')
        this.#add(search, 'mdns', { address, port, https: false }, { kind: 'ndi', https: false, name })
      else if (service === 'http')
        this.#inspect(search, 'mdns', { address, port, https: false }, async () => ({ name }))
      else this.#add(search, 'mdns', { address, port, https: false }, { kind: 'other', https: false, name })
    })
    searchSsdp(network, listening, ({ address, port, path }) =>
      this.#inspect(search, 'ssdp', { address, port: 80, https: false }, () =>
        search.inspector.readDescription(address, port, path)
      )
    )
    searchCameras(network, listening, ({ address, port, https, ...facts }) =>
      this.#add(search, 'ws-discovery', { address, port, https }, { kind: 'camera', api: 'onvif', https, ...facts })
    )
    for (const address of search.addresses) this.#track(search, this.#checkAddress(search, address))
    await new Promise<void>((resolve) => listening.addEventListener('abort', () => resolve(), { once: true }))
    while (work.size > 0) await Promise.all(work)
    clearTimeout(longest)
    this.#end(search)
  }

  #track(search: Search, work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error) => {
        // The end of the search ends what it waits for.
        if (!search.abort.signal.aborted) logger.error('A machine could not be looked at', error)
      })
      .finally(() => search.work.delete(tracked))
    search.work.add(tracked)
  }

  /** Whether a machine is announced for the first time in a search, and is not the hub. */
  #isNew(search: Search, key: string, address: string): boolean {
    if (search.inspected.has(key) || search.inspected.size >= RESULTS_MAX + search.addresses.length) return false
    search.inspected.add(key)
    return address !== search.network.address || search.network.name === 'lo'
  }

  /** @param describe what else is known of the machine, and its port, if that is another one */
  #inspect(search: Search, way: Way, announced: Place, describe: () => Promise<Description>): void {
    const { address } = announced
    if (!this.#isNew(search, `${way} ${address}:${announced.port}`, address)) return
    if (search.knownAddresses.has(address)) {
      this.#add(search, way, announced, { kind: 'other', https: false })
      return
    }
    const look = async () => {
      const { port = announced.port, ...facts } = await describe()
      const place = { ...announced, port }
      const found = await search.inspector.findApi(place)
      const api = typeof found === 'string' ? { kind: 'other' as const, https: false } : found
      this.#add(search, way, place, { ...api, ...facts })
    }
    this.#track(search, look())
  }

  async #checkAddress(search: Search, address: string): Promise<void> {
    try {
      if (search.knownAddresses.has(address)) return
      const ports = RANGE_PORTS.map((port) => ({ address, port, https: false }))
      for (const place of [ports[0], { address, port: 443, https: true }, ...ports.slice(1)]) {
        if (!place) return
        const found = await search.inspector.findApi(place)
        if (found === 'silent' && place.port === RANGE_PORTS[0]) return
        if (typeof found === 'string' || found.kind === 'other') continue
        this.#add(search, 'range', place, found)
        return
      }
    } finally {
      search.checked++
    }
  }

  /** Adds a result, or to a result what was found another way. What is announced replaces general names and models. */
  #add({ results, abort }: Search, way: Way, { address, port }: Place, findings: Findings): void {
    if (abort.signal.aborted) return
    const key = findings.kind === 'ndi' ? `${address} ${findings.name}` : `${address}:${port}`
    const existing = results.get(key)
    if (!existing && results.size >= RESULTS_MAX) return
    const isBetter = !existing || existing.kind === 'other' || existing.kind === findings.kind
    const { by = [], ...facts } = existing ?? {}
    const merged = isBetter ? { ...facts, ...findings } : { ...findings, ...facts }
    results.set(key, { ...merged, address, port, by: [...new Set([...by, way])] } as Discovered)
  }
}
