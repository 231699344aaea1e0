// The table: described by data, with order, selection, columns of one's choice and details to open. Long ones draw what is in sight,
// and need to have no more than that.
import { type ReactNode, useState } from 'react'
import { t } from '../../text/language.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { type ChosenActions, dragging, List, type OnDrag, SelectAll, SelectOne } from '../list-toolbar.tsx'
import { MenuButton } from '../menu-button.tsx'
import * as TEXT from '../text.ts'
import { type Column, useColumns } from './columns.tsx'
import { type Key, useSelection } from './selection.ts'
import { nextSorting, type Sorting, sorted } from './sorting.ts'
import { type Paged, ROW_HEIGHT, useSight } from './virtual-list.ts'

export type { Column } from './columns.tsx'
export type { Sorting } from './sorting.ts'

export interface TableProps<Row> {
  /** Names the list: its column settings are kept under this name. */
  list: string
  /** What the rows are. */
  label: string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** The rows are a page of a longer list, which the hub keeps and orders. */
  paged?: Paged<Row>
  keyOf: (row: Row) => Key
  /** The name of a row, for who cannot see it. */
  nameOf: (row: Row) => string
  /** The order at first; with `onSort` the order there is. */
  sorting?: Sorting
  /** Where the hub orders the rows. */
  onSort?: (sorting: Sorting) => void
  /** What stands above: search, filters, what adds a row. Null: nothing does. */
  tools?: ReactNode
  /** Without it no rows can be chosen. */
  actions?: ChosenActions<Row>
  /** What can be done with a row, at its end. */
  rowActions?: (row: Row) => ReactNode
  /** Rows can be dragged by their names. */
  onDrag?: OnDrag<Row>
  /** What can be opened below a row. */
  details?: (row: Row) => ReactNode
  /** In the place of rows: empty, loading, failed. */
  instead?: ReactNode
  /** Below the table: the pager. */
  foot?: ReactNode
}

interface Press {
  key: string
  target: EventTarget | null
  currentTarget: Element
  /** A menu in the row has taken it. */
  defaultPrevented: boolean
  preventDefault(): void
}

/** In a column of controls the arrow keys lead from row to row. */
function moveInColumn(event: Press): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const target = event.target as Element
  const cell = target.closest<HTMLTableCellElement>('[data-row] > *')
  if (!step || !cell || event.defaultPrevented || target.matches('select, input:not([type=checkbox])')) return
  const rows = [...event.currentTarget.querySelectorAll('[data-row]')]
  const row = rows[rows.indexOf(cell.parentElement as Element) + step]
  const next = row?.children[cell.cellIndex]?.querySelector<HTMLElement>('a, button, input, [tabindex="0"]')
  if (!next) return
  event.preventDefault()
  next.focus()
}

export function Table<Row>(props: TableProps<Row>) {
  const { list, columns, keyOf, nameOf, paged, onSort, rowActions, onDrag, details, ...frame } = props
  const { actions } = frame
  const [ownSorting, setOwnSorting] = useState(props.sorting)
  const sorting = onSort ? props.sorting : ownSorting
  const { shown, items } = useColumns(list, columns)
  const ordering = columns.find(({ key }) => key === sorting?.key)
  const by = ordering?.sort ?? ordering?.text
  const rows = sorting && !onSort && typeof by === 'function' ? sorted(props.rows, by, sorting.order) : props.rows
  const selection = useSelection(rows, keyOf, paged)
  const { start, total } = selection
  const [opened, setOpened] = useState<ReadonlySet<Key>>(new Set())
  // What is opened is of any height: all rows are then drawn, as if they were one line.
  const { drawn, style, scroll } = useSight(total, paged, () => [ROW_HEIGHT, opened.size > 0 ? total : 1])
  const turn = (key: Key) => setOpened(opened.symmetricDifference(new Set([key])))

  const heading = (column: Column<Row>) => {
    const order = sorting?.key === column.key ? sorting.order : 'none'
    const sortable = onSort ? column.sort : (column.sort ?? column.text)
    const next = () => (onSort ?? setOwnSorting)(nextSorting(sorting, column.key))
    return (
      <th key={column.key} scope="col" className={column.align} aria-sort={sortable && order}>
        {sortable ? (
          <button type="button" onClick={next}>
            {t(column.title)}
            <Icon name={order === 'descending' ? 'down' : 'up'} />
          </button>
        ) : (
          t(column.title)
        )}
      </th>
    )
  }

  const line = (index: number) => {
    const row = rows[index - start]
    if (row === undefined)
      return (
        <tr key={`at ${index}`} className="coming" aria-rowindex={index + 2}>
          <td colSpan={shown.length + 3}>
            <i />
          </td>
        </tr>
      )
    const key = keyOf(row)
    const chosen = selection.has(key)
    const isOpen = opened.has(key)
    return [
      <tr key={key} data-row={key} data-chosen={chosen || undefined} aria-rowindex={index + 2}>
        {actions && (
          <td className="tick">
            <SelectOne selection={selection} row={row} index={index} name={nameOf(row)} chosen={chosen} />
          </td>
        )}
        {details && (
          <td className="tick">
            <Button
              bare
              icon={isOpen ? 'down' : 'right'}
              label={`${t(TEXT.expand)}: ${nameOf(row)}`}
              expanded={isOpen}
              onClick={() => turn(key)}
            />
          </td>
        )}
        {shown.map((column, place) => {
          const content = (column.cell ?? column.text)?.(row)
          const Cell = place === 0 ? 'th' : 'td'
          return (
            <Cell
              key={column.key}
              scope={place === 0 ? 'row' : undefined}
              className={column.align}
              {...(place === 0 && dragging(onDrag, selection, row, chosen))}
            >
              {typeof content === 'string' ? (
                <span className="cut" data-tip="">
                  {content}
                </span>
              ) : (
                content
              )}
            </Cell>
          )
        })}
        {rowActions && <td className="acts">{rowActions(row)}</td>}
      </tr>,
      isOpen && (
        <tr key={`${key} details`} className="more">
          {/* The columns beside those of the list are three at most; a cell wider than the table ends with it. */}
          <td colSpan={shown.length + 3}>{details?.(row)}</td>
        </tr>
      )
    ]
  }

  return (
    <List
      {...frame}
      selection={selection}
      scroll={scroll}
      end={<MenuButton bare icon="settings" label={t(TEXT.columns)} items={items} />}
    >
      <table style={style} aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {actions && (
              <th className="tick">
                <SelectAll {...selection} />
              </th>
            )}
            {details && <td className="tick" />}
            {shown.map(heading)}
            {rowActions && (
              <th className="acts">
                <span className="unseen">{t(TEXT.actions)}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={moveInColumn}>{drawn.map(line)}</tbody>
      </table>
    </List>
  )
}
