import type { Reason } from '../../contract/stream/reason.ts'

/** Why an input or output does not work, as it is shown. */
export interface Failure {
  /** A value of `SOURCE_STATE`. */
  state: number
  /** A value of `CONNECTION_STATE`. */
  connState: number
  /** Contains no secrets. */
  reason: Reason
}
