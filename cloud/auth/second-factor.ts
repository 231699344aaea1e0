// Second factors of users of organisations: encrypted secrets, and hashes of recovery codes.
import { createFairQueue } from '../../accounts/fair-queue.ts'
import type { LockOut } from '../../accounts/lock-out.ts'
import { generateRecoveryCodes, hashRecoveryCode, isAppCode, stepOfCode } from '../../accounts/second-factor.ts'
import { MISMATCH, SECOND_FACTOR_REQUIRED, TRY_AGAIN } from '../../contract/codes.ts'
import type { Encryption } from '../../data-files/encryption.ts'
import { CallError } from '../../web-server/call-error.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from './accounts.ts'

interface SecondFactorsOptions {
  store: Store
  encryption: Encryption
  lockOut: LockOut
  now: () => number
}

/** Where a code comes from. */
interface CodeSender {
  address: string
  /** Name under which failures are counted. */
  lockName: string
}

/** Codes of one user that may wait for their check, and users. */
const QUEUE_LIMITS = { perUser: 20, users: 1000 }

const ownerOf = ({ organisation, id }: UserRow) => `second factor of user ${id} of ${organisation}`

export class SecondFactors {
  readonly #options: SecondFactorsOptions
  /** Codes are checked one after the other, so that guesses that are sent at once are counted. */
  readonly #queue = createFairQueue(QUEUE_LIMITS.perUser, QUEUE_LIMITS.users)

  constructor(options: SecondFactorsOptions) {
    this.#options = options
  }

  /**
   * Requires a valid code if the user has a second factor. Each code is accepted once.
   * @throws CallError 1101 without a code; 39 with a wrong one, and while the user is locked out
   */
  async require(sender: CodeSender, user: UserRow, code: string | undefined): Promise<void> {
    if (user.second_factor_since === 0) return
    if (code === undefined) throw new CallError(SECOND_FACTOR_REQUIRED)
    const checked = this.#queue.enqueue(sender.lockName, () => this.#check(sender, user, code))
    if (!checked) throw new CallError(TRY_AGAIN)
    await checked
  }

  async #check({ address, lockName }: CodeSender, user: UserRow, code: string): Promise<void> {
    const { lockOut, store } = this.#options
    const refusal = (seconds: number) =>
      new CallError(MISMATCH, { field: 'code', ...(seconds > 0 && { 'locked-s': seconds }) })
    const locked = lockOut.secondsToWaitForCode(lockName, address)
    if (locked > 0) throw refusal(locked)
    const isRight = await store.within(user.organisation, (scope) =>
      isAppCode(code) ? this.#useAppCode(scope, user, code) : useRecoveryCode(scope, user, code)
    )
    if (isRight) return
    lockOut.recordCodeFailure(lockName, address)
    throw refusal(lockOut.secondsToWaitForCode(lockName, address))
  }

  /** A code whose step is not later than that of the last accepted code was used before, or seen and kept. */
  async #useAppCode(scope: Scope, user: UserRow, code: string): Promise<boolean> {
    const secret = this.#options.encryption.decrypt(user.second_factor, ownerOf(user))
    const step = secret && stepOfCode(secret, code, this.#options.now())
    if (!step) return false
    const { numUpdatedRows } = await scope
      .update('users')
      .set({ second_factor_step: step })
      .where('id', '=', user.id)
      .where('second_factor', '=', user.second_factor)
      .where('second_factor_step', '<', step)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  }

  /** @param step of the code that proved the secret, which is not accepted again. @returns recovery codes */
  async enable(scope: Scope, user: UserRow, secret: string, step: number): Promise<string[]> {
    const change = {
      second_factor: this.#options.encryption.encrypt(secret, ownerOf(user)),
      second_factor_since: this.#options.now(),
      second_factor_step: step
    }
    await scope.update('users').set(change).where('id', '=', user.id).execute()
    return replaceRecoveryCodes(scope, user.id)
  }
}

async function useRecoveryCode(scope: Scope, { id }: UserRow, code: string): Promise<boolean> {
  const { numDeletedRows } = await scope
    .delete('recovery_codes')
    .where('user_id', '=', id)
    .where('hash', '=', hashRecoveryCode(code))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) === 1
}

const deleteRecoveryCodes = (scope: Scope, userId: number) =>
  scope.delete('recovery_codes').where('user_id', '=', userId).execute()

/** Stores new recovery codes in place of the old ones. @returns the codes in clear text */
export async function replaceRecoveryCodes(scope: Scope, userId: number): Promise<string[]> {
  const codes = generateRecoveryCodes()
  await deleteRecoveryCodes(scope, userId)
  for (const code of codes)
    await scope.insert('recovery_codes', { user_id: userId, hash: hashRecoveryCode(code) }).execute()
  return codes
}

export async function clearSecondFactor(scope: Scope, userId: number): Promise<void> {
  await scope.update('users').set({ second_factor: '', second_factor_since: 0 }).where('id', '=', userId).execute()
  await deleteRecoveryCodes(scope, userId)
}

export async function countRecoveryCodes(scope: Scope, userId: number): Promise<number> {
  return (await scope.select('recovery_codes').select('hash').where('user_id', '=', userId).execute()).length
}
