// What the list answers share: paging, and answering only what changed since a revision.
import { createHash } from 'node:crypto'
import type { ListReply, Since } from '../../contract/call.ts'
import type { Topic } from '../../contract/change-feed.ts'
import type { Changes } from '../store/changes.ts'

/** Items a list answers when it is not told how many. */
const COUNT = 10_000

/** The asked-for page of `items`. */
export function pageOf<Item>(items: readonly Item[], page: { start?: number; count?: number }): ListReply<Item> {
  const start = page.start ?? 0
  return { start, total: items.length, list: items.slice(start, start + (page.count ?? COUNT)) }
}

/** Which items a page holds, and in which order. */
function markOf(rows: readonly { id: number }[]): string {
  return createHash('sha256')
    .update(rows.map(({ id }) => id).join())
    .digest('base64url')
    .slice(0, 12)
}

/**
 * The page, or with `since` its difference to what the console holds. Of a page that does not hold the whole list the difference can
 * be told only with the mark of what the console holds: which rows moved in or out cannot be told from the changed ones.
 * @param rows all that match, sorted
 * @param wire makes a row's wire form; only called for rows that are answered
 */
export function pageSince<Row extends { id: number }, Item>(
  changes: Changes,
  topic: Topic,
  request: { start?: number; count?: number } & Since,
  rows: readonly Row[],
  wire: (row: Row) => Item
): ListReply<Item> {
  const { rev } = changes
  const difference = request.since === undefined ? undefined : changes.since(topic, request.since)
  if (difference && difference.changed.size + difference.gone.size === 0)
    return { start: request.start ?? 0, total: rows.length, list: [], rev, partial: true, ...marked(request.mark) }
  const page = pageOf(rows, request)
  const changed = (some: readonly Row[]) => some.filter((row) => difference?.changed.has(row.id)).map(wire)
  if (page.start > 0 || page.list.length < rows.length) {
    const mark = markOf(page.list)
    if (!difference || mark !== request.mark) return { ...page, list: page.list.map(wire), rev, mark }
    return { ...page, list: changed(page.list), rev, mark, partial: true }
  }
  // Without its mark a whole list is told from a page that the console held before.
  if (!difference || request.mark !== undefined) return { ...page, list: page.list.map(wire), rev }
  const matching = new Set(rows.map((row) => row.id))
  const gone = [...difference.gone, ...[...difference.changed].filter((id) => !matching.has(id))]
  return {
    ...{ start: 0, total: rows.length, list: changed(rows), rev, partial: true },
    ...(gone.length > 0 && { gone })
  }
}

const marked = (mark: string | undefined) => (mark === undefined ? {} : { mark })

/** Compares texts as people sort them: 'Room 9' before 'Room 10'. */
export const byText = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare
