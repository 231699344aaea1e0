// CPU time and memory of processes, from /proc.
import { readdirSync } from 'node:fs'
import { descendantsOf, readIfPresent } from '../test/kit/system-processes.ts'

/** Clock ticks per second in /proc: the same on every Linux that Node supports. */
const TICKS = 100

/** CPU time of a process in seconds; 0 when it has exited. */
export function cpuSecondsOf(pid: number): number {
  // The process name before these fields may contain spaces.
  const fields = readIfPresent(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS
}

/** CPU time of the running threads of a process in seconds, in nanosecond steps, for processes that use little. */
export function preciseCpuSecondsOf(pid: number): number {
  const threads = listIfPresent(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) =>
    Number(readIfPresent(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
  )
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e9
}

function listIfPresent(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Memory of a process in megabytes, with its share of shared pages (PSS); 0 when it has exited. */
export const megabytesOf = (pid: number): number =>
  Number(/^Pss: *(\d+) kB/m.exec(readIfPresent(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024

/** A process and its descendants. */
export const processTreeOf = (pid: number): number[] => [pid, ...descendantsOf(pid)]
