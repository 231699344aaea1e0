// Handlers of the NDI router for takes, locks, salvos and scheduled takes.
import { NOT_EXIST, SUCCESS, TOO_MANY } from '../../../contract/codes.ts'
import {
  addSalvo,
  deleteSalvo,
  deleteScheduledTake,
  lockDestination,
  SALVOS_MAX,
  setSalvo,
  takeRoutes,
  takeSalvo,
  undoTake
} from '../../../contract/ndi/router.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handleChange, handleServiceChange } from '../../http/handler.ts'
import type { RouterResult } from '../../ndi/ndi-routers.ts'
import type { RouterService } from '../../ndi/router-service.ts'
import type { StoredMatrix, StoredSalvo } from '../../store/matrices.ts'
import type { Store } from '../../store/store.ts'
import { requireFreeName } from '../free-name.ts'
import { actorOf, requireKnownTakes, requireMatrix } from './requirements.ts'

interface NdiTakeParts {
  store: Store
  gate: Gate
  routers: RouterService
}

/** Passes on the outcome of a change that the service has logged. @throws CallError */
function requireSuccess(context: Context, { result, ...fields }: RouterResult): object {
  context.isLogged = true
  if (result !== SUCCESS) throw new CallError(result, fields)
  return {}
}

/** @throws CallError 16 */
function requireSalvo({ store }: { store: Store }, context: Context, matrix: StoredMatrix, id: number): StoredSalvo {
  const salvo = store.matrices.salvos(matrix.id).find((each) => each.id === id)
  if (!salvo) throw new CallError(NOT_EXIST)
  context.detail = `${matrix.name}: ${salvo.name}`
  return salvo
}

function salvoHandlers(parts: { store: Store; routers: RouterService }): Handler[] {
  const { store, routers } = parts
  const announce = (context: Context, id: number) => context.afterCommit(() => routers.settingsChanged(id))
  return [
    handleChange(addSalvo, (context, { id, name, takes }) => {
      const matrix = requireMatrix(parts, context, id)
      context.detail = `${matrix.name}: ${name}`
      requireKnownTakes(matrix, takes)
      requireFreeName(store.matrices.salvos(id), name)
      if (store.matrices.salvos(id).length >= SALVOS_MAX) throw new CallError(TOO_MANY, { max: SALVOS_MAX })
      announce(context, id)
      return { salvo: store.matrices.addSalvo(id, { name, takes }) }
    }),
    handleChange(setSalvo, (context, { id, salvo: salvoId, name, takes }) => {
      const matrix = requireMatrix(parts, context, id)
      const salvo = requireSalvo(parts, context, matrix, salvoId)
      if (takes) requireKnownTakes(matrix, takes)
      if (name !== undefined) requireFreeName(store.matrices.salvos(id), name, salvoId)
      store.matrices.setSalvo({ id: salvoId, name: name ?? salvo.name, takes: takes ?? salvo.takes })
      announce(context, id)
      return {}
    }),
    handleChange(deleteSalvo, (context, { id, salvo }) => {
      requireSalvo(parts, context, requireMatrix(parts, context, id), salvo)
      store.matrices.removeSalvo(salvo)
      announce(context, id)
      return {}
    })
  ]
}

export function takeHandlers(parts: NdiTakeParts): Handler[] {
  const { store, routers } = parts
  return [
    ...salvoHandlers(parts),
    handleServiceChange(takeRoutes, async (context, { id, takes, override, revision, at, name }) => {
      const actor = actorOf(parts, context)
      if (at === undefined)
        return requireSuccess(context, await routers.take(id, takes, actor, { override, revision, title: name }))
      const { scheduled, ...result } = routers.schedule(id, { at: at * 1000, name: name ?? '', takes }, actor, {
        revision
      })
      return { ...requireSuccess(context, result), ...(scheduled !== undefined && { scheduled }) }
    }),
    handleServiceChange(takeSalvo, async (context, { id, salvo: salvoId, override, revision }) => {
      const { name, takes } = requireSalvo(parts, context, requireMatrix(parts, context, id), salvoId)
      const options = { override, revision, title: name, event: takeSalvo.path }
      return requireSuccess(context, await routers.take(id, takes, actorOf(parts, context), options))
    }),
    handleServiceChange(undoTake, async (context, { id, take, override }) =>
      requireSuccess(context, await routers.undo(id, actorOf(parts, context), { take, override }))
    ),
    handleServiceChange(lockDestination, async (context, { id, destination, locked, override, revision }) =>
      requireSuccess(context, routers.setLock(id, destination, locked, actorOf(parts, context), { override, revision }))
    ),
    handleChange(deleteScheduledTake, (context, { id, scheduled }) => {
      const matrix = requireMatrix(parts, context, id)
      const take = store.matrices.scheduled(id).find((each) => each.id === scheduled)
      if (!take) throw new CallError(NOT_EXIST)
      if (take.name !== '') context.detail = `${matrix.name}: ${take.name}`
      store.matrices.removeScheduled(scheduled)
      context.afterCommit(() => routers.settingsChanged(id))
      return {}
    })
  ]
}
