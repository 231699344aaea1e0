// An SRT port with many connections. `headend-srt` (engine/native/srt) accepts callers with a known stream ID and
// connects each to the relay of a stream. This module runs the program, sends it the keys, and receives its events as
// JSON lines.
import type { KeyLength } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { logger } from '../../process-log/logger.ts'
import { addressOfPeer, createIpAllowList } from '../access/ip-allow-list.ts'
import { NotInstalledError } from '../interfaces/errors.ts'
import type { Launcher, Process } from '../interfaces/launcher.ts'
import type { KeyThrottle } from '../interfaces/leg-parts.ts'
import type { RelayAddress } from '../interfaces/relay.ts'
import type { SrtStats } from '../interfaces/srt-stats.ts'
import { RetryTimer } from '../process/back-off.ts'
import { programFailure } from '../process/failure.ts'
import { RecentFailure } from '../process/recent-failure.ts'
import { isSameForClients, keyFields, type SrtPortKey } from './port-key.ts'

export interface SrtClient {
  id: number
  /** Token of its key. */
  token: string
  /** `address:port`, an IPv6 address in brackets. */
  peer: string
  /** When it connected, as `SrtPortOptions.now`. */
  since: number
  stats?: SrtStats
}

/** A refused caller. */
export interface SrtRefusal {
  cause: 'key' | 'mode' | 'forbidden' | 'busy' | 'full' | 'passphrase' | 'handshake'
  /** Empty if the stream ID is unknown. */
  token: string
  /** `address:port` */
  peer: string
  /** Result of `hashKey` for an unknown stream ID. */
  keyHash?: string
  /** The resource name in an unknown stream ID, at most 64 bytes of it. */
  name?: string
  /** Whether an unknown stream ID says that the caller wants to play. */
  plays?: boolean
}

/** The event of `headend-srt` for a refused caller. */
interface RefusalMessage {
  refused: SrtRefusal['cause']
  token: string
  peer: string
  mark?: string
  /** In hexadecimal. */
  name?: string
  plays?: boolean
}

interface SrtPortOptions {
  launcher: Pick<Launcher, 'run'>
  /** Path of `headend-srt`. */
  program: string
  host: string
  /** 0 lets the system choose. */
  port: number
  keyLength: KeyLength
  /**
   * Longest latency of its keys in milliseconds, for which the buffers must be large enough. Default: buffers for 2 s.
   */
  latency?: number
  /** A client connected. It has no media until `link` is called. */
  onConnect(client: SrtClient): void
  /** The relay has closed the connection of a client, which stays connected. */
  onUnlink?(client: SrtClient): void
  onDisconnect(client: SrtClient): void
  onRefusal(refusal: SrtRefusal): void
  /** A client has new statistics. */
  onStats?(client: SrtClient, stats: SrtStats): void
  /** Blocks addresses that guess stream IDs. Default: none are blocked. */
  keyThrottle?: KeyThrottle
  /** The port opened or failed, or statistics arrived. */
  onChange(): void
  now(): number
}

/** The command that installs the program. */
export const INSTALL_SRT = 'apt-get install -y gcc libc6-dev libsrt-gnutls-dev && make native'
/** Milliseconds of 40 Mbps for which the default buffers are large enough. */
const DEFAULT_BUFFER = 2000
/** Characters of an incomplete line that are kept. */
const LINE_MAX = 4096

export class SrtPort {
  readonly #options: SrtPortOptions
  readonly #retryTimer = new RetryTimer(() => this.#start())
  /** By token. */
  readonly #keys = new Map<string, SrtPortKey>()
  readonly #clients = new Map<number, SrtClient>()
  readonly #unsubscribe: (() => void) | undefined
  #process: Process | undefined
  #openPort: number | undefined
  #failure: Reason | undefined
  readonly #recentFailure = new RecentFailure()
  #startedAt = 0
  #isClosed = false

  constructor(options: SrtPortOptions) {
    this.#options = options
    this.#unsubscribe = options.keyThrottle?.onBlock((address, wait) => this.#block(address, wait))
    // Later, because the callbacks of the owner need the port.
    queueMicrotask(() => this.#isClosed || this.#start())
  }

  /**
   * Replaces the keys. Clients whose key was removed or changed are disconnected; if only the allowed addresses
   * changed, or when a publisher is replaced, only clients with other addresses are.
   */
  setKeys(keys: readonly SrtPortKey[]): void {
    const removed = new Set(this.#keys.keys())
    for (const key of keys) {
      removed.delete(key.token)
      const previous = this.#keys.get(key.token)
      const fields = keyFields(key).join('\t')
      if (previous && keyFields(previous).join('\t') === fields) continue
      const isCompatible = previous && isSameForClients(previous, key)
      if (previous && !isCompatible) this.#send('gone', key.token)
      this.#keys.set(key.token, key)
      this.#send('key', ...keyFields(key))
      if (isCompatible) this.#disconnectForbidden(key)
    }
    for (const token of removed) {
      this.#keys.delete(token)
      this.#send('gone', token)
    }
  }

  /** Connects a client to a relay, instead of the one before. */
  link(id: number, { path, greeting }: RelayAddress): void {
    this.#send('link', id, path, greeting)
  }

  /** Disconnects a client, which may reconnect. */
  disconnect(id: number): void {
    this.#send('drop', id)
  }

  /** Oldest first. */
  clients(): readonly SrtClient[] {
    return [...this.#clients.values()]
  }

  /** The open port; undefined if it is not open. */
  port(): number | undefined {
    return this.#openPort
  }

  /** Why the port is not open; undefined if it is, or is being opened. */
  failure(): Reason | undefined {
    return this.#failure ?? (this.#process?.isStuck?.() ? 'program-stuck' : undefined)
  }

  /** As `failure`, or why the program ended a short time ago. */
  recentFailure(): Reason | undefined {
    return this.failure() ?? this.#recentFailure.read(this.#options.now())
  }

  /** Ends a pause before the next attempt. */
  retryNow(): void {
    this.#retryTimer.retryNow()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe?.()
    this.#retryTimer.cancel()
    const stopped = this.#process?.stop()
    for (const id of [...this.#clients.keys()]) this.#removeClient(id)
    await stopped
  }

  #start(): void {
    const { launcher, program, host, port, keyLength, latency = 0, keyThrottle, now } = this.#options
    this.#startedAt = now()
    const buffer = latency > DEFAULT_BUFFER ? [String(latency)] : []
    let rest = ''
    try {
      this.#process = launcher.run({
        program,
        args: ['port', host, String(port), String(keyLength), ...buffer],
        pipeStdin: true,
        deathSignal: 'TERM',
        onStdout: (chunk) => {
          const lines = (rest + chunk.toString()).split('\n')
          rest = (lines.pop() ?? '').slice(-LINE_MAX)
          for (const line of lines) this.#handleMessage(line)
        },
        onEnd: (lines) => {
          const last = lines.at(-1)
          const fault = programFailure(lines)?.reason
          this.#handleEnd(fault ?? (last === undefined ? 'ended-silently' : `said ${last.slice(0, 200)}`))
        }
      })
    } catch (error) {
      this.#handleEnd(
        error instanceof NotInstalledError ? `install-with ${INSTALL_SRT}` : `not-started ${(error as Error).message}`
      )
      return
    }
    for (const key of this.#keys.values()) this.#send('key', ...keyFields(key))
    for (const { address, wait } of keyThrottle?.listBlocked() ?? []) this.#block(address, wait)
  }

  #handleEnd(reason: Reason): void {
    const openMs = this.#openPort === undefined ? 0 : this.#options.now() - this.#startedAt
    this.#process = undefined
    this.#openPort = undefined
    for (const id of [...this.#clients.keys()]) this.#removeClient(id)
    if (this.#isClosed) return
    // A failure that the program has reported itself is more precise.
    this.#failure = reason === 'ended-silently' ? (this.#failure ?? reason) : reason
    this.#recentFailure.record(this.#failure, this.#options.now())
    this.#retryTimer.schedule(openMs)
    this.#options.onChange()
  }

  #handleMessage(text: string): void {
    const { now, onChange, port } = this.#options
    const message = JSON.parse(text)
    if (message.listening) {
      this.#openPort = message.listening
      this.#failure = undefined
      onChange()
    } else if (message.open) {
      const client = { id: message.open, token: message.token, peer: message.peer, since: now() }
      this.#clients.set(client.id, client)
      this.#options.onConnect(client)
    } else if (message.stats) {
      const { stats: id, ...stats } = message
      const client = this.#clients.get(id)
      if (client) {
        client.stats = stats
        this.#options.onStats?.(client, stats)
      }
      onChange()
    } else if (message.unlinked) this.#handleUnlink(message.unlinked)
    else if (message.close) this.#removeClient(message.close)
    else if (message.refused) this.#handleRefusal(message)
    else if (message.failed === 'port-privileged') this.#failure = `port-privileged ${port}`
    else if (message.failed) this.#failure = `port-taken ${port}`
    else if (message.fault) logger.error('headend-srt does not know a command', undefined, { command: message.fault })
  }

  #handleRefusal(message: RefusalMessage): void {
    const { refused: cause, token, peer, mark: keyHash, name = '', plays = false } = message
    if (keyHash) this.#options.keyThrottle?.recordWrongKey(addressOfPeer(peer), keyHash)
    const unknownKey = keyHash && { keyHash, name: Buffer.from(name, 'hex').toString(), plays }
    this.#options.onRefusal({ cause, token, peer, ...unknownKey })
  }

  #handleUnlink(id: number): void {
    const client = this.#clients.get(id)
    if (client) this.#options.onUnlink?.(client)
  }

  #removeClient(id: number): void {
    const client = this.#clients.get(id)
    if (!client) return
    this.#clients.delete(id)
    this.#options.onDisconnect(client)
  }

  #disconnectForbidden({ token, allowIp }: SrtPortKey): void {
    const allowList = createIpAllowList(allowIp)
    for (const client of this.#clients.values())
      if (client.token === token && !allowList.allows(addressOfPeer(client.peer))) this.#send('drop', client.id)
  }

  /** @param network an IPv4 address, or the first groups of an IPv6 address, as `networkPrefix` returns them */
  #block(network: string, wait: number): void {
    this.#send('bar', network.includes(':') ? `${network}::` : network, Math.ceil(wait))
  }

  #send(...fields: readonly (string | number)[]): void {
    this.#process?.stdin?.write(`${fields.join('\t')}\n`)
  }
}
