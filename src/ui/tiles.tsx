// Tiles side by side in lines, as many in a line as there is room for: the other form of a table. Of many only the lines in sight are
// drawn.
import { type ReactNode, useRef } from 'react'
import { type Key, useSelection } from './selection.ts'
import { type ChosenActions, dragging, type OnDrag, SelectOne, Tools } from './tools.tsx'
import { type Paged, usePage, useScroll, WINDOW_FROM, windowOf } from './window.ts'

/** Pixels, as in the style sheet: the least width of a tile, between tiles, and what a tile has below its picture. */
const WIDTH = 240
const GAP = 12
const FOOT = 58
/** Lines drawn beyond the edges. */
const SPARE = 2

interface TilesProps<Row> {
  /** What the tiles are. */
  label: string
  rows: readonly Row[]
  paged: Paged<Row>
  keyOf: (row: Row) => Key
  nameOf: (row: Row) => string
  tools: ReactNode
  actions: ChosenActions<Row>
  onDrag?: OnDrag<Row>
  /** In the place of tiles: empty, loading, failed. */
  instead?: ReactNode
  /** What is in a tile. */
  children: (row: Row) => ReactNode
}

export function Tiles<Row>(props: TilesProps<Row>) {
  const { label, rows, paged, keyOf, nameOf, tools, actions, onDrag, instead, children } = props
  const { start, total } = paged
  const selection = useSelection(rows, keyOf, paged)
  const scroller = useRef<HTMLElement>(null)
  const at = useScroll(scroller, total > 0 && !instead)
  const inLine = Math.max(1, Math.floor((at.width - GAP) / (WIDTH + GAP)))
  const height = ((at.width - GAP * (inLine + 1)) / inLine) * (9 / 16) + FOOT + GAP
  const lines = Math.ceil(total / inLine)
  const sight = windowOf(lines, at.top, at.height, height, SPARE, WINDOW_FROM / inLine)
  const first = sight.first * inLine
  const end = Math.min(total, sight.end * inLine)
  usePage(paged, scroller, first, end)

  const tile = (index: number) => {
    const row = rows[index - start]
    if (row === undefined)
      return (
        <li key={`at ${index}`} className="tile coming" aria-hidden="true">
          <div className="picture" />
        </li>
      )
    const key = keyOf(row)
    const chosen = selection.has(key)
    return (
      <li
        key={key}
        className="tile"
        data-chosen={chosen || undefined}
        aria-setsize={total}
        aria-posinset={index + 1}
        {...dragging(onDrag, selection, row, chosen)}
      >
        {children(row)}
        <SelectOne selection={selection} row={row} index={index} name={nameOf(row)} chosen={chosen} />
      </li>
    )
  }

  return (
    <div className="list">
      <Tools selection={selection} actions={actions}>
        {tools}
      </Tools>
      {instead ?? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="scroll" ref={scroller} aria-label={label} tabIndex={0}>
          <div style={{ height: `${sight.before}px` }} />
          <ul className="tiles">{Array.from({ length: end - first }, (_, index) => tile(first + index))}</ul>
          <div style={{ height: `${sight.after}px` }} />
        </section>
      )}
    </div>
  )
}
