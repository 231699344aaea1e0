// The order of a table's rows.
import { locale } from '../../text/language.ts'

export interface Sorting {
  /** Key of the column. */
  key: string
  order: 'ascending' | 'descending'
}

type Comparable = string | number

/** Sorts rows by `sortValue`. Numbers inside texts are compared as numbers; rows with equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortValue: (row: Row) => Comparable,
  order: Sorting['order']
): Row[] {
  const collator = new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' })
  const sign = order === 'ascending' ? 1 : -1
  const compare = (a: Comparable, b: Comparable) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(`${a}`, `${b}`)
  return rows.toSorted((a, b) => sign * compare(sortValue(a), sortValue(b)))
}

/** Sorts named rows: 'Channel 2' before 'Channel 10'. */
export const sortByName = <Row extends { name: string }>(rows: readonly Row[]): Row[] =>
  sortRows(rows, ({ name }) => name, 'ascending')

/** The sorting after a click on a column's title: ascending at first, then alternating. */
export function toggleSorting(current: Sorting | undefined, key: string): Sorting {
  return { key, order: current?.key === key && current.order === 'ascending' ? 'descending' : 'ascending' }
}
