// The matrix: a row for each destination, a column for each source. A change renders only the rows that it concerns, so
// that a matrix of 64 x 64 stays fast.
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Matrix, MatrixDestination, MatrixSource } from '../../../contract/ndi/router.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { $armed, $taking } from './armed.ts'
import { itemAt, labelOf, routeState, sourceLabel } from './describe.ts'
import type { Cursor } from './grid-keys.ts'
import { DestinationHead, SourceHead } from './heads.tsx'
import { ROUTE_STATES, TEXT } from './text.ts'

interface GridProps {
  matrix: Matrix
  /** The destinations and sources that match the search. */
  destinations: readonly MatrixDestination[]
  sources: readonly MatrixSource[]
  cursor: Cursor
  showsPictures: boolean
  /** Ids of the elements that explain the matrix to screen readers. */
  describedBy: string
  onCell: (cursor: Cursor) => void
  onKey: (event: KeyboardEvent) => void
  onLock: (destination: MatrixDestination) => void
}

/** The cell that an event came from. */
function cellOf(target: EventTarget | null): Cursor | undefined {
  const cell = (target as Element | null)?.closest<HTMLElement>('td[data-source]')
  if (!cell) return undefined
  return { destination: Number(cell.parentElement?.dataset.destination), source: Number(cell.dataset.source) }
}

const findCell = (table: HTMLElement | null, { destination, source }: Cursor) =>
  table?.querySelector<HTMLElement>(`tr[data-destination="${destination}"] > td[data-source="${source}"]`)

export function Grid(props: GridProps) {
  const { matrix, destinations, sources, cursor, showsPictures, describedBy, onCell, onKey, onLock } = props
  const table = useRef<HTMLTableElement>(null)
  const armed = useStore($armed)
  const taking = useStore($taking)
  // The handler of the latest render, under an identity that does not render the rows again.
  const latestLock = useRef(onLock)
  latestLock.current = onLock
  const lock = useMemo(() => (destination: MatrixDestination) => latestLock.current(destination), [])
  const columns = useMemo(() => [0, ...sources.map(({ index }) => index)], [sources])

  // The focus follows the cursor while it is in the matrix.
  useLayoutEffect(() => {
    const { current } = table
    if (current?.contains(document.activeElement)) findCell(current, cursor)?.focus()
  }, [cursor])
  // The bar of armed routes takes space below the matrix: the row that was just armed stays in view.
  useLayoutEffect(() => {
    const { current } = table
    if (current?.contains(document.activeElement))
      findCell(current, cursor)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [cursor, armed])

  return (
    <table
      ref={table}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a matrix of selectable cells is a grid
      role="grid"
      className="matrix"
      data-pictures={showsPictures || undefined}
      aria-label={matrix.name}
      aria-describedby={describedBy}
      aria-rowcount={matrix.destinations.length + 1}
      aria-colcount={matrix.sources.length + 2}
      onClick={({ target }) => {
        const cell = cellOf(target)
        if (cell) onCell(cell)
      }}
      onKeyDown={(event) => onKey(event as unknown as KeyboardEvent)}
    >
      <SourceHeads sources={sources} showsPictures={showsPictures} />
      <tbody>
        {destinations.map((destination) => (
          <GridRow
            key={destination.index}
            destination={destination}
            matrixId={matrix.id}
            columns={columns}
            current={sourceLabel(matrix, destination.source)}
            currentName={itemAt(matrix.sources, destination.source)?.name}
            armed={armed.get(destination.index)}
            taking={taking.get(destination.index)}
            focused={cursor.destination === destination.index ? cursor.source : undefined}
            focusedLabel={cursor.destination === destination.index ? sourceLabel(matrix, cursor.source) : ''}
            showsPictures={showsPictures}
            onLock={lock}
          />
        ))}
      </tbody>
    </table>
  )
}

function SourceHeads({ sources, showsPictures }: { sources: readonly MatrixSource[]; showsPictures: boolean }) {
  return useMemo(
    () => (
      <thead>
        <tr>
          <th scope="col" className="muted">
            {t(TEXT.corner)}
          </th>
          <th scope="col" className="source-head">
            {t(TEXT.none)}
          </th>
          {sources.map((source) => (
            <SourceHead key={source.index} source={source} showsPicture={showsPictures} />
          ))}
        </tr>
      </thead>
    ),
    [sources, showsPictures]
  )
}

interface GridRowProps {
  matrixId: number
  destination: MatrixDestination
  /** Numbers of the sources; 0 = no source. */
  columns: readonly number[]
  /** Label and name on the network of the source that the destination shows. */
  current: string
  currentName: string | undefined
  armed: number | undefined
  taking: number | undefined
  /** The source of the cell in this row that has the focus, or gets it with the Tab key. */
  focused: number | undefined
  focusedLabel: string
  showsPictures: boolean
  onLock: (destination: MatrixDestination) => void
}

function GridRow(props: GridRowProps) {
  const { matrixId, destination, columns, current, currentName, armed, taking, focused, focusedLabel } = props
  const { showsPictures, onLock } = props
  return useMemo(() => {
    const label = labelOf(destination)
    return (
      <tr data-destination={destination.index} data-state={destination.state}>
        <DestinationHead
          matrixId={matrixId}
          destination={destination}
          current={current}
          currentName={currentName}
          showsPicture={showsPictures}
          isFocused={focused !== undefined}
          onLock={onLock}
        />
        {columns.map((source) => {
          const state = routeState(source, { current: destination.source, armed, taking })
          const isFocused = source === focused
          const stateText = state && t(ROUTE_STATES[state])
          const focusText = stateText
            ? t(TEXT.cellState, label, focusedLabel, stateText)
            : t(TEXT.cell, label, focusedLabel)
          return (
            <td
              key={source}
              // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cell of a grid
              role="gridcell"
              data-source={source}
              data-state={state}
              aria-selected={source === destination.source}
              aria-label={isFocused ? focusText : stateText}
              // A cell that lost its tab index would lose the focus, too.
              tabIndex={isFocused ? 0 : -1}
            />
          )
        })}
      </tr>
    )
  }, [matrixId, destination, columns, current, currentName, armed, taking, focused, focusedLabel, showsPictures])
}
