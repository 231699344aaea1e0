// Child processes of the supervisor, `make run` and `make dev`. Each has its own process group, so that Ctrl-C reaches
// it only through this process, and is terminated when this process exits, even if it is killed (setpriv --pdeathsig).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'

/** Milliseconds between SIGTERM and SIGKILL. */
const STOP_TIMEOUT = 8_000

const hasProgram = (name: string) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0
const hasSetpriv = hasProgram('setpriv')
const hasNice = hasProgram('nice')
const children = new Set<ChildProcess>()
/** Those with a higher number are stopped later. */
const orders = new WeakMap<ChildProcess, number>()

export interface StartOptions {
  env?: Readonly<Record<string, string>>
  /** Processes with a higher number are stopped when those with lower ones have ended. Default: 0. */
  stopOrder?: number
  /** Added to the nice value, from 0 to 19: a process with a higher value gets less processor time. Default: 0. */
  niceness?: number
}

/**
 * Lowers the priority of the session that a process leads. With autogroups, Linux compares nice values only within a
 * session, and gives each session its share by a nice value of its own. Systems without autogroups have no such file.
 */
function lowerSessionPriority(pid: number, niceness: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness))
  } catch {
    // The nice value of the process itself applies.
  }
}

/** Starts Node with `args`. It inherits stdout and stderr. */
export function startNode(
  args: readonly string[],
  { env = {}, stopOrder = 0, niceness = 0 }: StartOptions = {}
): ChildProcess {
  const command = [
    ...(hasSetpriv ? ['setpriv', '--pdeathsig', 'TERM'] : []),
    ...(hasNice && niceness > 0 ? ['nice', '-n', String(niceness)] : []),
    process.execPath,
    ...args
  ]
  const child = spawn(command[0] as string, command.slice(1), {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env }
  })
  if (niceness > 0 && child.pid !== undefined) lowerSessionPriority(child.pid, niceness)
  children.add(child)
  orders.set(child, stopOrder)
  child.once('exit', () => children.delete(child))
  return child
}

/** Sends a signal, and SIGKILL after some seconds. Resolves when the process has ended. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT)
  await exited
  clearTimeout(timer)
}

let stopping: Promise<unknown> | undefined

async function stopInOrder(): Promise<void> {
  const orderOf = (child: ChildProcess) => orders.get(child) ?? 0
  while (children.size > 0) {
    const next = Math.min(...[...children].map(orderOf))
    await Promise.all([...children].filter((child) => orderOf(child) === next).map((child) => stopProcess(child)))
  }
}

/** Stops all child processes, then exits with `status`. */
export async function stopAll(status: number): Promise<never> {
  stopping ??= stopInOrder()
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
