// A matrix as it is sent to consoles and panels: the stored routes, with the state that the engine observes.

import type {
  DestinationState,
  Matrix,
  MatrixDestination,
  MatrixSource,
  PanelState
} from '../../contract/ndi/router.ts'
import { announcedName, destinationName } from '../../contract/ndi-name-length.ts'
import type { ObservedMatrix } from '../../engine/interfaces/router.ts'
import type { DestinationRow, StoredMatrix, StoredSalvo, StoredScheduledTake } from '../store/matrices.ts'

interface MatrixParts {
  stored: StoredMatrix
  revision: number
  observed: ObservedMatrix | undefined
  salvos: StoredSalvo[]
  scheduled: StoredScheduledTake[]
  panel: PanelState | undefined
  /** The name under which the hub announces its sources. */
  machine: string
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** NDI name of the source at a position; empty for 0. */
export const sourceNameAt = ({ sources }: Pick<StoredMatrix, 'sources'>, position: number): string =>
  sources.find((source) => source.position === position)?.name ?? ''

export function viewMatrix({ stored, revision, observed, salvos, scheduled, panel, machine }: MatrixParts): Matrix {
  const sources = stored.sources.map(({ position, label, name }): MatrixSource => {
    const presence = observed?.sources.find((source) => source.name === name)
    return {
      index: position,
      label,
      name,
      online: presence?.online ?? false,
      ...(presence && { since: seconds(presence.since) })
    }
  })
  const { undo } = stored
  return {
    id: stored.id,
    name: stored.name,
    machine: stored.machine,
    sources,
    destinations: stored.destinations.map((row) => viewDestination(row, { stored, machine, sources, observed })),
    revision,
    salvos,
    scheduled: scheduled.map(({ matrix: _, at, ...take }) => ({ ...take, at: seconds(at) })),
    ...(undo && { undo: { ...undo, at: seconds(undo.at), take: undo.at } }),
    panel: { ...stored.panel, ...panel }
  }
}

type DestinationContext = Pick<MatrixParts, 'stored' | 'machine' | 'observed'> & { sources: readonly MatrixSource[] }

function viewDestination(
  row: DestinationRow,
  { stored, machine, sources, observed }: DestinationContext
): MatrixDestination {
  const { position, label, source, taken, taken_by: by, locked_by: owner } = row
  const announced = observed?.destinations.find(({ destination }) => destination === position)
  return {
    index: position,
    label,
    name: announced?.name ?? announcedName(machine, destinationName(stored.machine, position)),
    source,
    since: seconds(taken),
    by,
    connections: announced?.connections ?? 0,
    state: stateOf(sourceNameAt(stored, source), announced?.source, sources),
    ...(owner && { 'locked-by': owner })
  }
}

/**
 * @param observed the source that the router process has connected; undefined if it has not announced the destination
 * @param sources a source without `since` was not looked for yet
 */
function stateOf(wanted: string, observed: string | undefined, sources: readonly MatrixSource[]): DestinationState {
  if (observed !== wanted) return 'down'
  if (wanted === '') return 'none'
  const source = sources.find(({ name }) => name === wanted)
  if (source?.since === undefined) return 'down'
  return source.online ? 'routed' : 'source-away'
}
