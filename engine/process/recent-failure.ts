// The last failure of a shared program, for those whose connection it has ended: they are told also after the program
// runs again, while their clients come back.
import type { Reason } from '../../contract/stream/reason.ts'

/** Milliseconds for which a failure counts after its end. */
const SHOWN = 15_000

export class RecentFailure {
  #reason: Reason | undefined
  #at = 0

  /** @param now milliseconds, as in `read` */
  record(reason: Reason, now: number): void {
    this.#reason = reason
    this.#at = now
  }

  read(now: number): Reason | undefined {
    return now - this.#at < SHOWN ? this.#reason : undefined
  }
}
