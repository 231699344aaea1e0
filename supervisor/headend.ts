// The two programs of Headend: the stream engine and the hub. Each continues while the other one is restarted.
import { stopAll } from './processes.ts'
import { SupervisedProgram } from './supervised-program.ts'

/** The hub gets less processor time than the engine and its legs when there is not enough for both. */
const HUB_NICENESS = 5

export interface HeadendOptions {
  /** Environment of both programs, besides that of this process. */
  env?: Readonly<Record<string, string>>
  /** Command line flags of Node. */
  flags?: { hub: readonly string[]; engine: readonly string[] }
}

/**
 * Starts the engine and the hub, and keeps them running. SIGUSR2 restarts the hub alone. If the first start of a
 * program fails for a reason that only an operator can remove, all processes are stopped.
 */
export function startHeadend({ env = {}, flags = { hub: [], engine: [] } }: HeadendOptions = {}): void {
  const onRefused = (status: number) => {
    console.error('Headend cannot start: see the message above.')
    void stopAll(status)
  }
  const engine = new SupervisedProgram({
    name: 'engine',
    args: [...flags.engine, 'engine/main.ts'],
    env,
    onRefused
  })
  const hub = new SupervisedProgram({
    name: 'hub',
    args: [...flags.hub, 'hub/main.ts'],
    restartSignal: 'SIGUSR2',
    env,
    // It passes the engine's last orders on to devices.
    stopOrder: 1,
    niceness: HUB_NICENESS,
    onRefused
  })
  engine.start()
  hub.start()
  process.on('SIGUSR2', () => void hub.restart())
}
