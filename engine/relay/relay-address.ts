// Connections of other programs to the media socket of a relay.
import type { ProcessSubscription, Relay } from '../interfaces/relay.ts'

/** Where a program connects to a relay, and the line that it writes first. */
export interface RelayAddress {
  path: string
  greeting: string
}

/** The address at which a program becomes the source of the relay. It replaces the previous source. */
export const feedAddress = (relay: Relay): RelayAddress => ({ path: relay.socketPath, greeting: relay.awaitFeed() })

/** The address at which a program becomes a receiver; the parameters are those of `Relay.subscribeProcess`. */
export const subscriptionAddress = (
  { socketPath: path }: Relay,
  id: number,
  { fromCache, endsWithStream }: ProcessSubscription
): RelayAddress => ({ path, greeting: `process ${id} ${fromCache ? 1 : 0} ${endsWithStream ? 1 : 0}` })
