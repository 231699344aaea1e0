// Processes of this machine, as /proc reports them.
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the text of a file, or '' when the file is missing or not readable. */
export function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Command line of a process, each argument followed by `\0`; '' for a process that has ended, including a zombie. */
export const commandLineOf = (pid: number | string): string => readIfPresent(`/proc/${pid}/cmdline`)

/** Child processes of the main thread of a process (Node starts all from there), including zombies. */
export const childrenOf = (pid: number): number[] =>
  readIfPresent(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** Children, their children and so on. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

/** Processes of a process group, without zombies. */
export const membersOf = (group: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && groupOf(readIfPresent(`/proc/${name}/stat`)) === group)
    .map(Number)

/** The process group in the text of a `stat` file; undefined for a zombie. The name in it may have any character. */
function groupOf(stat: string): number | undefined {
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? undefined : Number(group)
}

/** Whether a process runs. A zombie does not. */
export const isRunning = (pid: number): boolean => /^State:\s+[^ZX]/m.test(readIfPresent(`/proc/${pid}/status`))

/**
 * Whether a process of a leg runs its program. It starts as setpriv, which makes it end with its parent and then
 * executes the program.
 */
export const hasStarted = (pid: number): boolean =>
  /^[^\0]*(ffmpeg|headend-relay|headend-srt)\0/.test(commandLineOf(pid))

/** Resources that a process uses. */
export interface ProcessUsage {
  descriptors: number
  threads: number
  kilobytes: number
}

/** @throws Error when the process does not exist or belongs to another user */
export function usageOf(pid: number | 'self'): ProcessUsage {
  const status = readIfPresent(`/proc/${pid}/status`)
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\t(\d+)$/m.exec(status)?.[1]),
    kilobytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
  }
}
