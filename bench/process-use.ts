// What processes take of the machine, as Linux tells it.
import { readFileSync } from 'node:fs'

/** Clock ticks a second of /proc: the same on every Linux that Node runs on. */
const TICKS = 100

/** Seconds of processor time that a process has used so far; 0 for one that is gone. */
export function processorOf(pid: number): number {
  try {
    // The name before it may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return 0
  }
}

/** Megabytes that a process takes, with its share of what it has in common with others; 0 for one that is gone. */
export function memoryOf(pid: number): number {
  try {
    return Number(/^Pss: *(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024
  } catch {
    return 0
  }
}

/** A process and all that it started. */
export function treeOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    return [pid, ...children.flatMap(treeOf)]
  } catch {
    return []
  }
}
