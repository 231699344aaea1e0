// The stream that inputs provide and outputs receive.
import type { Relay, RelayReport, TapSubscription } from './relay.ts'
import type { Tap } from './tap.ts'

/** A receiver that the relay of a stream serves, without JavaScript in the path of the packets. */
export interface StreamUser {
  /** The relay runs. Called again with another relay after the first one has ended. */
  attachRelay(relay: Relay): void
  /** The relay has ended, or the receiver was removed from the stream. It removes what it has added to the relay. */
  detachRelay(): void
  /** New measured values: four times a second, and when the state of the source changes. */
  handleReport(report: RelayReport): void
  /** The stream ended. What follows is another stream. */
  handleStreamEnd(): void
}

/** The source of an output: one input, or the output of an input switch. */
export interface Stream {
  /**
   * Subscribes JavaScript, which costs processor time only while the subscription lasts.
   * @returns a function that ends the subscription
   */
  subscribe(tap: Tap, options?: TapSubscription): () => void
  /**
   * Adds a receiver.
   * @returns a function that removes it
   */
  addUser(user: StreamUser): () => void
  kbps(): number
  /** When media last arrived, in milliseconds of `EngineContext.now`; undefined if none did. */
  lastMediaAt(): number | undefined
  /** Whether media arrived in the last 3 seconds. */
  isActive(): boolean
}
