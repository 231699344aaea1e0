// Valid requests of the calls, which test/contract/request-examples.ts collects.
import type { Call } from '../../../contract/call.ts'

/** Valid requests by call. The first one has the required fields only. */
export const EXAMPLES = new Map<Call, object[]>()

export function examples<Request>(call: Call<Request, never> | Call<Request>, ...requests: Request[]): void {
  EXAMPLES.set(call as Call, requests as object[])
}
