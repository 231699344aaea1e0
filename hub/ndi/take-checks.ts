// Checks of takes, and the parts of a stored matrix that they need.
import { INVALID_ARG, NOT_PERMITTED, WRONG_STATE } from '../../contract/codes.ts'
import type { Take } from '../../contract/ndi/router.ts'
import type { Route } from '../../engine/interfaces/router.ts'
import type { StoredMatrix } from '../store/matrices.ts'
import { sourceNameAt } from './matrix-view.ts'
import type { RouterActor, RouterResult } from './ndi-routers.ts'

export const labelOf = ({ destinations }: StoredMatrix, index: number): string =>
  destinations.find(({ position }) => position === index)?.label ?? String(index)

export const sourceOf = ({ destinations }: StoredMatrix, index: number): number =>
  destinations.find(({ position }) => position === index)?.source ?? 0

export const routesOf = (matrix: StoredMatrix, takes: readonly Take[]): Route[] =>
  takes.map(({ destination, source }) => ({ destination, source: sourceNameAt(matrix, source) }))

/** Refuses takes with an unknown source or destination, and an empty list. */
export function findUnknown({ sources, destinations }: StoredMatrix, takes: readonly Take[]): RouterResult | undefined {
  const isKnown = ({ destination, source }: Take) =>
    destination >= 1 && destination <= destinations.length && source >= 0 && source <= sources.length
  return takes.length > 0 && takes.every(isKnown) ? undefined : { result: INVALID_ARG, field: 'takes' }
}

/** Why takes are not possible: an unknown source or destination, or destinations that others have locked. */
export function findRefusal(
  matrix: StoredMatrix,
  takes: readonly Take[],
  actor: RouterActor,
  override: boolean
): RouterResult | undefined {
  if (override && !actor.isAdmin) return { result: NOT_PERMITTED }
  const unknown = findUnknown(matrix, takes)
  if (unknown) return unknown
  if (override) return undefined
  const locked = takes.flatMap(({ destination }) => {
    const owner = matrix.destinations.find(({ position }) => position === destination)?.locked_by ?? ''
    const isFree = owner === '' || owner === actor.name
    return isFree ? [] : [{ destination, label: labelOf(matrix, destination), by: owner }]
  })
  return locked.length > 0 ? { result: WRONG_STATE, locked } : undefined
}
