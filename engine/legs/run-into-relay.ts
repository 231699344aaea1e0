import type { Launch, Launcher, Process } from '../interfaces/launcher.ts'
import type { Relay } from '../interfaces/relay.ts'

/**
 * Starts a process whose stdout is the source of the relay.
 * @throws NotInstalledError
 */
export async function runIntoRelay(launcher: Launcher, launch: Launch, relay: Relay): Promise<Process> {
  const feed = await relay.openFeed()
  try {
    return launcher.run({ ...launch, stdoutSocket: feed })
  } finally {
    feed.destroy()
  }
}
