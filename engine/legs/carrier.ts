// The interface between an in-process output and the protocol that carries it.
import type { IpAllowList } from '../access/ip-allow-list.ts'
import type { ObservedPlayer } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { ShownRefusal } from '../interfaces/leg-parts.ts'
import type { LegCounters } from '../interfaces/legs.ts'
import type { RelayAddress, Stream } from '../interfaces/relay.ts'

/** Sends a stream to a target or to players, inside the engine process. */
export interface Carrier {
  /** Subscribes to a stream, instead of the one before. */
  attach(stream: Stream): void
  /** Number of players, if they can be counted. */
  playerCount?(): number
  /** As in `Output`. */
  players?(now: number): ObservedPlayer[]
  disconnect?(player: number): boolean
  recheckAddresses?(): void
  /** Whether it waits for a player, and so sends nothing. */
  isWaiting?(): boolean
  /** The last caller that was refused. */
  lastRefusal?(): ShownRefusal | undefined
  /** Counters other than bytes. */
  counters?(now: number): Partial<LegCounters>
  /** Call about twice a second. */
  tick?(): void
  /** The reason why an open carrier does not carry. */
  problem?(now: number): Failure | undefined
  /** Bytes dropped because a receiver was too slow. */
  droppedBytes(): number
  /** As in `Output`. */
  takeOverAddress?(): RelayAddress | undefined
  endTakeOver?(): void
  handOver?(address: RelayAddress): void
  isHandedOver?(): boolean
  close(): Promise<void>
}

/** Reports of a carrier to its output, and values that it can request. */
export interface CarrierContext {
  /** Bytes of MPEG-TS were sent. */
  onBytes(bytes: number): void
  /** The carrier has failed and is to be opened again. */
  onFailure(failure: Failure): void
  /** The players, or another observed value, changed. */
  onChange(): void
  /** Current rate of the stream. */
  inputKbps(): number
  /** Addresses from which players may connect. */
  allowList(): IpAllowList
}

/** Opens a carrier. Rejects if it cannot be opened. */
export type OpenCarrier = (context: CarrierContext) => Promise<Carrier>

/** A device that plays an output. It can go online and offline. */
export interface PlaybackDevice {
  /** As `Output.key`. */
  key: string
  isOnline(): boolean
  /** Resolves when the previous output to the device has ended. */
  whenReleased(): Promise<void>
  /** Tells the device to stop playing. Never rejects. */
  cancel(): Promise<void>
}
