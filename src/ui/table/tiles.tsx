// Tiles side by side in lines, as many in a line as there is room for: the other form of a table. Of many only the lines in sight are
// drawn.
import type { ReactNode } from 'react'
import { type ChosenActions, dragging, List, type OnDrag, SelectOne } from '../list-toolbar.tsx'
import { type Key, useSelection } from './selection.ts'
import { type Paged, useSight } from './virtual-list.ts'

/** Pixels, as in the style sheet: the least width of a tile, between tiles, and what a tile has below its picture. */
const WIDTH = 240
const GAP = 12
const FOOT = 58

/** Lines at a width: the pixels from one to the next, and how many tiles there are in one. */
function layout(width: number): [line: number, inLine: number] {
  const inLine = Math.max(1, Math.floor((width - GAP) / (WIDTH + GAP)))
  return [((width - GAP * (inLine + 1)) / inLine) * (9 / 16) + FOOT + GAP, inLine]
}

interface TilesProps<Row> {
  /** What the tiles are. */
  label: string
  rows: readonly Row[]
  /** The rows are a page of a longer list, which the hub keeps and orders. */
  paged?: Paged<Row>
  keyOf: (row: Row) => Key
  nameOf: (row: Row) => string
  tools: ReactNode
  actions?: ChosenActions<Row>
  onDrag?: OnDrag<Row>
  /** In the place of tiles: empty, loading, failed. */
  instead?: ReactNode
  /** What is in a tile. */
  children: (row: Row) => ReactNode
}

export function Tiles<Row>({ rows, paged, keyOf, nameOf, onDrag, children, ...frame }: TilesProps<Row>) {
  const selection = useSelection(rows, keyOf, paged)
  const { start, total } = selection
  const { drawn, style, scroll } = useSight(total, paged, layout)

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
    <List {...frame} selection={selection} scroll={scroll}>
      <ul className="tiles" style={style}>
        {drawn.map(tile)}
      </ul>
    </List>
  )
}
