// The processes that a verb starts. They live in groups of their own, so that Ctrl-C reaches them through us only, and end when
// we do, also when we are killed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** Milliseconds a process has to end by itself. */
const PATIENCE = 8_000

const tied = spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0
const started = new Set<ChildProcess>()

/** Starts Node with `args`. Its output goes where ours goes. */
export function startNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const command = [...(tied ? ['setpriv', '--pdeathsig', 'TERM'] : []), process.execPath, ...args]
  const child = spawn(command[0] as string, command.slice(1), {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env }
  })
  started.add(child)
  child.once('exit', () => started.delete(child))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  await gone
  clearTimeout(timer)
}

let stopping: Promise<unknown> | undefined

/** Ends everything that was started, and then this process. */
export async function stopAll(status: number): Promise<never> {
  stopping ??= Promise.all([...started].map(stop))
  await stopping
  process.exit(status)
}

export function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0))
}

/** Whether everything is being stopped: a process that ends then ends as it should. */
export function isStopping(): boolean {
  return stopping !== undefined
}
