/** Kinds of errors, which the hub translates into its own messages. `other`: only on the command line. */
export type PackErrorKind =
  | 'cut-short'
  | 'not-a-pack'
  | 'wrong-key'
  | 'development'
  | 'tampered'
  | 'format'
  | 'over-budget'
  | 'tool'
  | 'architecture'
  | 'hardware'
  | 'service'
  | 'other'

/**
 * A pack cannot be built or is not accepted. The message is for users; command line tools print it without a stack
 * trace.
 */
export class PackError extends Error {
  readonly kind: PackErrorKind
  constructor(message: string, kind: PackErrorKind = 'other') {
    super(message)
    this.kind = kind
  }
}

/** The console in the pack exceeds the size budget. */
export class OverBudget extends PackError {
  readonly line: { part: string; is: number; limit: number }
  constructor(part: string, is: number, limit: number) {
    super(`The console is too large: ${part} has ${is}, the limit is ${limit}.`, 'over-budget')
    this.line = { part, is, limit }
  }
}
