// Connects the players at an SRT port to the relay of a stream. They stay connected when the stream or the relay
// changes.
import type { Relay, RelayAddress, RelayReport, Stream, StreamUser } from '../interfaces/relay.ts'
import { RelayReceiver } from '../legs/relay-receiver.ts'
import { Subscription } from '../legs/subscription.ts'
import { createMeter, type Meter } from '../stats/meter.ts'

export interface SrtPlayersOptions {
  /** Whether a player starts with the media since the last key frame, and so shows a picture at once. */
  fromCache: boolean
  /** Bytes were sent to a player. */
  onBytes?(bytes: number): void
  now(): number
}

export class SrtPlayers implements StreamUser {
  readonly #options: SrtPlayersOptions
  readonly #subscription = Subscription.ofUser(this)
  /** By client ID. */
  readonly #players = new Map<number, { receiver: RelayReceiver; meter: Meter }>()
  #relay: Relay | undefined
  /** Bytes dropped for players that have left. */
  #droppedBytes = 0

  constructor(options: SrtPlayersOptions) {
    this.#options = options
  }

  /** The current stream. */
  get stream(): Stream | undefined {
    return this.#subscription.stream
  }

  /** Changes to another stream, or to none. */
  attach(stream: Stream | undefined): void {
    this.#subscription.attach(stream)
  }

  /** @param link connects the client to a relay */
  add(client: number, link: (address: RelayAddress) => void): void {
    const receiver = new RelayReceiver({ fromCache: this.#options.fromCache, link })
    this.#players.set(client, { receiver, meter: createMeter() })
    if (this.#relay) receiver.attachRelay(this.#relay)
  }

  remove(client: number): void {
    const player = this.#players.get(client)
    if (!player) return
    player.receiver.detachRelay()
    this.#players.delete(client)
    this.#droppedBytes += player.receiver.droppedBytes()
  }

  /** The relay has closed the connection of a client. */
  handleUnlink(client: number): void {
    this.#players.get(client)?.receiver.handleUnlink()
  }

  /** Current rate of a player. */
  kbps(client: number): number {
    return this.#players.get(client)?.meter.kbps(this.#options.now()) ?? 0
  }

  /** Bytes dropped because players were too slow. */
  droppedBytes(): number {
    return [...this.#players.values()].reduce((sum, { receiver }) => sum + receiver.droppedBytes(), this.#droppedBytes)
  }

  attachRelay(relay: Relay): void {
    this.#relay = relay
    for (const { receiver } of this.#players.values()) receiver.attachRelay(relay)
  }

  detachRelay(): void {
    for (const { receiver } of this.#players.values()) receiver.detachRelay()
    this.#relay = undefined
  }

  moveRelay(relay: Relay): void {
    this.#relay = relay
    for (const { receiver } of this.#players.values()) receiver.moveRelay(relay)
  }

  handleReport(report: RelayReport): void {
    const now = this.#options.now()
    for (const { receiver, meter } of this.#players.values()) {
      const bytes = receiver.handleReport(report)
      meter.add(bytes, now)
      if (bytes > 0) this.#options.onBytes?.(bytes)
    }
  }

  handleStreamEnd(): void {}
}
