// The stream that inputs provide and outputs receive.
import type { Relay, RelayReport, TapSubscription } from './relay.ts'
import type { Tap } from './tap.ts'

/** A receiver that the relay of a stream serves, without JavaScript in the path of the packets. */
export interface StreamUser {
  /** The relay runs. Called again with another relay after the first one has ended. */
  attachRelay(relay: Relay): void
  /** The relay has ended, or the receiver was removed from the stream. It removes what it has added to the relay. */
  detachRelay(): void
  /** Hands what it has at its relay over to another one, whose stream has the same frames (`Relay.moveSubscriber`). */
  moveRelay(relay: Relay): void
  /** New measured values: four times a second, and when the state of the source changes. */
  handleReport(report: RelayReport): void
  /** The stream ended. What follows is another stream. */
  handleStreamEnd(): void
}

/** The source of an output: one input, or the output of an input switch. */
export interface Stream {
  /**
   * Subscribes JavaScript, which costs processor time only while the subscription lasts.
   * @param from the stream from which the tap moves, if this one continues it
   * @returns a function that ends the subscription
   */
  subscribe(tap: Tap, options?: TapSubscription, from?: Stream): () => void
  /**
   * Adds a receiver.
   * @param from the stream from which it moves, if this one continues it
   * @returns a function that removes it
   */
  addUser(user: StreamUser, from?: Stream): () => void
  /** The stream whose frames and timestamps this one continues, so that its receivers can move here without a gap. */
  continues?(): Stream | undefined
  /** Removes a receiver but leaves it connected to its relay, which is returned, until that hands it over. Undefined: it is not connected. */
  release(receiver: StreamUser | Tap): Relay | undefined
  kbps(): number
  /** When media last arrived, in milliseconds of `EngineContext.now`; undefined if none did. */
  lastMediaAt(): number | undefined
  /** Whether media arrived in the last 3 seconds. */
  isActive(): boolean
}
