// How a handler refuses a call.
import type { Envelope } from '../contract/call.ts'

/** Fields of an error response besides its result code; which ones depends on the call and the code. */
type ErrorFields = Readonly<Record<string, unknown>> & Pick<Envelope, 'field'>

/** Thrown by a handler: the response has this result code, and the transaction of a change is rolled back. */
export class CallError extends Error {
  readonly code: number
  readonly fields: ErrorFields
  /** @param fields further fields of the response, such as `field` with result 7 */
  constructor(code: number, fields: ErrorFields = {}) {
    super(`result ${code}`)
    this.code = code
    this.fields = fields
  }
}
