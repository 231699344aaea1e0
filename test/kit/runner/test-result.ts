// Result of a test file. uvu alone reports success for a file without `.run()` and for a `before` hook that throws, so
// the number of passed tests is compared with the number of registered ones.

export interface FileResult {
  file: string
  /** Tests that the file declared. */
  registered: number
  /** Tests that `.run()` queued in uvu. */
  queued: number
  passed: number
  /** Number of registered tests that cannot run on this machine, by reason. */
  skipped: Map<string, number>
  /** Reports of failed tests. */
  errors: string[]
  /** Problems outside tests: the file hung, a hook or other code threw. */
  problems: string[]
  /** Output of the file. */
  output: string
  ms: number
  /** Milliseconds of processor time of its processes. */
  processorTime: number
}

export function createFileResult(file: string): FileResult {
  return {
    file,
    registered: 0,
    queued: 0,
    passed: 0,
    skipped: new Map(),
    errors: [],
    problems: [],
    output: '',
    ms: 0,
    processorTime: 0
  }
}

/** Counts one skipped test. */
export function addSkipped({ skipped }: FileResult, reason: string): void {
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
}

const countSkipped = ({ skipped }: FileResult): number => [...skipped.values()].reduce((sum, count) => sum + count, 0)

/** Adds problems that are only known at the end: tests that never ran. */
export function reportMissingTests(result: FileResult): FileResult {
  const { registered, queued, passed, errors, problems } = result
  const runnable = registered - countSkipped(result)
  const missing: string[] = []
  if (problems.length === 0) {
    if (registered === 0) missing.push('This file has no test.')
    else if (queued < runnable) missing.push(`${runnable - queued} of ${runnable} tests never ran: is .run() missing?`)
    else if (passed < runnable && errors.length === 0) missing.push(`${runnable - passed} tests did not finish.`)
  }
  return { ...result, problems: [...problems, ...missing] }
}

export interface TestCounts {
  passed: number
  failed: number
}

/**
 * A registered test that neither passed nor was skipped counts as failed. A file with a problem has at least one
 * failure.
 */
export function countTests(result: FileResult): TestCounts {
  const { registered, passed, problems } = result
  return { passed, failed: Math.max(registered - countSkipped(result) - passed, problems.length ? 1 : 0) }
}

/** The files whose tests were skipped and the number of these tests, by reason. */
export function listSkipped(results: readonly FileResult[]): Map<string, { files: string[]; tests: number }> {
  const list = new Map<string, { files: string[]; tests: number }>()
  for (const { file, skipped } of results)
    for (const [reason, count] of skipped) {
      const entry = list.get(reason) ?? { files: [], tests: 0 }
      list.set(reason, { files: [...entry.files, file], tests: entry.tests + count })
    }
  return list
}

export function sumCounts(results: readonly FileResult[]): TestCounts {
  const total = { passed: 0, failed: 0 }
  for (const result of results) {
    const { passed, failed } = countTests(result)
    total.passed += passed
    total.failed += failed
  }
  return total
}
