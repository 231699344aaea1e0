// Handlers that list, add, edit and delete matrices of the NDI router.
import { INVALID_ARG, NAME_EXISTS, OBJECT_BUSY, TOO_MANY } from '../../../contract/codes.ts'
import {
  addMatrix,
  deleteMatrix,
  listMatrices,
  MATRICES_MAX,
  type Matrix,
  type MatrixDestination,
  type PanelSettings,
  setMatrix,
  VIDEOHUB_PORT
} from '../../../contract/ndi/router.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handle, handleChange } from '../../http/handler.ts'
import type { Language } from '../../messages/language.ts'
import { reasonText } from '../../messages/reasons.ts'
import { applyEdit, destinationRows, findChanged, findInterrupted, sourceRows } from '../../ndi/edit-matrix.ts'
import type { RouterService } from '../../ndi/router-service.ts'
import type { Store } from '../../store/store.ts'
import { paginateSince } from '../list.ts'
import { requireBaseName } from '../ndi-names.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'
import { requireMatrix, requireNotLocked } from './requirements.ts'
import { describeRuntime } from './runtime.ts'

interface NdiMatrixParts {
  store: Store
  gate: Gate
  engine: EngineClient
  routers: RouterService
  portsInUse: PortsInUse
}

const ENGINE_AWAY = {
  state: SOURCE_STATE.failed,
  connState: CONNECTION_STATE.disconnected,
  reason: 'engine-away'
} as const

/** @throws CallError 1003 if another matrix has the name or the base name */
function requireFreeNames(
  { store }: { store: Store },
  fields: { name?: string | undefined; machine?: string | undefined },
  id?: number
): void {
  for (const field of ['name', 'machine'] as const) {
    const value = fields[field]
    if (value !== undefined && store.matrices.hasOther(id, field, value)) throw new CallError(NAME_EXISTS, { field })
  }
}

/**
 * @throws CallError 1007 if the hub uses the port of the panels for something else; 7 for destinations that do not
 * exist
 */
function requirePanel(
  { portsInUse }: { portsInUse: PortsInUse },
  context: Context,
  { id, destinations }: { id: number; destinations: readonly unknown[] },
  panel: PanelSettings
): void {
  if (panel.destinations.some((index) => index > destinations.length))
    throw new CallError(INVALID_ARG, { field: 'panel.destinations', fault: 'range', min: 1, max: destinations.length })
  if (panel.enable) portsInUse.requireFree(context, [panel.port], 'panel.port', { kind: 'panel', id })
}

/** @throws CallError 1005 if there are such destinations */
function requireNoReceivers(destinations: readonly MatrixDestination[], force = false): void {
  if (!force && destinations.length > 0)
    throw new CallError(OBJECT_BUSY, {
      'with-receivers': destinations.map(({ index, label }) => ({ destination: index, label }))
    })
}

/** The first port from 9990 that no other matrix has and that the hub does not use for something else. */
function freePanelPort({ store, portsInUse }: { store: Store; portsInUse: PortsInUse }): number {
  const used = new Set(store.matrices.all().map(({ panel }) => panel.port))
  let port = VIDEOHUB_PORT
  while (used.has(port) || portsInUse.holderOf(port, { kind: 'panel', id: undefined })) port++
  return port
}

/** Translates the reason why the port of the panels is closed. */
function inLanguage(matrix: Matrix, language: Language): Matrix {
  const { panel } = matrix
  return panel.reason === undefined
    ? matrix
    : { ...matrix, panel: { ...panel, reason: reasonText(language, panel.reason) } }
}

function handleList({ store, routers, engine }: NdiMatrixParts): Handler {
  return handle(listMatrices, ({ language }, request) => {
    const runtime = describeRuntime(language, engine.isAway() ? { failure: ENGINE_AWAY } : (engine.ndiStatus() ?? {}))
    const list = paginateSince(store.changes, 'ndi', request, store.matrices.all(), ({ id }) =>
      inLanguage(routers.get(id) as Matrix, language)
    )
    return { ...list, runtime }
  })
}

export function matrixHandlers(parts: NdiMatrixParts): Handler[] {
  const { store, routers } = parts
  return [
    handleList(parts),
    handleChange(addMatrix, (context, { name, machine, sources, destinations }) => {
      context.detail = name
      if (store.matrices.all().length >= MATRICES_MAX) throw new CallError(TOO_MANY, { max: MATRICES_MAX })
      requireFreeNames(parts, { name, machine })
      requireBaseName(parts, machine)
      const panel = { enable: false, port: freePanelPort(parts), 'allow-ip': [], destinations: [] }
      const id = store.matrices.add(name, machine, panel)
      context.objects.push(`matrix:${id}`)
      store.matrices.replaceSources(id, sourceRows(sources))
      store.matrices.replaceDestinations(id, destinationRows(destinations, machine))
      context.afterCommit(() => routers.structureChanged(id))
      return { id }
    }),
    handleChange(setMatrix, (context, { id, force, ...edit }) => {
      const before = requireMatrix(parts, context, id)
      const current = routers.get(id) as Matrix
      if (edit.name !== undefined) context.detail = edit.name
      requireFreeNames(parts, edit, id)
      if (edit.machine !== undefined) requireBaseName(parts, edit.machine)
      if (edit.panel)
        requirePanel(parts, context, { id, destinations: edit.destinations ?? before.destinations }, edit.panel)
      requireNotLocked(parts, context, findChanged(before, edit), force)
      requireNoReceivers(findInterrupted(before, current, edit), force)
      applyEdit(store.matrices, before, edit)
      context.afterCommit(() => routers.structureChanged(id))
      return {}
    }),
    handleChange(deleteMatrix, (context, { id, force }) => {
      requireNotLocked(parts, context, requireMatrix(parts, context, id).destinations, force)
      requireNoReceivers(
        (routers.get(id) as Matrix).destinations.filter(({ connections }) => connections > 0),
        force
      )
      store.matrices.remove(id)
      context.afterCommit(() => routers.structureChanged(id))
      return {}
    })
  ]
}
