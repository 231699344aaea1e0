// Delta responses of lists, which only have the items changed since a revision.
import { createHash } from 'node:crypto'
import type { DeltaRequest, ListResponse } from '../../contract/call.ts'
import type { Topic } from '../../contract/change-feed.ts'
import { paginate } from '../../web-server/pages.ts'
import type { Changes } from '../store/changes.ts'

export { compareText, paginate } from '../../web-server/pages.ts'

/** A hash of the ids in a page and their order. */
function hashOfPage(rows: readonly { id: number }[]): string {
  return createHash('sha256')
    .update(rows.map(({ id }) => id).join())
    .digest('base64url')
    .slice(0, 12)
}

/**
 * The requested page or, with `since`, only its changes since that revision (`partial`). For a page that is not the
 * whole list, a delta is possible only if the request has the mark of the page that the console holds and the page
 * still has the same rows in the same order: the changed rows alone do not show which rows moved into or out of the
 * page.
 * @param rows all rows that match the request, sorted
 * @param serialize converts a row to its response; called only for rows in the response
 */
export function paginateSince<Row extends { id: number }, Item>(
  changes: Changes,
  topic: Topic,
  request: { start?: number; count?: number } & DeltaRequest,
  rows: readonly Row[],
  serialize: (row: Row) => Item
): ListResponse<Item> {
  const { rev } = changes
  const delta = request.since === undefined ? undefined : changes.changesSince(topic, request.since)
  if (delta && delta.changed.size + delta.removed.size === 0)
    return {
      start: request.start ?? 0,
      total: rows.length,
      list: [],
      rev,
      partial: true,
      ...(request.mark !== undefined && { mark: request.mark })
    }
  const page = paginate(rows, request)
  const serializeChanged = (some: readonly Row[]) => some.filter((row) => delta?.changed.has(row.id)).map(serialize)
  if (page.start > 0 || page.list.length < rows.length) {
    const mark = hashOfPage(page.list)
    if (!delta || mark !== request.mark) return { ...page, list: page.list.map(serialize), rev, mark }
    return { ...page, list: serializeChanged(page.list), rev, mark, partial: true }
  }
  // A mark in the request means that the console holds only a page, so it needs the whole list.
  if (!delta || request.mark !== undefined) return { ...page, list: page.list.map(serialize), rev }
  const matching = new Set(rows.map((row) => row.id))
  const removed = [...delta.removed, ...[...delta.changed].filter((id) => !matching.has(id))]
  return {
    start: 0,
    total: rows.length,
    list: serializeChanged(rows),
    rev,
    partial: true,
    ...(removed.length > 0 && { gone: removed })
  }
}
