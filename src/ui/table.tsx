// The table: described by data, with order, selection, columns of one's choice and details to open. Long ones draw what is in sight.
import { type ReactNode, useRef, useState } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { type Column, ColumnButton, useColumns } from './columns.tsx'
import { Icon } from './icon.tsx'
import { type Key, useSelection } from './selection.ts'
import { nextSorting, type Sorting, sorted } from './sorting.ts'
import * as TEXT from './text.ts'
import { ROW_HEIGHT, useScroll, WINDOW_FROM, windowOf } from './window.ts'

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
  keyOf: (row: Row) => Key
  /** The name of a row, for who cannot see it. */
  nameOf: (row: Row) => string
  /** The order at first; with `onSort` the order there is. */
  sorting?: Sorting
  /** Where the hub orders the rows. */
  onSort?: (sorting: Sorting) => void
  /** What stands above: search, filters, what adds a row. */
  tools?: ReactNode
  /** What can be done with the chosen rows. Without it no rows can be chosen. */
  actions?: (rows: readonly Row[], clear: () => void) => ReactNode
  /** What can be done with a row, at its end. */
  rowActions?: (row: Row) => ReactNode
  /** What can be opened below a row. */
  details?: (row: Row) => ReactNode
  /** In the place of rows: empty, loading, failed. */
  instead?: ReactNode
  /** Below the table: the pager. */
  foot?: ReactNode
}

/** Stands for rows out of sight. */
function spacer(height: number) {
  return (
    <tr style={{ height: `${height}px` }}>
      <td />
    </tr>
  )
}

interface Press {
  key: string
  target: EventTarget | null
  /** A menu in the row has taken it. */
  defaultPrevented: boolean
  preventDefault(): void
}

/** In a column of controls the arrow keys lead from row to row. */
function moveInColumn(event: Press): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const target = event.target as HTMLElement
  const cell = target.closest<HTMLTableCellElement>('td, th')
  if (!step || !cell || event.defaultPrevented || target.matches('select, input:not([type=checkbox])')) return
  let row = cell.parentElement as HTMLElement | null
  do row = (step > 0 ? row?.nextElementSibling : row?.previousElementSibling) as HTMLElement | null
  while (row && !row.dataset.row)
  const next = row?.children[cell.cellIndex]?.querySelector<HTMLElement>('a, button, input, [tabindex="0"]')
  if (!next) return
  event.preventDefault()
  next.focus()
}

export function Table<Row>(props: TableProps<Row>) {
  const { list, label, columns, keyOf, nameOf, onSort, tools, actions, rowActions, details, instead, foot } = props
  const [ownSorting, setOwnSorting] = useState(props.sorting)
  const sorting = onSort ? props.sorting : ownSorting
  const settings = useColumns(list, columns)
  const ordering = columns.find(({ key }) => key === sorting?.key)
  const by = ordering?.sort ?? ordering?.text
  const rows = sorting && !onSort && typeof by === 'function' ? sorted(props.rows, by, sorting.order) : props.rows
  const selection = useSelection(rows, keyOf)
  const [opened, setOpened] = useState<ReadonlyMap<Key, number>>(new Map())
  const scroller = useRef<HTMLElement>(null)
  const at = useScroll(scroller, rows.length > WINDOW_FROM)
  const sight = windowOf(rows.length, at.top, at.height, (index) => {
    const row = rows[index]
    return ROW_HEIGHT + ((opened.size > 0 && row && opened.get(keyOf(row))) || 0)
  })
  const open = (key: Key, height: number) => setOpened(new Map(opened).set(key, height))
  const shut = (key: Key) => setOpened(new Map([...opened].filter(([one]) => one !== key)))
  const all = rows.length > 0 && selection.rows.length === rows.length

  const heading = (column: Column<Row>) => {
    const order = sorting?.key === column.key ? sorting.order : 'none'
    const sortable = column.sort ?? column.text
    const next = () => (onSort ?? setOwnSorting)(nextSorting(sorting, column.key))
    return (
      <th
        key={column.key}
        scope="col"
        className={column.align}
        aria-sort={sortable && order}
        style={column.width ? { width: column.width } : undefined}
      >
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

  const line = (row: Row, index: number) => {
    const key = keyOf(row)
    const chosen = selection.has(key)
    const isOpen = opened.has(key)
    return [
      <tr key={key} data-row={key} data-chosen={chosen || undefined} aria-rowindex={index + 2}>
        {actions && (
          <td className="tick">
            <input
              type="checkbox"
              aria-label={`${t(TEXT.select)} ${nameOf(row)}`}
              checked={chosen}
              onClick={(event) => selection.toggle(key, event.shiftKey)}
            />
          </td>
        )}
        {details && (
          <td className="tick">
            <Button
              bare
              icon={isOpen ? 'down' : 'right'}
              label={`${t(TEXT.expand)}: ${nameOf(row)}`}
              expanded={isOpen}
              onClick={() => (isOpen ? shut(key) : open(key, 0))}
            />
          </td>
        )}
        {settings.shown.map((column, place) => {
          const content = (column.cell ?? column.text)?.(row)
          const Cell = place === 0 ? 'th' : 'td'
          return (
            <Cell key={column.key} scope={place === 0 ? 'row' : undefined} className={column.align}>
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
        <tr
          key={`${key} details`}
          className="more"
          ref={(element) => {
            if (element && opened.get(key) !== element.offsetHeight) open(key, element.offsetHeight)
          }}
        >
          {/* The columns beside those of the list are three at most; a cell wider than the table ends with it. */}
          <td colSpan={settings.shown.length + 3}>{details?.(row)}</td>
        </tr>
      )
    ]
  }

  return (
    <div className="list">
      {selection.rows.length > 0 && actions ? (
        <div className="tools chosen" role="toolbar" aria-label={t(TEXT.actions)}>
          <strong className="num" role="status">
            {t(TEXT.selected, selection.rows.length)}
          </strong>
          {actions(selection.rows, selection.clear)}
          <span className="push" />
          <Button bare icon="close" label={t(TEXT.clear)} onClick={selection.clear} />
        </div>
      ) : (
        <div className="tools">
          {tools}
          <span className="push" />
          <ColumnButton columns={columns} settings={settings} />
        </div>
      )}
      {instead ?? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="scroll" ref={scroller} aria-label={label} tabIndex={0}>
          <table aria-rowcount={rows.length + 1}>
            <thead>
              <tr aria-rowindex={1}>
                {actions && (
                  <th className="tick">
                    <input
                      type="checkbox"
                      aria-label={t(TEXT.selectAll)}
                      checked={all}
                      ref={(box) => {
                        if (box) box.indeterminate = !all && selection.rows.length > 0
                      }}
                      onClick={selection.toggleAll}
                    />
                  </th>
                )}
                {details && <td className="tick" />}
                {settings.shown.map(heading)}
                {rowActions && (
                  <th className="acts">
                    <span className="unseen">{t(TEXT.actions)}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody onKeyDown={moveInColumn}>
              {sight.before > 0 && spacer(sight.before)}
              {rows.slice(sight.first, sight.end).map((row, index) => line(row, sight.first + index))}
              {sight.after > 0 && spacer(sight.after)}
            </tbody>
          </table>
        </section>
      )}
      {foot}
    </div>
  )
}
