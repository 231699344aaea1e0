import type { OptimisticLock } from '../contract/access/user.ts'
import { STATE_CHANGED } from '../contract/codes.ts'
import { CallError } from './call-error.ts'

/**
 * Optimistic lock: compares the values that the caller saw with the current ones.
 * @param was only the values that the caller wants to be checked
 * @throws CallError 1004 if one of them has changed
 */
export function requireUnchanged<Values extends object>(was: OptimisticLock<Values>['was'], current: Values): void {
  const names = Object.keys(was ?? {}) as (keyof Values)[]
  if (names.some((name) => was?.[name] !== undefined && was[name] !== current[name])) throw new CallError(STATE_CHANGED)
}
