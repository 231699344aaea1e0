// Shared by the handlers of the NDI router: looks up matrices, and checks takes before they are stored.
import { INVALID_ARG, NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import type { Take } from '../../../contract/ndi/router.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { RouterActor } from '../../ndi/ndi-routers.ts'
import type { DestinationRow, StoredMatrix } from '../../store/matrices.ts'
import type { Store } from '../../store/store.ts'

/** @throws CallError 16 */
export function requireMatrix({ store }: { store: Store }, context: Context, id: number): StoredMatrix {
  context.objects.push(`matrix:${id}`)
  const matrix = store.matrices.byId(id)
  if (!matrix) throw new CallError(NOT_EXIST)
  context.detail = matrix.name
  return matrix
}

/**
 * @param changed destinations that a change of the matrix would switch, rename or remove
 * @throws CallError 38 with `locked` if others have locked one of them, unless an administrator forces the change
 */
export function requireNotLocked(
  parts: { gate: Gate },
  context: Context,
  changed: readonly DestinationRow[],
  force = false
): void {
  const { name, isAdmin } = actorOf(parts, context)
  const locked = changed.filter(({ locked_by: owner }) => owner !== '' && owner !== name)
  if (locked.length === 0 || (force && isAdmin)) return
  throw new CallError(WRONG_STATE, {
    locked: locked.map(({ position, label, locked_by: by }) => ({ destination: position, label, by }))
  })
}

/** @throws CallError 7 if a source or destination does not exist */
export function requireKnownTakes({ sources, destinations }: StoredMatrix, takes: readonly Take[]): void {
  const isKnown = ({ source, destination }: Take) => source <= sources.length && destination <= destinations.length
  if (!takes.every(isKnown)) throw new CallError(INVALID_ARG, { field: 'takes', fault: 'invalid' })
}

export function actorOf({ gate }: { gate: Gate }, context: Context): RouterActor {
  const caller = requireCaller(context)
  return { name: caller.user.name, token: caller.tokenName, address: context.address, isAdmin: gate.isAdmin(caller) }
}
