// Child processes of `make run` and `make dev`. Each has its own process group, so that Ctrl-C reaches it only through this process, and is
// terminated when this process exits, even if it is killed (setpriv --pdeathsig).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** Milliseconds between SIGTERM and SIGKILL. */
const STOP_TIMEOUT = 8_000

const hasSetpriv = spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0
const children = new Set<ChildProcess>()

/** Starts Node with `args`. It inherits stdout and stderr. */
export function startNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const command = [...(hasSetpriv ? ['setpriv', '--pdeathsig', 'TERM'] : []), process.execPath, ...args]
  const child = spawn(command[0] as string, command.slice(1), {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env }
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT)
  await exited
  clearTimeout(timer)
}

let stopping: Promise<unknown> | undefined

/** Stops all child processes, then exits with `status`. */
export async function stopAll(status: number): Promise<never> {
  stopping ??= Promise.all([...children].map(stop))
  await stopping
  process.exit(status)
}

export function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0))
}

/** Whether `stopAll` was called; an exit of a child process is then expected. */
export function isStopping(): boolean {
  return stopping !== undefined
}
