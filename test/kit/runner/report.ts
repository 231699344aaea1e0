// Messages between the runner and its processes.

/** What the runner sends: a test file for the process to run. */
export interface FileToRun {
  /** Absolute path. */
  file: string
  /** Temporary folder of the file. */
  folder: string
}

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
  /** The file has finished. `left` names what it has changed in its process. */
  | { kind: 'done'; left: string[] }

export function report(message: Report): void {
  process.send?.(message)
}
