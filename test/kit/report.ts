// What a test process says of the file it runs.

export type Report =
  | { kind: 'registered' }
  /** A test begins. */
  | { kind: 'started'; title: string }
  /** A test came to its end without a failure. Hooks may still fail it. */
  | { kind: 'ended' }
  /** A suite is through: how many were handed to uvu, how many passed, and uvu's text about the others. */
  | { kind: 'suite'; handed: number; passed: number; errors: string }
  | { kind: 'problem'; text: string }
  | { kind: 'done' }

/** What a test process is told to run. */
export interface Order {
  bundle: string
  /** Whether it finds a document: what is written as `.tsx` draws. */
  withDocument: boolean
}

const KEY = Symbol.for('headend.report')
type Holder = { [KEY]?: (report: Report) => void }

/** Test files are bundled one by one, so the process and its file meet at a global. */
export function setReporter(report: (report: Report) => void): void {
  ;(globalThis as Holder)[KEY] = report
}

export function report(said: Report): void {
  ;(globalThis as Holder)[KEY]?.(said)
}
