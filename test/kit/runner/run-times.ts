// What the files of a run took: the longest start first in the next run, and a summary names those that make the suite
// slow.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import type { FileResult } from './test-result.ts'

/** Milliseconds of each file when it ran last, by its path in the project. */
type RunTimes = Record<string, number>

const SLOWEST = 10

const timesFile = (root: string): string => join(root, 'build/test-times.json')

/** The times of earlier runs; empty if there are none. */
export function readTimes(root: string): RunTimes {
  try {
    return JSON.parse(readFileSync(timesFile(root), 'utf8'))
  } catch {
    return {}
  }
}

/** Adds the times of a run to those of earlier runs. */
export function writeTimes(root: string, results: readonly FileResult[]): void {
  const times = results.map(({ file, ms }) => [relative(root, file), Math.round(ms)])
  writeFileSync(timesFile(root), JSON.stringify({ ...readTimes(root), ...Object.fromEntries(times) }, null, 1))
}

/**
 * Milliseconds that a process and its ended children have computed, from Linux (utime, stime, cutime and cstime, in
 * ticks of 10 ms).
 */
export function processorTimeOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, ticks) => sum + 10 * Number(ticks), 0)
  } catch {
    return 0
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Lines with the time of the whole run, and its slowest files. */
export function describeTimes(root: string, results: readonly FileResult[]): string[] {
  const { user, system } = process.cpuUsage()
  const computed = results.reduce((sum, { processorTime }) => sum + processorTime, (user + system) / 1000)
  const elapsed = performance.now()
  const count = availableParallelism()
  return [
    `\nTook ${seconds(elapsed)}, with ${seconds(computed)} of processor time: ${Math.round((100 * computed) / elapsed / count)} % of ${count} processors. Slowest files:`,
    ...results
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, SLOWEST)
      .map(({ file, ms, processorTime }) => {
        const [time, own] = [ms, processorTime].map((value) => seconds(value).padStart(8))
        return `  ${time}, ${own} of processor time  ${relative(root, file)}`
      })
  ]
}
