// Pointer and keyboard in the matrix.
import { useRef, useState } from 'react'
import type { Matrix, MatrixDestination, MatrixSource, Take } from '../../../contract/ndi/router.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { $armed, $armsFirst, announce, arm, armedTakes, disarmAll } from './armed.ts'
import { destinationLabel, itemAt, labelOf, sourceLabel } from './describe.ts'
import { type AxisItem, type Cursor, type Entry, type GridCommand, handleGridKey, NO_ENTRY } from './grid-keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { takeNow, toggleLock } from './take.ts'
import { TEXT } from './take-text.ts'
import { TEXT as ROUTER_TEXT } from './text.ts'
import { openUndoDialog } from './undo-dialog.ts'
import { useStructureChange } from './use-matrix.ts'

interface ControlsOptions {
  matrix: Matrix
  /** The rows and columns on screen. */
  destinations: readonly MatrixDestination[]
  sources: readonly MatrixSource[]
  /** Why nothing can be switched. */
  obstacle: string | undefined
  /** Moves the focus to the search box. */
  onFind: () => void
}

export interface Controls {
  cursor: Cursor
  entry: Entry
  /** Handles a click on a cell. */
  onCell: (cursor: Cursor) => void
  onKey: (event: KeyboardEvent) => void
  onLock: (destination: MatrixDestination) => void
}

const axisItem = (item: MatrixDestination | MatrixSource): AxisItem => ({ index: item.index, label: labelOf(item) })

/** Arms a route, or disarms it if it is armed. A route that the destination has already cannot be armed. */
export function toggleArmed(matrix: Matrix, { destination, source }: Take): void {
  const labels = [destinationLabel(matrix, destination), sourceLabel(matrix, source)] as const
  const current = itemAt(matrix.destinations, destination)?.source
  const isArmed = $armed.get().get(destination) === source
  arm(destination, isArmed || current === source ? undefined : source)
  if (current === source) announce(t(TEXT.announceAlready, ...labels))
  else announce(isArmed ? t(TEXT.announceDisarmed, labels[0]) : t(TEXT.announceArmed, labels[1], labels[0]))
}

/** Takes a route at once, unless the destination has it already. */
export function takeOne(matrix: Matrix, take: Take): void {
  const current = itemAt(matrix.destinations, take.destination)?.source
  if (current !== take.source) return void takeNow(matrix, [take])
  announce(t(TEXT.announceAlready, destinationLabel(matrix, take.destination), sourceLabel(matrix, take.source)))
}

/** The cell that gets the focus first: the route of the first destination. */
function firstCell(destinations: readonly MatrixDestination[]): Cursor {
  return { destination: destinations[0]?.index ?? 0, source: destinations[0]?.source ?? 0 }
}

export function useControls({ matrix, destinations, sources, obstacle, onFind }: ControlsOptions): Controls {
  const [cursor, setCursor] = useState(() => firstCell(destinations))
  const [entry, setEntry] = useState<Entry>(NO_ENTRY)
  // The number that was typed may be that of another destination.
  useStructureChange(matrix, () => setEntry(NO_ENTRY))
  const columns = [{ index: 0, label: t(ROUTER_TEXT.noSource) }, ...sources.map(axisItem)]
  // A search can hide the cell with the focus.
  const isShown = itemAt(destinations, cursor.destination) !== undefined && itemAt(columns, cursor.source) !== undefined
  const shownCursor = isShown ? cursor : firstCell(destinations)
  // Keys that arrive before the next render continue from here.
  const latest = useRef({ cursor: shownCursor, entry })
  latest.current = { cursor: shownCursor, entry }

  const act = (take: Take, arms: boolean) => {
    if (obstacle) announce(obstacle)
    else if (arms) toggleArmed(matrix, take)
    else takeOne(matrix, take)
  }

  function handleEnter(take: Take): void {
    const takes = armedTakes(matrix, $armed.get())
    const isArmed = takes.some(({ destination, source }) => destination === take.destination && source === take.source)
    if (isArmed && !obstacle) void takeNow(matrix, takes)
    else act(take, $armsFirst.get())
  }

  const lock = (destination: MatrixDestination) => {
    if (obstacle) announce(obstacle)
    else void toggleLock(matrix, destination)
  }

  const run: Record<GridCommand, (take: Take, typed: string) => void> = {
    enter: handleEnter,
    take: (take) => act(take, false),
    toggle: (take) => act(take, true),
    lock({ destination }) {
      const target = itemAt(destinations, destination)
      if (target) lock(target)
    },
    clear() {
      disarmAll()
      announce(t(TEXT.announceCleared))
    },
    undo: () => void (obstacle ? announce(obstacle) : openUndoDialog(matrix)),
    find: onFind,
    help: () => void openDialog(KeysDialog),
    missing: (_, typed) => announce(t(TEXT.notFound, typed))
  }

  return {
    cursor: shownCursor,
    entry,
    onLock: lock,
    onCell(cell) {
      setCursor(cell)
      setEntry(NO_ENTRY)
      act(cell, $armsFirst.get())
    },
    onKey(event) {
      // Buttons and links in the heads handle their own keys.
      if ((event.target as Element).closest('th :is(button, a)')) return
      const axes = { destinations: destinations.map(axisItem), sources: columns }
      const result = handleGridKey(event, axes, latest.current)
      if (!result) return
      event.preventDefault()
      const typed = latest.current.entry.text
      latest.current = result
      const { command, cursor: target } = result
      if (target !== cursor) setCursor(target)
      setEntry(result.entry)
      if (command) run[command](target, typed)
    }
  }
}
