// Connections of other programs to the media socket of a relay.

import type { Launch, Launcher, Process } from '../interfaces/launcher.ts'
import type { DatagramTarget, MediaHold, ProcessSubscription, Relay, RelayAddress } from '../interfaces/relay.ts'

/** The address at which a program becomes the source of the relay. It replaces the previous source. */
export const feedAddress = (relay: Relay): RelayAddress => ({ path: relay.socketPath, greeting: relay.awaitFeed() })

/** The address at which a program becomes a receiver; the parameters are those of `Relay.subscribeProcess`. */
export const subscriptionAddress = (
  { socketPath: path }: Relay,
  id: number,
  { fromCache, endsWithStream }: ProcessSubscription
): RelayAddress => ({ path, greeting: `process ${id} ${fromCache ? 1 : 0} ${endsWithStream ? 1 : 0}` })

/** The address at which a program becomes a tap. @param batch milliseconds for which media is collected */
export const tapAddress = ({ socketPath: path }: Relay, id: number, batch: number): RelayAddress => ({
  path,
  greeting: `tap ${id} 0 ${batch}`
})

/** The first line of a tap that lets media be held. */
export const holdGreeting = (id: number, batch: number, { keep, age = -1 }: MediaHold): string =>
  `hold ${id} ${batch} ${Math.round(keep)} ${Math.round(age)}\n`

/** ID of the subscriber through which another relay continues the stream of a relay; above those of taps. */
const CONTINUATION_ID = 2_000_000_000

/**
 * The first line of a subscriber through which another relay continues the stream: from the group of pictures so far up
 * to the end of the stream.
 */
export const continuationGreeting = `process ${CONTINUATION_ID} 1 1`

/** The address to which another relay hands its port over. @param number of the feed with the stream of that relay */
export const sourceAddress = ({ socketPath: path }: Relay, number: number, rtp: boolean): RelayAddress => ({
  path,
  greeting: `source ${number} ${rtp ? 1 : 0}`
})

/** The address to which another relay hands a target over. */
export const targetAddress = (
  { socketPath: path }: Relay,
  id: number,
  { payloadBytes, rtp }: DatagramTarget
): RelayAddress => ({ path, greeting: `target ${id} ${payloadBytes} ${rtp ? 1 : 0}` })

/**
 * Starts a process whose stdout is the source of the relay.
 * @param prepare returns more of the launch, when the process is about to start
 * @throws NotInstalledError
 */
export async function runIntoRelay(
  launcher: Launcher,
  launch: Launch,
  relay: Relay,
  prepare?: () => Partial<Launch>
): Promise<Process> {
  const feed = await relay.openFeed()
  try {
    return launcher.run({ ...launch, ...prepare?.(), stdoutSocket: feed })
  } finally {
    feed.destroy()
  }
}
