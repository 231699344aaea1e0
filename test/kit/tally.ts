// What became of a test file. uvu alone is satisfied with a file that forgets `.run()` and with a `before` hook that throws,
// so what passed is compared with what was registered.

export interface Tally {
  file: string
  /** Tests that the file declared. */
  registered: number
  /** Tests that were handed to uvu by `.run()`. */
  handed: number
  passed: number
  /** Tests that failed, as text. */
  errors: string[]
  /** What went wrong beside the tests: it hung, it threw outside a test, a hook threw. */
  problems: string[]
  /** What the file wrote. */
  output: string
  ms: number
}

export function emptyTally(file: string): Tally {
  return { file, registered: 0, handed: 0, passed: 0, errors: [], problems: [], output: '', ms: 0 }
}

/** Adds what can only be seen at the end: tests that never ran. */
export function judge(tally: Tally): Tally {
  const { registered, handed, passed, errors, problems } = tally
  const said: string[] = []
  if (problems.length === 0) {
    if (registered === 0) said.push('This file has no test.')
    else if (handed < registered)
      said.push(`${registered - handed} of ${registered} tests never ran: is .run() missing?`)
    else if (passed < registered && errors.length === 0)
      said.push(`${registered - passed} tests did not run to their end.`)
  }
  return { ...tally, problems: [...problems, ...said] }
}

export interface Counted {
  passed: number
  failed: number
}

/** A test that was declared and did not pass has failed. A problem of the file makes at least one failure. */
export function counted({ registered, passed, problems }: Tally): Counted {
  return { passed, failed: Math.max(registered - passed, problems.length ? 1 : 0) }
}

export function sum(tallies: readonly Tally[]): Counted {
  const total = { passed: 0, failed: 0 }
  for (const tally of tallies) {
    const { passed, failed } = counted(tally)
    total.passed += passed
    total.failed += failed
  }
  return total
}
