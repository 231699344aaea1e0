// An output that players connect to over SRT, at its own port. Without `headend-srt` ffmpeg listens instead, for one player at a time.
import type { Socket } from 'node:net'
import { CLIENTS_DEFAULT, LATENCY_DEFAULT } from '../../contract/limits.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../contract/stream/source.ts'
import type { ObservedPlayer } from '../interfaces/channel.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { Failure } from '../interfaces/failure.ts'
import type { Carrier, CarrierContext, OpenCarrier } from '../legs/carrier.ts'
import { createPacketQueue, type PacketQueue } from '../mpegts/packet-queue.ts'
import { failure } from '../process/failure.ts'
import { createMeter, type Meter } from '../stats/meter.ts'
import { dedicatedPortKey, listenAddress, portFailure, streamIdName } from './dedicated-port.ts'
import { createSrtPort, type SrtClient, type SrtPort } from './srt-port.ts'
import { createSrtTotals, type SrtTotals } from './srt-totals.ts'

const KEY_LENGTHS = { disable: 0, 'aes-128': 16, 'aes-192': 24, 'aes-256': 32 } as const
/** Milliseconds for which a wrong passphrase is shown. */
const REFUSAL_SHOWN = 10_000

interface Player {
  id: number
  /** `address:port` */
  peer: string
  /** When it connected. */
  since: number
  socket: Socket
  queue: PacketQueue
  meter: Meter
  /** Bytes of the socket that the meter has counted. */
  countedBytes: number
  /** The last statistics that were added to the totals. */
  lastStats: SrtClient['stats']
}

class SrtListenerCarrier implements Carrier {
  readonly #config: SrtOutput
  readonly #context: EngineContext
  readonly #output: CarrierContext
  readonly #totals: SrtTotals
  readonly #keyLength
  readonly #port: SrtPort
  /** By client ID of the port. */
  readonly #players = new Map<number, Player>()
  /** Bytes dropped for players that have left. */
  #droppedBytes = 0
  /** When a caller was last refused for its passphrase. */
  #refusedAt = Number.NEGATIVE_INFINITY
  readonly #settled = Promise.withResolvers<void>()

  constructor(config: SrtOutput, program: string, context: EngineContext, output: CarrierContext, totals: SrtTotals) {
    this.#config = config
    this.#context = context
    this.#output = output
    this.#totals = totals
    this.#keyLength = KEY_LENGTHS[config.enc ?? 'disable']
    const { launcher, now, keyThrottle, outputHost } = context
    this.#port = createSrtPort({
      launcher,
      program,
      host: listenAddress(outputHost),
      port: config['bind-port'] ?? 0,
      keyLength: this.#keyLength,
      latency: config.latency ?? LATENCY_DEFAULT,
      keyThrottle,
      now,
      onConnect: (client, socket) => this.#addPlayer(client, socket),
      onDisconnect: ({ id }) => this.#removePlayer(id),
      onRefusal: ({ cause }) => {
        if (cause !== 'passphrase') return
        this.#refusedAt = now()
        output.onChange()
      },
      onChange: () => this.#handleChange()
    })
    this.#setKey()
  }

  /** Resolves when the port is open or has failed. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  media(data: Buffer, starts: readonly number[], tables: Buffer): void {
    for (const { queue } of this.#players.values()) queue.push(data, starts, tables)
  }

  end(): void {
    for (const { queue } of this.#players.values()) queue.waitForKeyFrame()
  }

  tick(): void {
    this.#countBytes()
  }

  playerCount(): number {
    return this.#players.size
  }

  players(now: number): ObservedPlayer[] {
    return [...this.#players.values()].map(({ id, peer, since, meter }) => ({
      id,
      address: peer,
      kbps: meter.kbps(now),
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
    return [...this.#players.values()].reduce((sum, { queue }) => sum + queue.droppedBytes(), this.#droppedBytes)
  }

  problem(now: number): Failure | undefined {
    const wasRefused = this.#players.size === 0 && now - this.#refusedAt < REFUSAL_SHOWN
    return (
      portFailure(this.#port) ??
      (wasRefused ? failure(CONNECTION_STATE.notAuthorized, 'wrong-passphrase', SOURCE_STATE.running) : undefined)
    )
  }

  close(): Promise<void> {
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

  #addPlayer({ id, peer, since }: SrtClient, socket: Socket): void {
    const queue = createPacketQueue(socket, this.#output.inputKbps)
    queue.waitForKeyFrame()
    // A player sends nothing, but the socket must be read to notice its end.
    socket.resume()
    this.#players.set(id, {
      id: this.#context.nextClientId(),
      peer,
      since,
      socket,
      queue,
      meter: createMeter(),
      countedBytes: 0,
      lastStats: undefined
    })
    this.#refusedAt = Number.NEGATIVE_INFINITY
    this.#output.onChange()
  }

  #removePlayer(id: number): void {
    this.#countBytes()
    this.#droppedBytes += this.#players.get(id)?.queue.droppedBytes() ?? 0
    this.#players.delete(id)
    this.#output.onChange()
  }

  #countBytes(): void {
    for (const player of this.#players.values()) {
      const sentBytes = player.socket.bytesWritten - player.socket.writableLength
      const newBytes = sentBytes - player.countedBytes
      if (newBytes > 0) this.#output.onBytes(newBytes)
      player.meter.add(newBytes, this.#context.now())
      player.countedBytes = sentBytes
    }
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
 * An output with one queue per player.
 * @param program path of `headend-srt`
 */
export function createSrtListenerOutput(config: SrtOutput, program: string, context: EngineContext): OpenCarrier {
  const totals = createSrtTotals()
  return async (output) => {
    const carrier = new SrtListenerCarrier(config, program, context, output, totals)
    await carrier.settled
    return carrier
  }
}
