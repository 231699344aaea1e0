// An output that players connect to over SRT, at its own port. Without `headend-srt` ffmpeg listens instead, for one
// player at a time.
import { CLIENTS_DEFAULT, LATENCY_DEFAULT } from '../../contract/limits.ts'
import type { SrtOutput } from '../../contract/stream/source.ts'
import { addressOfPeer } from '../access/ip-allow-list.ts'
import { RefusedCallers } from '../access/refused-callers.ts'
import type { ObservedPlayer } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { ClientIds, KeyChecks, ListenAddress, Processes, ShownRefusal } from '../interfaces/leg-parts.ts'
import type { Stream } from '../interfaces/relay.ts'
import type { Carrier, CarrierContext, OpenCarrier } from '../legs/carrier.ts'
import { dedicatedPortKey, listenAddress, portFailure, refusalReason, streamIdName } from './dedicated-port.ts'
import { SrtPlayers } from './srt-players.ts'
import { type SrtClient, SrtPort } from './srt-port.ts'
import { createSrtTotals, type SrtTotals } from './srt-totals.ts'

export type SrtListenerParts = Processes & KeyChecks & ListenAddress & ClientIds

const KEY_LENGTHS = { disable: 0, 'aes-128': 16, 'aes-192': 24, 'aes-256': 32 } as const

interface Player {
  id: number
  /** `address:port` */
  peer: string
  /** When it connected. */
  since: number
  /** The last statistics that were added to the totals. */
  lastStats: SrtClient['stats']
}

interface SrtListenerOptions {
  config: SrtOutput
  context: SrtListenerParts
  /** As `SrtPlayersOptions.fromCache`. */
  fromCache: boolean
}

class SrtListenerCarrier implements Carrier {
  readonly #config: SrtOutput
  readonly #context: SrtListenerParts
  readonly #output: CarrierContext
  readonly #totals: SrtTotals
  readonly #media: SrtPlayers
  readonly #keyLength
  readonly #port: SrtPort
  /** By client ID of the port. */
  readonly #players = new Map<number, Player>()
  readonly #refusedCallers: RefusedCallers
  readonly #settled = Promise.withResolvers<void>()

  constructor(options: SrtListenerOptions, program: string, output: CarrierContext, totals: SrtTotals) {
    const { config, context, fromCache } = options
    this.#config = config
    this.#context = context
    this.#output = output
    this.#totals = totals
    this.#keyLength = KEY_LENGTHS[config.enc ?? 'disable']
    const { launcher, now, keyThrottle, outputHost } = context
    this.#refusedCallers = new RefusedCallers(now)
    this.#media = new SrtPlayers({ fromCache, onBytes: output.onBytes, now })
    this.#port = new SrtPort({
      launcher,
      program,
      host: listenAddress(outputHost),
      port: config['bind-port'] ?? 0,
      keyLength: this.#keyLength,
      latency: config.latency ?? LATENCY_DEFAULT,
      keyThrottle,
      now,
      onConnect: (client) => this.#addPlayer(client),
      onUnlink: ({ id }) => this.#media.handleUnlink(id),
      onDisconnect: ({ id }) => this.#removePlayer(id),
      onRefusal: (refusal) => {
        const reason = refusalReason(refusal, (hash) => keyThrottle.isIssued(hash))
        if (reason && this.#refusedCallers.record(reason, addressOfPeer(refusal.peer))) output.onChange()
      },
      onChange: () => this.#handleChange()
    })
    this.#setKey()
  }

  /** Resolves when the port is open or has failed. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  attach(stream: Stream): void {
    this.#media.attach(stream)
  }

  playerCount(): number {
    return this.#players.size
  }

  players(now: number): ObservedPlayer[] {
    return [...this.#players].map(([client, { id, peer, since }]) => ({
      id,
      address: peer,
      kbps: this.#media.kbps(client),
      livingTimeS: Math.floor((now - since) / 1000)
    }))
  }

  disconnect(player: number): boolean {
    const [clientId] = [...this.#players].find(([, { id }]) => id === player) ?? []
    if (clientId !== undefined) this.#port.disconnect(clientId)
    return clientId !== undefined
  }

  recheckAddresses(): void {
    this.#setKey()
  }

  isWaiting(): boolean {
    return this.#players.size === 0
  }

  counters(now: number) {
    return this.#totals.counters(now)
  }

  droppedBytes(): number {
    return this.#media.droppedBytes()
  }

  problem(): Failure | undefined {
    return portFailure(this.#port)
  }

  lastRefusal(): ShownRefusal | undefined {
    return this.#refusedCallers.last()
  }

  close(): Promise<void> {
    this.#media.attach(undefined)
    return this.#port.close()
  }

  #setKey(): void {
    const { passphrase = '', latency = LATENCY_DEFAULT, bandwidth: overhead } = this.#config
    this.#port.setKeys([
      dedicatedPortKey({
        isPublisher: false,
        name: streamIdName(this.#config['stream-id'] ?? ''),
        passphrase: this.#keyLength > 0 ? passphrase : '',
        keyLength: this.#keyLength,
        latency,
        maxClients: this.#config['max-client-num'] ?? CLIENTS_DEFAULT,
        allowIp: this.#output.allowList().ranges,
        ...(overhead !== undefined && { overhead })
      })
    ])
  }

  #addPlayer({ id, peer, since }: SrtClient): void {
    this.#players.set(id, { id: this.#context.nextClientId(), peer, since, lastStats: undefined })
    this.#media.add(id, (address) => this.#port.link(id, address))
    this.#refusedCallers.clear()
    this.#output.onChange()
  }

  #removePlayer(id: number): void {
    this.#media.remove(id)
    this.#players.delete(id)
    this.#output.onChange()
  }

  #handleChange(): void {
    if (this.#port.port() !== undefined || this.#port.failure() !== undefined) this.#settled.resolve()
    for (const { id, stats } of this.#port.clients()) {
      const player = this.#players.get(id)
      if (!player || !stats || player.lastStats === stats) continue
      player.lastStats = stats
      this.#totals.add(stats, player, this.#context.now())
    }
    this.#output.onChange()
  }
}

/**
 * An output that players connect to.
 * @param program path of `headend-srt`
 */
export function createSrtListenerOutput(options: SrtListenerOptions, program: string): OpenCarrier {
  const totals = createSrtTotals()
  return async (output) => {
    const carrier = new SrtListenerCarrier(options, program, output, totals)
    await carrier.settled
    return carrier
  }
}
