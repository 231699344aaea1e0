import { STATE_CHANGED } from '../../contract/codes.ts'
import type { Was } from '../../contract/user.ts'
import { Refusal } from '../http/handler.ts'

/** Refuses a change of values that are not what its caller took them to be. */
export function refuseStale<Values extends object>(was: Was<Values>['was'], now: Values): void {
  const names = Object.keys(was ?? {}) as (keyof Values)[]
  if (names.some((name) => was?.[name] !== undefined && was[name] !== now[name])) throw new Refusal(STATE_CHANGED)
}
