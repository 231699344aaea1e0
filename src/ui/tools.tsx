// What stands above a list: its tools, or while rows are chosen what can be done with those.
import type { ReactNode } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import type { Selection, Whole } from './selection.ts'
import * as TEXT from './text.ts'

/** What can be done with the chosen rows, of which more may be chosen than are here. */
export type ChosenActions<Row> = (rows: readonly Row[], clear: () => void, whole?: Whole<Row>) => ReactNode

interface ToolsProps<Row> {
  selection: Selection<Row>
  actions?: ChosenActions<Row>
  /** At the end of the tools. */
  end?: ReactNode
  children: ReactNode
}

export function Tools<Row>({ selection, actions, end, children }: ToolsProps<Row>) {
  const { count, rows, clear, whole } = selection
  return count > 0 && actions ? (
    <div className="tools chosen" role="toolbar" aria-label={t(TEXT.actions)}>
      <strong className="num" role="status">
        {t(TEXT.selected, count)}
      </strong>
      {actions(rows, clear, whole)}
      <span className="push" />
      <Button bare icon="close" label={t(TEXT.clear)} onClick={clear} />
    </div>
  ) : (
    <div className="tools">
      {children}
      <span className="push" />
      {end}
    </div>
  )
}

interface SelectAllProps<Row> {
  selection: Selection<Row>
  /** How many rows there are. */
  total: number
}

/** Chooses all rows, or none. */
export function SelectAll<Row>({ selection: { count, toggleAll }, total }: SelectAllProps<Row>) {
  const all = total > 0 && count === total
  return (
    <input
      type="checkbox"
      aria-label={t(TEXT.selectAll)}
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = !all && count > 0
      }}
      onClick={toggleAll}
    />
  )
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
