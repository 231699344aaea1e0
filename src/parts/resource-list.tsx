// List of stored objects, shared by several screens: a table or tiles with a search box, an add button, actions on one
// row and on the selected rows, and an empty state.
import type { ReactNode } from 'react'
import type { Access } from '../../contract/call.ts'
import type { TrashKind } from '../../contract/trash.ts'
import type { LiveState, LiveStore } from '../state/live-store.ts'
import { setQuery, useQuery } from '../state/location.ts'
import { $isAllowed } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import { EmptyState, type EmptyStateProps } from '../ui/placeholder.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import type { RowKey } from '../ui/table/selection.ts'
import { type Sorting, Table, type TableProps } from '../ui/table/table.tsx'
import { Tiles } from '../ui/table/tiles.tsx'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'
import { type Action, Actions, CallButton } from './actions.tsx'
import { type Chip, FilterChips } from './filter-chips.tsx'
import { FirstStep } from './first-step.tsx'
import { usePlaceholder } from './load-state.tsx'
import { TrashLink } from './trash-link.tsx'

const TEXT = {
  itemCount: ['{0} items', '{0} 项'],
  noneFound: ['Nothing found', '未找到']
} as const satisfies Record<string, Translation>

/** The button that adds an object. */
interface AddAction {
  call: { access: Access }
  verb: Translation
  /** Why the button is disabled, as a sentence. */
  disabledReason?: string
  onClick: () => unknown
}

/** A filter above the list, shown as chips with counts. */
export interface ListFilter<Row> {
  /** Name of the chosen value in the query of the URL. */
  name: string
  label: Translation
  chips: readonly Omit<Chip, 'count'>[]
  matches: (row: Row, value: string) => boolean
}

type TableOption = 'settingsKey' | 'isCompact' | 'columns' | 'sorting' | 'details'

export interface ResourceListProps<Row> extends Pick<TableProps<Row>, TableOption> {
  store: LiveStore<LiveState & { items?: readonly Row[] }>
  /** Required if the store is not a list. */
  rows?: readonly Row[]
  title: Translation
  /** Default: the row's `id`. */
  keyOf?: (row: Row) => RowKey
  /** Default: the row's `name`. */
  nameOf?: (row: Row) => string
  /** Texts of a row that the search matches. Without it there is no search box. */
  searchTexts?: (row: Row) => readonly (string | undefined)[]
  addAction?: AddAction
  /** The address keeps the order of the rows. */
  keepsSorting?: true
  /** A row is shown if it matches the chosen value of each. */
  filters?: readonly ListFilter<Row>[]
  /** Further controls above the list. */
  toolbar?: ReactNode
  /** Kind of the rows in the trash, if a deletion moves them there. */
  trash?: TrashKind
  /** Below the list. */
  footer?: ReactNode
  /** Shown if there are no rows and no search. */
  emptyState?: EmptyStateProps
  /** Buttons of a row, and further actions in its menu. */
  actions: readonly Action<Row>[]
  menuActions?: readonly Action<Row>[]
  /** Actions on the selected rows. Without one that the user may run, rows cannot be selected. */
  bulkActions?: readonly Action<Row>[]
  /** Renders a row as a tile. Without it the rows are shown as a table. */
  renderTile?: false | ((row: Row, actions: ReactNode) => ReactNode)
  /** Height of a tile below its image, in pixels. */
  captionHeight?: number
}

export function ResourceList<Row extends object>({
  store,
  rows: ownRows,
  title,
  keyOf = (row) => (row as { id: RowKey }).id,
  nameOf = (row) => (row as { name: string }).name,
  searchTexts,
  addAction,
  keepsSorting,
  filters = [],
  toolbar,
  trash,
  footer,
  emptyState,
  actions,
  menuActions,
  bulkActions,
  renderTile,
  captionHeight,
  ...table
}: ResourceListProps<Row>) {
  const { items = [] } = useStore(store)
  const isAllowed = useStore($isAllowed)
  const all = ownRows ?? items
  const query = useQuery()
  const key = query.get('key') ?? ''
  const matches = (row: Row) => !searchTexts || searchTexts(row).join('\n').toLowerCase().includes(key.toLowerCase())
  const chosen = ({ name }: ListFilter<Row>) => query.get(name) ?? ''
  /** Rows that match the search and the filters, except one of them. */
  const rowsWithout = (excluded?: ListFilter<Row>) =>
    all.filter(
      (row) =>
        matches(row) &&
        filters.every((filter) => filter === excluded || !chosen(filter) || filter.matches(row, chosen(filter)))
    )
  const rows = rowsWithout()
  const addButton = addAction && <CallButton {...addAction} kind="main" icon="plus" label={t(addAction.verb)} />
  const rowActions = (row: Row, folds = true) => (
    <Actions actions={actions} menuActions={menuActions} rows={[row]} nameOf={nameOf} folds={folds} />
  )
  const ownSorting = keepsSorting && {
    sorting: {
      key: query.get('sort') ?? table.sorting?.key ?? '',
      order: query.get('order') === 'descending' ? 'descending' : 'ascending'
    } as const,
    onSort: ({ key: column, order }: Sorting) => setQuery({ sort: column, order })
  }
  const trashLink = trash && <TrashLink kind={trash} />
  const emptyView =
    key || filters.some(chosen) || !emptyState ? (
      <EmptyState icon="search" title={t(TEXT.noneFound)}>
        {trashLink}
      </EmptyState>
    ) : (
      <EmptyState {...emptyState}>
        {addAction ? <FirstStep call={addAction.call}>{addButton}</FirstStep> : emptyState.children}
      </EmptyState>
    )
  const shared = {
    label: t(title),
    rows,
    keyOf,
    nameOf,
    footer,
    toolbar: (
      <>
        {addButton}
        {searchTexts && <SearchBox label={t(UI.search)} value={key} onSearch={(text) => setQuery({ key: text })} />}
        {toolbar}
        {trashLink}
        {all.length > 0 &&
          filters.map((filter) => {
            const counted = rowsWithout(filter)
            return (
              <FilterChips
                key={filter.name}
                label={t(filter.label)}
                total={counted.length}
                chips={filter.chips.map((chip) => ({
                  ...chip,
                  count: counted.filter((row) => filter.matches(row, chip.value)).length
                }))}
                value={chosen(filter)}
                onChoose={(value) => setQuery({ [filter.name]: value })}
              />
            )
          })}
      </>
    ),
    actions: bulkActions?.some(({ call }) => isAllowed(call))
      ? (selected: readonly Row[], clear: () => void) => (
          <Actions actions={bulkActions} rows={selected} nameOf={nameOf} countText={TEXT.itemCount} onDone={clear} />
        )
      : undefined,
    placeholder: usePlaceholder(store, rows.length === 0, emptyView)
  }
  return renderTile ? (
    <Tiles {...shared} {...(captionHeight && { captionHeight })}>
      {(row) => renderTile(row, rowActions(row, false))}
    </Tiles>
  ) : (
    <Table {...table} {...ownSorting} {...shared} rowActions={rowActions} />
  )
}
