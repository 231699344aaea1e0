import type { Launch, Launcher, Process } from '../interfaces/launcher.ts'
import type { Relay } from '../interfaces/relay.ts'

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
