// Shared by the handlers of the NDI router: looks up matrices, and checks takes before they are stored.
import { INVALID_ARG, NOT_EXIST } from '../../../contract/codes.ts'
import type { Take } from '../../../contract/ndi/router.ts'
import type { HubContext } from '../../context.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { RouterActor } from '../../ndi/ndi-routers.ts'
import type { StoredMatrix } from '../../store/ndi/matrices.ts'

/** @throws CallError 16 */
export function requireMatrix({ store }: HubContext, context: Context, id: number): StoredMatrix {
  context.objects.push(`matrix:${id}`)
  const matrix = store.matrices.byId(id)
  if (!matrix) throw new CallError(NOT_EXIST)
  context.detail = matrix.name
  return matrix
}

/** @throws CallError 7 if a source or destination does not exist */
export function requireKnownTakes({ sources, destinations }: StoredMatrix, takes: readonly Take[]): void {
  const isKnown = ({ source, destination }: Take) => source <= sources.length && destination <= destinations.length
  if (!takes.every(isKnown)) throw new CallError(INVALID_ARG, { field: 'takes', fault: 'invalid' })
}

export function actorOf({ gate }: HubContext, context: Context): RouterActor {
  const caller = requireCaller(context)
  return { name: caller.user.name, address: context.address, isAdmin: gate.isAdmin(caller) }
}
