// Result of a test file. uvu alone reports success for a file without `.run()` and for a `before` hook that throws, so the number of passed
// tests is compared with the number of registered ones.

export interface FileResult {
  file: string
  /** Tests that the file declared. */
  registered: number
  /** Tests that `.run()` queued in uvu. */
  queued: number
  passed: number
  /** Reports of failed tests. */
  errors: string[]
  /** Problems outside tests: the file hung, a hook or other code threw. */
  problems: string[]
  /** Output of the file. */
  output: string
  ms: number
}

export function createFileResult(file: string): FileResult {
  return { file, registered: 0, queued: 0, passed: 0, errors: [], problems: [], output: '', ms: 0 }
}

/** Adds problems that are only known at the end: tests that never ran. */
export function reportMissingTests(result: FileResult): FileResult {
  const { registered, queued, passed, errors, problems } = result
  const missing: string[] = []
  if (problems.length === 0) {
    if (registered === 0) missing.push('This file has no test.')
    else if (queued < registered)
      missing.push(`${registered - queued} of ${registered} tests never ran: is .run() missing?`)
    else if (passed < registered && errors.length === 0) missing.push(`${registered - passed} tests did not finish.`)
  }
  return { ...result, problems: [...problems, ...missing] }
}

export interface TestCounts {
  passed: number
  failed: number
}

/** A registered test that did not pass counts as failed. A file with a problem has at least one failure. */
export function countTests({ registered, passed, problems }: FileResult): TestCounts {
  return { passed, failed: Math.max(registered - passed, problems.length ? 1 : 0) }
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
