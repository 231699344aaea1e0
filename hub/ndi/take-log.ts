// Describes takes for the operation log: the destinations with the labels of their sources, before and after.
import type { Take } from '../../contract/ndi/router.ts'
import type { StoredMatrix } from '../store/ndi/matrices.ts'

/** Characters of the detail of a line; the takes beyond are counted. */
const DETAIL_MAX = 1000
const NO_SOURCE = '–'

const sourceLabel = ({ sources }: StoredMatrix, position: number) =>
  sources.find((source) => source.position === position)?.label ?? NO_SOURCE

/** @param title name of the salvo or scheduled take */
export function describeTakes(matrix: StoredMatrix, takes: readonly Take[], title = ''): string {
  const begin = title === '' ? matrix.name : `${matrix.name}, ${title}`
  const parts = takes.map(({ destination, source }) => {
    const row = matrix.destinations.find(({ position }) => position === destination)
    const before = sourceLabel(matrix, row?.source ?? 0)
    return `${row?.label ?? destination}: ${before} → ${sourceLabel(matrix, source)}`
  })
  let text = begin
  for (const [index, part] of parts.entries()) {
    const next = `${text}; ${part}`
    if (next.length > DETAIL_MAX) return `${text}; +${parts.length - index}`
    text = next
  }
  return text
}
