// Shared by tables and tiles: the frame of a list, the checkboxes that select its rows, and dragging rows.
import type { ReactNode } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import type { RemoteSelection, Selection } from './table/selection.ts'
import * as TEXT from './text.ts'

/**
 * Renders the actions for the selected rows.
 * @param remote set when more rows are selected than are loaded
 */
export type BulkActions<Row> = (rows: readonly Row[], clear: () => void, remote?: RemoteSelection<Row>) => ReactNode

interface ListFrameProps<Row> {
  label: string
  selection: Selection<Row>
  actions?: BulkActions<Row>
  /** Controls above the list. Null: no toolbar. */
  toolbar?: ReactNode
  /** At the right end of the toolbar. */
  toolbarEnd?: ReactNode
  /** Shown instead of the rows: empty, loading or failed. */
  placeholder?: ReactNode
  /** Properties of the scrolling element. */
  scrollProps: object
  children: ReactNode
  footer?: ReactNode
}

/** The frame of a list: the toolbar, or the bulk actions while rows are selected; below it the scrolling area. */
export function ListFrame<Row>({
  label,
  selection,
  actions,
  toolbar,
  toolbarEnd,
  placeholder,
  scrollProps,
  children,
  footer
}: ListFrameProps<Row>) {
  const { count, rows, clear, remote } = selection
  return (
    <div className="list">
      {count > 0 && actions ? (
        <div className="tools chosen" role="toolbar" aria-label={t(TEXT.actions)}>
          <strong className="num" role="status">
            {t(TEXT.selectedCount, count)}
          </strong>
          {actions(rows, clear, remote)}
          <span className="push">
            <Button iconOnly icon="close" label={t(TEXT.clearSelection)} onClick={clear} />
          </span>
        </div>
      ) : (
        toolbar !== null && (
          <div className="tools">
            {toolbar}
            <span className="push">{toolbarEnd}</span>
          </div>
        )
      )}
      {placeholder ?? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
        <section className="scroll" {...scrollProps} aria-label={label} tabIndex={0}>
          {children}
        </section>
      )}
      {footer}
    </div>
  )
}

type SelectAllCheckboxProps = Pick<Selection<unknown>, 'count' | 'total' | 'toggleAll'>

/** Selects all rows, or none. */
export function SelectAllCheckbox({ count, total, toggleAll }: SelectAllCheckboxProps) {
  const isAll = total > 0 && count === total
  // React's types do not declare `indeterminate`, which is a property of the element and not an attribute.
  const mixed = { indeterminate: !isAll && count > 0 }
  return <input type="checkbox" aria-label={t(TEXT.selectAll)} checked={isAll} {...mixed} onClick={toggleAll} />
}

interface RowCheckboxProps<Row> {
  selection: Selection<Row>
  row: Row
  index: number
  name: string
  selected: boolean
}

/** Selects or deselects a row. With the Shift key it does so for all rows since the last click. */
export function RowCheckbox<Row>({ selection, row, index, name, selected }: RowCheckboxProps<Row>) {
  return (
    <input
      type="checkbox"
      aria-label={`${t(TEXT.selectRow)} ${name}`}
      checked={selected}
      onClick={(event) => void selection.toggle(row, index, event.shiftKey)}
    />
  )
}

/** Called with the dragged rows when dragging starts, and with undefined when it ends. */
export type OnDrag<Row> = (rows: readonly Row[] | undefined, remote?: RemoteSelection<Row>) => void

/** Properties that make an element draggable. It drags its row, or all selected rows if its row is one of them. */
export function dragProps<Row>(
  onDrag: OnDrag<Row> | undefined,
  selection: Selection<Row>,
  row: Row,
  selected: boolean
) {
  if (!onDrag) return {}
  return {
    draggable: true,
    onDragStart({ dataTransfer }: { dataTransfer: DataTransfer | null }) {
      // Firefox does not drag an element without data.
      dataTransfer?.setData('text/plain', ' ')
      if (selected) onDrag(selection.rows, selection.remote)
      else onDrag([row])
    },
    onDragEnd: () => onDrag(undefined)
  }
}
