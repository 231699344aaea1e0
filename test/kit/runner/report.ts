// Messages between the test runner and its worker processes.

export type Report =
  | { kind: 'registered' }
  /** A test was registered that cannot run on this machine. */
  | { kind: 'skipped'; reason: string }
  /** A test begins. */
  | { kind: 'started'; title: string }
  /** The body of a test returned without an error. Hooks may still fail it. */
  | { kind: 'ended' }
  /** A suite has finished: tests queued in uvu, tests passed, and uvu's report of the failures. */
  | { kind: 'suite'; queued: number; passed: number; errors: string }
  | { kind: 'problem'; text: string }
  /** The file has finished. `memory`: resident memory of the process, in bytes. */
  | { kind: 'done'; memory: number }

/** Tells a worker process to run a bundled test file. */
export interface RunRequest {
  bundle: string
  /** Whether the file gets a document: `.tsx` files do. */
  withDocument: boolean
}

const REPORTER = Symbol.for('headend.report')
type ReporterGlobal = { [REPORTER]?: (report: Report) => void }

/** Sets the function that `report` calls. Each test file is bundled with its own modules, so the function is stored in a global. */
export function setReporter(report: (report: Report) => void): void {
  ;(globalThis as ReporterGlobal)[REPORTER] = report
}

export function report(message: Report): void {
  ;(globalThis as ReporterGlobal)[REPORTER]?.(message)
}
