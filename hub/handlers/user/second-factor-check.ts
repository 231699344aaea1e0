// Checks the second factor of a user whose password has just been checked, with lock-out after failures.

import type { LockOut } from '../../../accounts/lock-out.ts'
import { hashRecoveryCode, isAppCode, stepOfCode } from '../../../accounts/second-factor.ts'
import { MISMATCH, SECOND_FACTOR_REQUIRED } from '../../../contract/codes.ts'
import { LOG_WARNING } from '../../../contract/log.ts'
import { CallError } from '../../http/handler.ts'
import { secretOwner } from '../../store/second-factors.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow } from '../../store/users.ts'

interface SecondFactorCheckParts {
  store: Store
  lockOut: LockOut
  now: () => number
}

/**
 * Requires a valid code if the user has a second factor. Each code is accepted once. It does not wait for anything, so
 * guesses that are sent at once are counted one after the other.
 * @throws CallError 1101 without a code; 39 with a wrong one, and while the user is locked out
 */
export function requireSecondFactor(
  parts: SecondFactorCheckParts,
  address: string,
  row: UserRow,
  code: string | undefined
): void {
  if (row.second_factor_since === 0) return
  if (code === undefined) throw new CallError(SECOND_FACTOR_REQUIRED)
  requireCode(parts, address, row, code)
}

/**
 * Requires a valid code of a user who has a second factor.
 * @throws CallError 39 with a wrong code, and while the user is locked out
 */
export function requireCode(parts: SecondFactorCheckParts, address: string, row: UserRow, code: string): void {
  const { lockOut, store } = parts
  const refusal = (seconds: number) =>
    new CallError(MISMATCH, { field: 'code', ...(seconds > 0 && { 'locked-s': seconds }) })
  const locked = lockOut.secondsToWaitForCode(row.name, address)
  if (locked > 0) throw refusal(locked)
  if (isAppCode(code) ? useAppCode(parts, row, code) : useRecoveryCode(parts, row, code)) return
  if (lockOut.recordCodeFailure(row.name, address))
    store.logEvent({ event: 'login-locked', detail: `${row.name} ${address}`, level: LOG_WARNING })
  throw refusal(lockOut.secondsToWaitForCode(row.name, address))
}

/** A code whose step is not later than that of the last accepted code was used before, or seen by somebody and kept. */
function useAppCode({ store, now }: { store: Store; now: () => number }, row: UserRow, code: string): boolean {
  const secret = store.encryption.decrypt(row.second_factor, secretOwner(row))
  const step = secret && stepOfCode(secret, code, now())
  return Boolean(step) && store.secondFactors.useStep(row.id, Number(step))
}

function useRecoveryCode({ store }: { store: Store }, row: UserRow, code: string): boolean {
  if (!store.secondFactors.useRecoveryCode(row.id, hashRecoveryCode(code))) return false
  store.logEvent({ event: 'recovery-code-used', detail: row.name, level: LOG_WARNING })
  return true
}
