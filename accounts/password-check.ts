// Checks passwords at login and when a password is changed, with lock-out after failures and limited concurrency.

import { MISMATCH, TRY_AGAIN } from '../contract/codes.ts'
import { networkPrefix } from '../contract/network-prefix.ts'
import { CallError } from '../web-server/call-error.ts'
import { createFairQueue } from './fair-queue.ts'
import type { LockOut } from './lock-out.ts'
import { verifyPassword } from './passwords.ts'

/**
 * Maximum number of queued checks per network, and maximum number of networks. One check takes about 30 ms on one core.
 */
const QUEUE_LIMITS = { perNetwork: 20, networks: 200 }

interface PasswordCheckOptions {
  lockOut: LockOut
  /** A name is locked out at an address. @param isUser whether there is a user with this name */
  onLocked(name: string, address: string, isUser: boolean): void
}

/** A user whose password is checked: its hash in PHC format. */
interface CheckedUser {
  password: string
}

export class PasswordCheck {
  readonly #options: PasswordCheckOptions
  readonly #queue = createFairQueue(QUEUE_LIMITS.perNetwork, QUEUE_LIMITS.networks)

  constructor(options: PasswordCheckOptions) {
    this.#options = options
  }

  /**
   * Resolves if the password of a user is right. Checks run one at a time, so that a hundred guesses sent at once are
   * counted one after the other. Networks take turns; a user who has signed in from the address before has a turn of
   * their own.
   * @param row undefined if there is no user with this name
   * @throws CallError with MISMATCH if the password is wrong, or if the user or address is locked out; with TRY_AGAIN
   * if the queue is full
   */
  async require(address: string, name: string, passwd: string, row: CheckedUser | undefined): Promise<void> {
    // Checked before queueing, too, so that a locked client does not take a place in the queue.
    this.#refuseLocked(name, address)
    const isKnown = this.#options.lockOut.isKnown(name, address)
    const check = () => this.#check(address, name, passwd, row)
    const queued = this.#queue.enqueue(`${networkPrefix(address)} ${isKnown ? name : ''}`, check, isKnown)
    if (!queued) throw new CallError(TRY_AGAIN)
    return queued
  }

  async #check(address: string, name: string, passwd: string, row: CheckedUser | undefined): Promise<void> {
    const { lockOut, onLocked } = this.#options
    this.#refuseLocked(name, address)
    if (await verifyPassword(passwd, row?.password)) return
    if (!lockOut.recordFailure(name, address)) throw new CallError(MISMATCH)
    onLocked(name, address, row !== undefined)
    throw new CallError(MISMATCH, { 'locked-s': lockOut.secondsToWait(name, address) })
  }

  #refuseLocked(name: string, address: string): void {
    const seconds = this.#options.lockOut.secondsToWait(name, address)
    if (seconds > 0) throw new CallError(MISMATCH, { 'locked-s': seconds })
  }
}
