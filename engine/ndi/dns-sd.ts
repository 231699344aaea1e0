// Discovery of NDI sources by DNS-SD over multicast DNS (RFC 6762, RFC 6763), for a machine without the NDI runtime:
// the list of sources is then known although none can be received. Sources of NDI groups and of discovery servers are
// not announced this way.
import { networkInterfaces } from 'node:os'
import multicastDns, { type MulticastDNS, type ResponsePacket } from 'multicast-dns'

const SERVICE = '_ndi._tcp.local'
/** Milliseconds between two queries. */
const QUERY_INTERVAL = 10_000
/** Milliseconds without an answer after which a source is gone: three queries were not answered. */
const GONE_AFTER = 35_000
/** Sources, hosts whose addresses are kept, and addresses of each. */
const ENTRIES_MAX = 1000
const ADDRESSES_MAX = 8
/** Names that are asked for their host and port between two queries. */
const ASKED_MAX = 100

interface Service {
  host: string
  port: number
  /** Address of the sender. It is that of the host, unless a gateway has forwarded the packet. */
  sender: string
  seenAt: number
}

interface DnsSdOptions {
  /** Called when a source appears, disappears or moves. */
  onChange(): void
  /** Milliseconds of a monotonic clock. */
  now?(): number
  /** Opens a socket. @param address of the network interface */
  open?(address: string): MulticastDNS
}

/** One socket for each network interface, because a socket sends multicast through one of them. */
const openSocket = (address: string) => multicastDns({ interface: address, bind: '0.0.0.0', reuseAddr: true })

export class DnsSdBrowser {
  readonly #onChange: () => void
  readonly #now: () => number
  readonly #open: (address: string) => MulticastDNS
  /** By address of the interface. */
  readonly #sockets = new Map<string, MulticastDNS>()
  /** By NDI name. */
  readonly #services = new Map<string, Service>()
  /** Names that were asked for their host and port since the last query for all sources. */
  readonly #asked = new Set<string>()
  /** IPv4 addresses by host name in lower case. */
  readonly #hosts = new Map<string, Set<string>>()
  #timer: ReturnType<typeof setInterval> | undefined
  /** The last sources as text, to notice a change. */
  #lastSources = '[]'

  constructor({ onChange, now = () => performance.now(), open = openSocket }: DnsSdOptions) {
    this.#onChange = onChange
    this.#now = now
    this.#open = open
  }

  start(): void {
    if (this.#timer) return
    this.#timer = setInterval(() => this.#query(), QUERY_INTERVAL).unref()
    this.#query()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const socket of this.#sockets.values()) socket.destroy()
    this.#sockets.clear()
    this.#services.clear()
    this.#asked.clear()
    this.#hosts.clear()
    this.#lastSources = '[]'
  }

  /** Addresses of the sources by name. */
  sources(): Map<string, string> {
    const addressOf = ({ host, port, sender }: Service) => {
      const addresses = this.#hosts.get(host.toLowerCase()) ?? new Set([sender])
      return `${addresses.has(sender) ? sender : [...addresses][0]}:${port}`
    }
    const current = [...this.#services].filter(([, { seenAt }]) => this.#now() - seenAt <= GONE_AFTER)
    return new Map(current.map(([name, service]) => [name, addressOf(service)]))
  }

  #query(): void {
    this.#asked.clear()
    this.#openSockets()
    const current = this.sources()
    for (const name of this.#services.keys()) if (!current.has(name)) this.#services.delete(name)
    const hosts = new Set([...this.#services.values()].map(({ host }) => host.toLowerCase()))
    for (const host of this.#hosts.keys()) if (!hosts.has(host)) this.#hosts.delete(host)
    this.#announceChange()
    for (const socket of this.#sockets.values()) socket.query(SERVICE, 'PTR')
  }

  /** Opens sockets for new interfaces, and closes those of interfaces that are gone. */
  #openSockets(): void {
    const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    const current = new Set(interfaces.filter(({ family }) => family === 'IPv4').map(({ address }) => address))
    for (const [address, socket] of this.#sockets) {
      if (current.has(address)) continue
      this.#sockets.delete(address)
      socket.destroy()
    }
    for (const address of current) if (!this.#sockets.has(address)) this.#openSocket(address)
  }

  #openSocket(address: string): void {
    const socket = this.#open(address)
    this.#sockets.set(address, socket)
    socket.on('response', (packet, { address: sender }) => this.#handleResponse(packet, sender))
    // Packets that cannot be parsed, and interfaces without multicast.
    socket.on('warning', () => {})
    socket.on('error', () => {
      if (this.#sockets.get(address) === socket) this.#sockets.delete(address)
      socket.destroy()
    })
  }

  #handleResponse(packet: ResponsePacket, sender: string): void {
    for (const record of [...packet.answers, ...packet.additionals]) {
      if (record.type === 'SRV') {
        const name = instanceOf(record.name)
        if (name === undefined) continue
        // A goodbye (RFC 6762, 10.1).
        if (record.ttl === 0) this.#services.delete(name)
        else this.#add(name, { host: record.data.target, port: record.data.port, sender, seenAt: this.#now() })
      } else if (record.type === 'PTR' && record.name.toLowerCase() === SERVICE) {
        const name = instanceOf(record.data)
        if (name === undefined) continue
        const service = this.#services.get(name)
        if (record.ttl === 0) this.#services.delete(name)
        else if (service) service.seenAt = this.#now()
        else this.#ask(name, record.data)
      } else if (record.type === 'A') this.#addHost(record.name, record.data)
    }
    this.#announceChange()
  }

  /**
   * Asks for the record with host and port, which an answer can leave out. Anyone in the network can send names, so
   * each is asked for once between two queries for all sources, and none while there is no room for its source.
   */
  #ask(name: string, serviceName: string): void {
    const isFull = this.#services.size >= ENTRIES_MAX || this.#asked.size >= ASKED_MAX
    if (isFull || this.#asked.has(name)) return
    this.#asked.add(name)
    for (const socket of this.#sockets.values()) socket.query(serviceName, 'SRV')
  }

  #add(name: string, service: Service): void {
    if (this.#services.has(name) || this.#services.size < ENTRIES_MAX) this.#services.set(name, service)
  }

  #addHost(name: string, address: string): void {
    const host = name.toLowerCase()
    const addresses = this.#hosts.get(host) ?? new Set()
    if (addresses.size < ADDRESSES_MAX) addresses.add(address)
    if (this.#hosts.has(host) || this.#hosts.size < ENTRIES_MAX) this.#hosts.set(host, addresses)
  }

  #announceChange(): void {
    const sources = JSON.stringify([...this.sources()])
    if (sources === this.#lastSources) return
    this.#lastSources = sources
    this.#onChange()
  }
}

/** The NDI name in the name of a service instance, `MACHINE (Source)._ndi._tcp.local`. A name can contain dots. */
function instanceOf(serviceName: string): string | undefined {
  const end = serviceName.length - SERVICE.length - 1
  return end > 0 && serviceName.toLowerCase().endsWith(`.${SERVICE}`) ? serviceName.slice(0, end) : undefined
}
