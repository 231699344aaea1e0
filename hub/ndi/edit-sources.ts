// Applies a new list of sources to the routes and takes of a matrix.
import type { Take } from '../../contract/ndi/router.ts'

/**
 * Where each source of a matrix goes when its list is replaced: a source that moves keeps its routes, one whose place is taken by a new source
 * passes them on to that, and one that was removed loses them.
 * @returns a function from the old position to the new one; 0 = removed
 */
export function mapSources(before: readonly string[], after: readonly string[]): (position: number) => number {
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

/** The takes of a list after its sources moved, without those of removed sources and of destinations above `destinations`. */
export function mapTakes(takes: readonly Take[], sourceOf: (position: number) => number, destinations: number): Take[] {
  return takes.flatMap(({ destination, source }) => {
    const mapped = source === 0 ? 0 : sourceOf(source)
    const isGone = destination > destinations || (source > 0 && mapped === 0)
    return isGone ? [] : [{ destination, source: mapped }]
  })
}
