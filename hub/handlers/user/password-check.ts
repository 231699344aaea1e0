// Checks passwords at login and when a password is changed, with lock-out after failures and limited concurrency.

import { createFairQueue } from '../../../accounts/fair-queue.ts'
import type { LockOut } from '../../../accounts/lock-out.ts'
import { verifyPassword } from '../../../accounts/passwords.ts'
import { MISMATCH, TRY_AGAIN } from '../../../contract/codes.ts'
import { LOG_WARNING } from '../../../contract/log.ts'
import { networkPrefix } from '../../../contract/network-prefix.ts'
import { CallError } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow } from '../../store/users.ts'

/**
 * Maximum number of queued checks per network, and maximum number of networks. One check takes about 30 ms on one core.
 */
const QUEUE_LIMITS = { perNetwork: 20, networks: 200 }

export class PasswordCheck {
  readonly #parts: { store: Store; lockOut: LockOut }
  readonly #queue = createFairQueue(QUEUE_LIMITS.perNetwork, QUEUE_LIMITS.networks)

  constructor(parts: { store: Store; lockOut: LockOut }) {
    this.#parts = parts
  }

  /**
   * Resolves if the password of a user is right. Checks run one at a time, so that a hundred guesses sent at once are
   * counted one after the other. Networks take turns; a user who has signed in from the address before has a turn of
   * their own.
   * @param row undefined if there is no user with this name
   * @throws CallError with MISMATCH if the password is wrong, or if the user or address is locked out; with TRY_AGAIN
   * if the queue is full
   */
  async require(address: string, name: string, passwd: string, row: UserRow | undefined): Promise<void> {
    // Checked before queueing, too, so that a locked client does not take a place in the queue.
    this.#refuseLocked(name, address)
    const isKnown = this.#parts.lockOut.isKnown(name, address)
    const check = () => this.#check(address, name, passwd, row)
    const queued = this.#queue.enqueue(`${networkPrefix(address)} ${isKnown ? name : ''}`, check, isKnown)
    if (!queued) throw new CallError(TRY_AGAIN)
    return queued
  }

  async #check(address: string, name: string, passwd: string, row: UserRow | undefined): Promise<void> {
    const { lockOut, store } = this.#parts
    this.#refuseLocked(name, address)
    if (await verifyPassword(passwd, row?.password)) return
    if (!lockOut.recordFailure(name, address)) throw new CallError(MISMATCH)
    store.logEvent({ event: 'login-locked', detail: row ? `${name} ${address}` : address, level: LOG_WARNING })
    throw new CallError(MISMATCH, { 'locked-s': lockOut.secondsToWait(name, address) })
  }

  #refuseLocked(name: string, address: string): void {
    const seconds = this.#parts.lockOut.secondsToWait(name, address)
    if (seconds > 0) throw new CallError(MISMATCH, { 'locked-s': seconds })
  }
}
