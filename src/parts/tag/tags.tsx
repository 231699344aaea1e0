// Tags in lists: as a column and as a filter.
import type { Tag } from '../../../contract/tag.ts'
import { useQuery } from '../../state/location.ts'
import { $tags } from '../../state/tags.ts'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import type { ListFilter } from '../resource-list.tsx'
import { COLOR_VALUES, TagChips, type Tagged } from './tag-chips.tsx'
import * as TEXT from './text.ts'

/** The column of the tags, for a list that the hub filters. */
export const TAG_COLUMN: Column<Tagged> = {
  key: 'tags',
  title: TEXT.tags,
  cell: ({ tags }) => <TagChips ids={tags} />,
  hide: 'sm'
}

/** The columns of a list, with that of the tags if a row has one. */
export function useTagColumn<Row extends Tagged>(
  columns: readonly Column<Row>[],
  rows: readonly Row[]
): readonly Column<Row>[] {
  return rows.some(({ tags }) => tags) ? [...columns, TAG_COLUMN as Column<Row>] : columns
}

/** A tag as a chip of a filter. */
export const tagChip = ({ id, name, color }: Tag) => ({
  value: String(id),
  label: name,
  mark: (
    <i style={{ color: COLOR_VALUES[color] }} aria-hidden="true">
      ●
    </i>
  )
})

/** The filter by tag, with the tags of these rows; none if no row has a tag. */
export function useTagFilter<Row extends Tagged>(rows: readonly Row[]): readonly ListFilter<Row>[] {
  const { items } = useStore($tags)
  const chosen = useQuery().get('tag')
  const used = new Set(rows.flatMap((row) => row.tags ?? []))
  const chips = items.filter(({ id }) => used.has(id) || String(id) === chosen).map(tagChip)
  const matches = (row: Row, value: string) => row.tags?.includes(Number(value)) ?? false
  return chips.length > 0 ? [{ name: 'tag', label: TEXT.tags, chips, matches }] : []
}
