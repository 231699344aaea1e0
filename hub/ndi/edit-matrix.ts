// Applies an edit of a matrix to the store. Runs in a transaction.

import type {
  DestinationFields,
  Matrix,
  MatrixFields,
  PanelSettings,
  SourceFields,
  Take
} from '../../contract/ndi/router.ts'
import { destinationName } from '../../contract/ndi-name-length.ts'
import type { DestinationRow, Matrices, SourceRow, StoredMatrix } from '../store/matrices.ts'

/**
 * Where each source of a matrix goes when its list is replaced: a source that moves keeps its routes, one whose place
 * is taken by a new source passes them on to that, and one that was removed loses them.
 * @returns a function from the old position to the new one; 0 = removed
 */
function mapSources(before: readonly string[], after: readonly string[]): (position: number) => number {
  const known = new Set(before)
  return (position) => {
    const name = before[position - 1]
    if (name === undefined) return 0
    const moved = after.indexOf(name) + 1
    if (moved > 0) return moved
    const successor = after[position - 1]
    return successor !== undefined && !known.has(successor) ? position : 0
  }
}

/**
 * The takes of a list after its sources moved, without those of removed sources and of destinations above
 * `destinations`.
 */
function mapTakes(takes: readonly Take[], sourceOf: (position: number) => number, destinations: number): Take[] {
  return takes.flatMap(({ destination, source }) => {
    const mapped = source === 0 ? 0 : sourceOf(source)
    const isGone = destination > destinations || (source > 0 && mapped === 0)
    return isGone ? [] : [{ destination, source: mapped }]
  })
}

export type MatrixEdit = Partial<MatrixFields> & { panel?: PanelSettings | undefined }

/** Name of an NDI source without the machine. */
const nameWithoutMachine = (name: string) => /\((.*)\)$/.exec(name)?.[1] || name

export const sourceRows = (sources: readonly SourceFields[]): SourceRow[] =>
  sources.map(({ label, name }, index) => ({ position: index + 1, name, label: label ?? nameWithoutMachine(name) }))

/** @param before the rows whose routes and locks are kept, by position */
export function destinationRows(
  destinations: readonly DestinationFields[],
  machine: string,
  before: readonly DestinationRow[] = []
): DestinationRow[] {
  return destinations.map(({ label }, index) => {
    const position = index + 1
    const idle = { position, source: 0, taken: 0, taken_by: '', locked_by: '' }
    return { ...(before[index] ?? idle), label: label ?? destinationName(machine, position) }
  })
}

const sourceMapping = (before: StoredMatrix, { sources }: MatrixEdit) =>
  sources
    ? mapSources(
        before.sources.map(({ name }) => name),
        sources.map(({ name }) => name)
      )
    : (position: number) => position

/** Destinations that have receivers now and would be disconnected, removed or renamed by an edit. */
export function findInterrupted(before: StoredMatrix, { destinations }: Matrix, edit: MatrixEdit) {
  const sourceOf = sourceMapping(before, edit)
  const isRenamed = edit.machine !== undefined && edit.machine !== before.machine
  const count = edit.destinations?.length ?? before.destinations.length
  return destinations.filter(
    ({ index, source, connections }) =>
      connections > 0 && (isRenamed || index > count || (source > 0 && sourceOf(source) === 0))
  )
}

/** Destinations that would get another source or name, or be removed by an edit. */
export function findChanged(before: StoredMatrix, edit: MatrixEdit): DestinationRow[] {
  const sourceOf = sourceMapping(before, edit)
  const nameOf = (rows: readonly { name: string }[], position: number) => rows[position - 1]?.name
  const isRenamed = edit.machine !== undefined && edit.machine !== before.machine
  const count = edit.destinations?.length ?? before.destinations.length
  return before.destinations.filter(
    ({ position, source }) =>
      isRenamed ||
      position > count ||
      nameOf(before.sources, source) !== nameOf(edit.sources ?? before.sources, sourceOf(source))
  )
}

export function applyEdit(matrices: Matrices, before: StoredMatrix, edit: MatrixEdit): void {
  const { id } = before
  const machine = edit.machine ?? before.machine
  matrices.setNames(id, edit.name ?? before.name, machine)
  if (edit.panel) matrices.setPanel(id, { ...before.panel, ...edit.panel })
  if (edit.sources) matrices.replaceSources(id, sourceRows(edit.sources))
  if (!edit.sources && !edit.destinations) return
  const sourceOf = sourceMapping(before, edit)
  const kept = before.destinations.map((row) => ({ ...row, source: row.source === 0 ? 0 : sourceOf(row.source) }))
  const rows = edit.destinations ? destinationRows(edit.destinations, machine, kept) : kept
  matrices.replaceDestinations(id, rows)
  const map = (takes: Parameters<typeof mapTakes>[0]) => mapTakes(takes, sourceOf, rows.length)
  const undoTakes = map(before.undo?.takes ?? [])
  matrices.setUndo(id, before.undo && undoTakes.length > 0 ? { ...before.undo, takes: undoTakes } : undefined)
  for (const salvo of matrices.salvos(id)) {
    const takes = map(salvo.takes)
    if (takes.length > 0) matrices.setSalvo({ ...salvo, takes })
    else matrices.removeSalvo(salvo.id)
  }
  for (const scheduled of matrices.scheduled(id)) {
    const takes = map(scheduled.takes)
    if (takes.length > 0) matrices.setScheduledTakes(scheduled.id, takes)
    else matrices.removeScheduled(scheduled.id)
  }
}
