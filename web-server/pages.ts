// Pages of lists, and the order of texts in them.
import type { ListResponse } from '../contract/call.ts'

/** Items in a response when the request has no `count`. */
const COUNT_DEFAULT = 10_000

/** The requested page of `items`. */
export function paginate<Item>(items: readonly Item[], page: { start?: number; count?: number }): ListResponse<Item> {
  const start = page.start ?? 0
  return { start, total: items.length, list: items.slice(start, start + (page.count ?? COUNT_DEFAULT)) }
}

/** Compares texts in natural order, ignoring case: 'Room 9' comes before 'Room 10'. */
export const compareText = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare
