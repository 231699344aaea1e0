// What the lists of problems and channels of all hubs share.
import { listCatalogs } from '../../../contract/catalog.ts'
import type { ListFilter } from '../../parts/resource-list.tsx'
import { $catalogs } from '../../state/catalogs.ts'
import { useAllowed } from '../../state/use-allowed.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { TEXT } from './text.ts'

/** A filter by the group of the hub, with the groups that have any of the rows. */
export function useGroupFilter<Row extends { 'catalog-id': number }>(rows: readonly Row[]): ListFilter<Row>[] {
  const { items = [] } = useAllowed(listCatalogs, $catalogs)
  const used = new Set(rows.map((row) => row['catalog-id']))
  const groups = items.filter(({ id }) => used.has(id)).map(({ id, name }) => ({ value: String(id), label: name }))
  if (groups.length === 0) return []
  return [
    {
      name: 'group',
      label: TEXT.group,
      chips: used.has(0) ? [...groups, { value: '0', label: t(TEXT.noGroup) }] : groups,
      matches: (row, value) => String(row['catalog-id']) === value
    }
  ]
}

/** What a list of all hubs does not show. */
export function ListLimits({
  shown,
  total,
  unlisted = 0
}: {
  shown: number
  total: number
  unlisted?: number | undefined
}) {
  return (
    <>
      {total > shown && <p className="muted">{t(TEXT.further, number(shown), number(total))}</p>}
      {unlisted > 0 && <p className="muted">{t(TEXT.unlisted, number(unlisted))}</p>}
    </>
  )
}
