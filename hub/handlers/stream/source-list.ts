// Pages of inputs or outputs, with search and sort by name.
import { INVALID_ARG } from '../../../contract/codes.ts'
import type { SourceListRequest } from '../../../contract/stream/source.ts'
import { createNameMatcher } from '../../../contract/text/name-match.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { compareText, paginate } from '../list.ts'

/**
 * A page of the rows that the caller may see.
 * @param serialize converts a row to its response
 */
export function listSources<Row extends { id: number; name: string }, Item>(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  request: SourceListRequest,
  rows: readonly Row[],
  serialize: (row: Row) => Item
) {
  if (request.order && !request.sort) throw new CallError(INVALID_ARG, { field: 'order' })
  const { key } = request
  const isVisible = gate.sourcesVisibleTo(requireCaller(context))
  const visible = rows.filter(({ id }) => isVisible(id))
  const matches = createNameMatcher(key ?? '')
  const matching = key ? visible.filter(({ name }) => matches(name)) : visible
  const sign = request.order === 'descending' ? -1 : 1
  if (request.sort && !key) matching.sort((a, b) => sign * compareText(a.name, b.name))
  const page = paginate(matching, request)
  return { ...page, list: page.list.map(serialize), rev: store.changes.rev }
}
