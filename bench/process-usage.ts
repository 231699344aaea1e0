// What processes take of the machine, as Linux tells it.
import { descendantsOf, readIfPresent } from '../test/kit/system-processes.ts'

/** Clock ticks a second of /proc: the same on every Linux that Node runs on. */
const TICKS = 100

/** Seconds of processor time that a process has used so far; 0 for one that is gone. */
export function cpuSecondsOf(pid: number): number {
  // The name before it may hold spaces.
  const fields = readIfPresent(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS
}

/** Megabytes that a process takes, with its share of what it has in common with others; 0 for one that is gone. */
export const megabytesOf = (pid: number): number =>
  Number(/^Pss: *(\d+) kB/m.exec(readIfPresent(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024

/** A process and all that it started. */
export const processTreeOf = (pid: number): number[] => [pid, ...descendantsOf(pid)]
