// What a run took: for finding the files that make the suite slow.
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import type { FileResult } from './test-result.ts'

const SLOWEST = 10

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Lines with the time of the whole run, and its slowest files. @param results those of all files */
export function describeTimes(results: readonly FileResult[], root: string): string[] {
  const { user, system } = process.cpuUsage()
  const computed = results.reduce((sum, { processorTime }) => sum + processorTime, (user + system) / 1000)
  const elapsed = performance.now()
  const share = Math.round((100 * computed) / elapsed / availableParallelism())
  return [
    `\nTook ${seconds(elapsed)}, and ${seconds(computed)} of processor time: ${share} % of ${availableParallelism()} processors. Slowest files:`,
    ...results
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, SLOWEST)
      .map(
        ({ file, ms, processorTime }) =>
          `  ${seconds(ms).padStart(8)}  ${seconds(processorTime).padStart(8)} processor  ${relative(root, file)}`
      )
  ]
}
