// What the list answers share: paging, and answering only what changed since a revision.
import type { ListReply } from '../../contract/call.ts'
import type { Topic } from '../../contract/feed.ts'
import type { Changes } from '../store/changes.ts'

/** Items a list answers when it is not told how many. */
const COUNT = 10_000

/** The asked-for page of `items`. */
export function pageOf<Item>(items: readonly Item[], page: { start?: number; count?: number }): ListReply<Item> {
  const start = page.start ?? 0
  return { start, total: items.length, list: items.slice(start, start + (page.count ?? COUNT)) }
}

/**
 * The page, or with `since` its difference to what the console holds. A page that does not hold the whole list is answered whole
 * as soon as anything changed: which rows moved in or out cannot be told from the changed ones.
 * @param rows all that match, sorted
 * @param wire makes a row's wire form; only called for rows that are answered
 */
export function pageSince<Row extends { id: number }, Item>(
  changes: Changes,
  topic: Topic,
  request: { start?: number; count?: number; since?: number },
  rows: readonly Row[],
  wire: (row: Row) => Item
): ListReply<Item> {
  const { rev } = changes
  const difference = request.since === undefined ? undefined : changes.since(topic, request.since)
  if (difference && difference.changed.size + difference.gone.size === 0)
    return { start: request.start ?? 0, total: rows.length, list: [], rev, partial: true }
  const page = pageOf(rows, request)
  const whole = page.start === 0 && page.list.length === rows.length
  if (!difference || !whole) return { ...page, list: page.list.map(wire), rev }
  const matching = new Set(rows.map((row) => row.id))
  const gone = [...difference.gone, ...[...difference.changed].filter((id) => !matching.has(id))]
  const list = rows.filter((row) => difference.changed.has(row.id)).map(wire)
  return { start: 0, total: rows.length, list, rev, partial: true, ...(gone.length > 0 && { gone }) }
}

/** Compares texts as people sort them: 'Room 9' before 'Room 10'. */
export const byText = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare
