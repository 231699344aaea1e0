// The table: columns and rows as data, with sorting, selection, a choice of columns, and details below a row. Long
// tables render only the rows in view, and need only those loaded.
import { type ReactNode, useState } from 'react'
import { t } from '../../text/language.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { type BulkActions, dragProps, ListFrame, type OnDrag, RowCheckbox, SelectAllCheckbox } from '../list-frame.tsx'
import { MenuButton } from '../menu-button.tsx'
import * as TEXT from '../text.ts'
import { type Column, useColumns } from './columns.tsx'
import { type RowKey, type Selection, useSelection } from './selection.ts'
import { type Sorting, sortRows, toggleSorting } from './sorting.ts'
import { COMPACT_ROW_HEIGHT, type PagedRows, ROW_HEIGHT, useVirtualList } from './virtual-list.ts'

export type { Column } from './columns.tsx'
export type { Sorting } from './sorting.ts'

export interface TableProps<Row> {
  /** Names the list in the browser's storage, where the user's choice of columns is kept. */
  settingsKey: string
  label: string
  /** Rows are low, and always one line. */
  isCompact?: boolean
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Set when the rows are a page of a longer list, which the hub holds and sorts. */
  paged?: PagedRows<Row>
  keyOf: (row: Row) => RowKey
  /** The name of a row, for screen readers. */
  nameOf: (row: Row) => string
  /** The initial sorting; with `onSort` the current one. */
  sorting?: Sorting
  /** Set when the list knows the sorting, or when the hub sorts the rows, which are then a page. */
  onSort?: (sorting: Sorting) => void
  /** Controls above the table: search, filters, a button that adds a row. Null: no toolbar. */
  toolbar?: ReactNode
  /** When not set, rows cannot be selected. */
  actions?: BulkActions<Row>
  /** Actions of a single row, at its end. */
  rowActions?: (row: Row) => ReactNode
  /** When set, rows can be dragged by their names. */
  onDrag?: OnDrag<Row>
  /** Renders the details that can be opened below a row. */
  details?: (row: Row) => ReactNode
  /** Shown instead of the rows: empty, loading or failed. */
  placeholder?: ReactNode
  /** Below the table: the pager. */
  footer?: ReactNode
}

interface TableKeyEvent {
  key: string
  target: EventTarget | null
  currentTarget: Element
  /** A menu in the row has handled the key. */
  defaultPrevented: boolean
  preventDefault(): void
}

/** In a column of controls the arrow keys move the focus to the row above or below. */
function moveFocusInColumn(event: TableKeyEvent): void {
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
  const { settingsKey, isCompact, columns, keyOf, nameOf, paged, onSort, rowActions, onDrag, details, ...frame } = props
  const [ownSorting, setOwnSorting] = useState(props.sorting)
  const sorting = onSort ? props.sorting : ownSorting
  const { visible, items } = useColumns(settingsKey, columns)
  const rows = paged ? props.rows : sortLocally(props.rows, columns, sorting)
  const selection = useSelection(rows, keyOf, paged)
  const { start, total } = selection
  const [openKeys, setOpenKeys] = useState<ReadonlySet<RowKey>>(new Set())
  // Details have any height: while some are open, all rows are rendered, as if they were a single line.
  const { indexes, style, scrollProps } = useVirtualList(total, paged, () => [
    isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT,
    openKeys.size > 0 ? total : 1
  ])

  const renderRow = (index: number) => {
    const row = rows[index - start]
    if (row === undefined) return <LoadingRow key={`at ${index}`} index={index} columnCount={visible.length} />
    const key = keyOf(row)
    return (
      <TableRow
        key={key}
        rowKey={key}
        index={index}
        row={row}
        name={nameOf(row)}
        columns={visible}
        selection={selection}
        onDrag={onDrag}
        details={details}
        rowActions={rowActions}
        isSelectable={frame.actions !== undefined}
        isOpen={openKeys.has(key)}
        onToggle={() => setOpenKeys(openKeys.symmetricDifference(new Set([key])))}
      />
    )
  }

  return (
    <ListFrame
      {...frame}
      selection={selection}
      scrollProps={scrollProps}
      toolbarEnd={<MenuButton iconOnly icon="columns" label={t(TEXT.columns)} items={items} />}
    >
      <table style={style} data-compact={isCompact || undefined} aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {frame.actions && (
              <th className="tick">
                <SelectAllCheckbox {...selection} />
              </th>
            )}
            {details && <td className="tick" />}
            {visible.map((column) => (
              <ColumnHeading
                key={column.key}
                column={column}
                isSortable={Boolean(paged ? column.sort : (column.sort ?? column.text))}
                sorting={sorting}
                onSort={onSort ?? setOwnSorting}
              />
            ))}
            {rowActions && (
              <th className="acts">
                <span className="unseen">{t(TEXT.actions)}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={moveFocusInColumn}>{indexes.map(renderRow)}</tbody>
      </table>
    </ListFrame>
  )
}

/** Sorts rows in the browser. A column without a sort value leaves the order as it is. */
function sortLocally<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting | undefined) {
  const column = columns.find(({ key }) => key === sorting?.key)
  const sortValue = column?.sort ?? column?.text
  return sorting && typeof sortValue === 'function' ? sortRows(rows, sortValue, sorting.order) : rows
}

interface ColumnHeadingProps<Row> {
  column: Column<Row>
  isSortable: boolean
  sorting: Sorting | undefined
  onSort: (sorting: Sorting) => void
}

function ColumnHeading<Row>({ column, isSortable, sorting, onSort }: ColumnHeadingProps<Row>) {
  const { key, title, align } = column
  const order = sorting?.key === key ? sorting.order : 'none'
  return (
    <th scope="col" className={align} aria-sort={isSortable ? order : undefined}>
      {isSortable ? (
        <button type="button" onClick={() => onSort(toggleSorting(sorting, key))}>
          {t(title)}
          <Icon name={order === 'descending' ? 'down' : 'up'} />
        </button>
      ) : (
        t(title)
      )}
    </th>
  )
}

/**
 * Columns beside those of the list: checkbox, details button, row actions. A cell that spans more columns than there
 * are ends with the table.
 */
const EXTRA_COLUMNS = 3

/** Stands for a row that is not loaded yet. */
function LoadingRow({ index, columnCount }: { index: number; columnCount: number }) {
  return (
    <tr className="coming" aria-rowindex={index + 2}>
      <td colSpan={columnCount + EXTRA_COLUMNS}>
        <i />
      </td>
    </tr>
  )
}

interface TableRowProps<Row> extends Pick<TableProps<Row>, 'onDrag' | 'details' | 'rowActions'> {
  /** Index in the whole list. */
  index: number
  row: Row
  rowKey: RowKey
  name: string
  columns: readonly Column<Row>[]
  selection: Selection<Row>
  isSelectable: boolean
  /** Whether the details are open. */
  isOpen: boolean
  /** Opens or closes the details. */
  onToggle: () => void
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { index, row, rowKey, name, columns, selection, isOpen, onDrag, details } = props
  const selected = selection.has(rowKey)
  return (
    <>
      <tr data-row={rowKey} data-chosen={selected || undefined} aria-rowindex={index + 2}>
        {props.isSelectable && (
          <td className="tick">
            <RowCheckbox selection={selection} row={row} index={index} name={name} selected={selected} />
          </td>
        )}
        {details && (
          <td className="tick">
            <Button
              iconOnly
              icon={isOpen ? 'down' : 'right'}
              label={`${t(TEXT.details)}: ${name}`}
              expanded={isOpen}
              onClick={props.onToggle}
            />
          </td>
        )}
        {columns.map((column, position) => {
          const content = (column.cell ?? column.text)?.(row)
          const Cell = position === 0 ? 'th' : 'td'
          return (
            <Cell
              key={column.key}
              scope={position === 0 ? 'row' : undefined}
              className={column.align}
              {...(position === 0 && dragProps(onDrag, selection, row, selected))}
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
        {props.rowActions && <td className="acts">{props.rowActions(row)}</td>}
      </tr>
      {isOpen && (
        <tr className="more">
          <td colSpan={columns.length + EXTRA_COLUMNS}>{details?.(row)}</td>
        </tr>
      )}
    </>
  )
}
