import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedOutput, ObservedPlayer } from './channel.ts'
import type { LegCounters } from './leg-stats.ts'
import type { Stream } from './stream.ts'

/** An output of a channel, independent of its protocol. Times are milliseconds of `EngineContext.now`. */
export interface Output {
  /** Identifies a resource that only one output at a time can use: the playing device. */
  key?: string
  /** Subscribes to a stream, instead of the one before. */
  attach(stream: Stream): void
  observe(now: number): ObservedOutput
  /** Why the last run ended, if that was not a failure and the output has not connected again. */
  lastEndReason(): Reason | undefined
  /** Call about twice a second. */
  tick(now: number): void
  /** Bytes sent so far. */
  totalBytes(): number
  counters(now: number): LegCounters
  /** The connected players, if they can be distinguished. */
  players?(now: number): ObservedPlayer[]
  /** Disconnects a player, which may reconnect. Returns false if there is no such player. */
  disconnect?(player: number): boolean
  /** Disconnects players whose address is no longer allowed. */
  recheckAddresses?(): void
  /** The playing device went online or offline. */
  onDeviceChange?(): void
  stop(): Promise<void>
}
