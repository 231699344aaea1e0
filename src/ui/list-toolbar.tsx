// What tables and tiles share: the frame of a list, and how its rows are chosen and dragged.
import type { ReactNode } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import type { Selection, Whole } from './table/selection.ts'
import * as TEXT from './text.ts'

/** What can be done with the chosen rows, of which more may be chosen than are here. */
export type ChosenActions<Row> = (rows: readonly Row[], clear: () => void, whole?: Whole<Row>) => ReactNode

interface ListProps<Row> {
  /** What is listed. */
  label: string
  selection: Selection<Row>
  actions?: ChosenActions<Row>
  /** Null: nothing stands above. */
  tools?: ReactNode
  /** At the end of the tools. */
  end?: ReactNode
  /** In the place of what is listed: empty, loading, failed. */
  instead?: ReactNode
  /** What follows the scroller. */
  scroll: object
  children: ReactNode
  foot?: ReactNode
}

/** A list's frame: above it its tools, or while some are chosen what can be done with those; then what scrolls. */
export function List<Row>({ label, selection, actions, tools, end, instead, scroll, children, foot }: ListProps<Row>) {
  const { count, rows, clear, whole } = selection
  return (
    <div className="list">
      {count > 0 && actions ? (
        <div className="tools chosen" role="toolbar" aria-label={t(TEXT.actions)}>
          <strong className="num" role="status">
            {t(TEXT.selected, count)}
          </strong>
          {actions(rows, clear, whole)}
          <span className="push">
            <Button bare icon="close" label={t(TEXT.clear)} onClick={clear} />
          </span>
        </div>
      ) : (
        tools !== null && (
          <div className="tools">
            {tools}
            <span className="push">{end}</span>
          </div>
        )
      )}
      {instead ?? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="scroll" {...scroll} aria-label={label} tabIndex={0}>
          {children}
        </section>
      )}
      {foot}
    </div>
  )
}

/** Chooses all rows, or none. */
export function SelectAll({ count, total, toggleAll }: Pick<Selection<unknown>, 'count' | 'total' | 'toggleAll'>) {
  const all = total > 0 && count === total
  // React's types know it as a property of the element only.
  const some = { indeterminate: !all && count > 0 }
  return <input type="checkbox" aria-label={t(TEXT.selectAll)} checked={all} {...some} onClick={toggleAll} />
}

interface SelectOneProps<Row> {
  selection: Selection<Row>
  row: Row
  index: number
  name: string
  chosen: boolean
}

/** Chooses a row, or leaves it; with the shift key all from the last one. */
export function SelectOne<Row>({ selection, row, index, name, chosen }: SelectOneProps<Row>) {
  return (
    <input
      type="checkbox"
      aria-label={`${t(TEXT.select)} ${name}`}
      checked={chosen}
      onClick={(event) => void selection.toggle(row, index, event.shiftKey)}
    />
  )
}

/** Rows can be dragged: told which, and when none is any more. */
export type OnDrag<Row> = (rows: readonly Row[] | undefined, whole?: Whole<Row>) => void

/** What lets an element be dragged as its row, or as all that are chosen where it is one of them. */
export function dragging<Row>(onDrag: OnDrag<Row> | undefined, selection: Selection<Row>, row: Row, chosen: boolean) {
  if (!onDrag) return {}
  return {
    draggable: true,
    onDragStart({ dataTransfer }: { dataTransfer: DataTransfer | null }) {
      // Firefox drags nothing that has no data.
      dataTransfer?.setData('text/plain', ' ')
      if (chosen) onDrag(selection.rows, selection.whole)
      else onDrag([row])
    },
    onDragEnd: () => onDrag(undefined)
  }
}
