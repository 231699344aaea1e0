// Messages from the process of a test file to the runner.

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
  /** The file has finished. */
  | { kind: 'done' }

export function report(message: Report): void {
  process.send?.(message)
}
