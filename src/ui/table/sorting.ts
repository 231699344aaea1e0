// The order of a table's rows.
import { locale } from '../../text/language.ts'

export interface Sorting {
  /** Key of a column. */
  key: string
  order: 'ascending' | 'descending'
}

type Comparable = string | number

/** The rows in order of what `by` says of them. Numbers in texts count as numbers; equal rows keep their order. */
export function sorted<Row>(rows: readonly Row[], by: (row: Row) => Comparable, order: Sorting['order']): Row[] {
  const collator = new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' })
  const turn = order === 'ascending' ? 1 : -1
  const compare = (a: Comparable, b: Comparable) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(`${a}`, `${b}`)
  return rows.toSorted((one, other) => turn * compare(by(one), by(other)))
}

/** What a click on a column's title makes of the order: ascending first, then descending, then ascending again. */
export function nextSorting(now: Sorting | undefined, key: string): Sorting {
  return { key, order: now?.key === key && now.order === 'ascending' ? 'descending' : 'ascending' }
}
