// A grid of tiles, the alternative to a table. Of a long list only the lines in view are rendered.
import type { ReactNode } from 'react'
import { type BulkActions, dragProps, ListFrame, type OnDrag, RowCheckbox } from '../list-frame.tsx'
import { type RowKey, useSelection } from './selection.ts'
import { type PagedRows, useVirtualList } from './virtual-list.ts'

/** Pixels, as in the style sheet: the smallest width of a tile, and the gap between tiles. */
const MIN_WIDTH = 240
const GAP = 12

/** The height of a line of tiles including the gap, and the number of tiles in a line, at a width in pixels. */
function layout(width: number, captionHeight: number): [lineHeight: number, perLine: number] {
  const perLine = Math.max(1, Math.floor((width - GAP) / (MIN_WIDTH + GAP)))
  const tileWidth = (width - GAP * (perLine + 1)) / perLine
  return [tileWidth * (9 / 16) + captionHeight + GAP, perLine]
}

interface TilesProps<Row> {
  label: string
  rows: readonly Row[]
  /** Set when the rows are a page of a longer list, which the hub holds and sorts. */
  paged?: PagedRows<Row>
  keyOf: (row: Row) => RowKey
  nameOf: (row: Row) => string
  toolbar: ReactNode
  /** When not set, tiles cannot be selected. */
  actions?: BulkActions<Row>
  /** When set, tiles can be dragged. */
  onDrag?: OnDrag<Row>
  /** Shown instead of the tiles: empty, loading or failed. */
  placeholder?: ReactNode
  /** Below the tiles. */
  footer?: ReactNode
  /** Height of a tile below its image, in pixels, as in the style sheet. */
  captionHeight?: number
  /** Renders the content of a tile. */
  children: (row: Row) => ReactNode
}

export function Tiles<Row>({
  rows,
  paged,
  keyOf,
  nameOf,
  onDrag,
  captionHeight = 58,
  children,
  ...frame
}: TilesProps<Row>) {
  const selection = useSelection(rows, keyOf, paged)
  const { start, total } = selection
  const { indexes, style, scrollProps } = useVirtualList(total, paged, (width) => layout(width, captionHeight))

  const renderTile = (index: number) => {
    const row = rows[index - start]
    if (row === undefined)
      return (
        <li key={`at ${index}`} className="tile coming" aria-hidden="true">
          <div className="picture" />
        </li>
      )
    const key = keyOf(row)
    const selected = selection.has(key)
    return (
      <li
        key={key}
        className="tile"
        data-chosen={selected || undefined}
        aria-setsize={total}
        aria-posinset={index + 1}
        {...dragProps(onDrag, selection, row, selected)}
      >
        {children(row)}
        <RowCheckbox selection={selection} row={row} index={index} name={nameOf(row)} selected={selected} />
      </li>
    )
  }

  return (
    <ListFrame {...frame} selection={selection} scrollProps={scrollProps}>
      <ul className="tiles" style={style}>
        {indexes.map(renderTile)}
      </ul>
    </ListFrame>
  )
}
