// Effects of keys in the matrix. A destination or source is reached by arrow keys, or by typing its number or the
// beginning of its name: first the destination, Enter, then the source, Enter.

/** A row or column: number and label. Number 0 is the column without a source. */
export interface AxisItem {
  index: number
  label: string
}

/** The cell with the focus, by the numbers of its destination and source. */
export interface Cursor {
  destination: number
  source: number
}

/** The typed text: it names the destination, or after the first Enter the source. */
export interface Entry {
  phase: 'destination' | 'source'
  text: string
}

export const NO_ENTRY: Entry = { phase: 'destination', text: '' }

/**
 * - `enter`: arms the cell, or takes it, as the user has chosen; takes everything that is armed if the cell is armed
 * - `take`: takes the cell at once
 * - `toggle`: arms or disarms the cell
 * - `clear`: disarms all cells
 * - `missing`: nothing has the typed number or name
 */
export type GridCommand = 'enter' | 'take' | 'toggle' | 'lock' | 'clear' | 'undo' | 'find' | 'help' | 'missing'

export interface GridState {
  cursor: Cursor
  entry: Entry
}

export interface KeyResult extends GridState {
  command?: GridCommand
}

interface PressedKey {
  key: string
  shiftKey?: boolean
  ctrlKey?: boolean
  metaKey?: boolean
  altKey?: boolean
}

interface Axes {
  destinations: readonly AxisItem[]
  sources: readonly AxisItem[]
}

/** Rows or columns that Page Up and Page Down move by. */
const PAGE = 8

/** The item with a typed number, or the first whose label, or else a word of it, begins with the typed text. */
export function findItem(items: readonly AxisItem[], text: string): AxisItem | undefined {
  if (/^\d+$/.test(text)) return items.find(({ index }) => index === Number(text))
  const wanted = text.toLowerCase()
  const begins = ({ label }: AxisItem) => label.toLowerCase().startsWith(wanted)
  const hasWord = ({ label }: AxisItem) => ` ${label.toLowerCase()}`.includes(` ${wanted}`)
  return items.find(begins) ?? items.find(hasWord)
}

/** The number of the item `steps` away, at most the first or last. */
function move(items: readonly AxisItem[], from: number, steps: number): number {
  const position = items.findIndex(({ index }) => index === from)
  const target = Math.max(0, Math.min(items.length - 1, position + steps))
  return items[target]?.index ?? from
}

const END = Number.MAX_SAFE_INTEGER

/** Steps by key: rows and columns. */
const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
  Home: [0, -END],
  End: [0, END]
}

/** Keys that are commands while nothing is typed. */
const COMMANDS: Readonly<Record<string, GridCommand>> = {
  ' ': 'toggle',
  '/': 'find',
  '?': 'help'
}

/** The state with a typed text; the cursor moves to what it names. */
function type({ destinations, sources }: Axes, { cursor, entry }: GridState, text: string): KeyResult {
  const next = { ...entry, text }
  const match = text === '' ? undefined : findItem(entry.phase === 'source' ? sources : destinations, text)
  if (!match) return { cursor, entry: next }
  return { cursor: { ...cursor, [entry.phase]: match.index }, entry: next }
}

function handleEnter(axes: Axes, { cursor, entry }: GridState, atOnce: boolean): KeyResult {
  const command = atOnce ? 'take' : 'enter'
  const { phase, text } = entry
  if (text === '') return phase === 'source' ? { cursor, entry } : { cursor, entry, command }
  const items = phase === 'source' ? axes.sources : axes.destinations
  if (!findItem(items, text)) return { cursor, entry: { ...entry, text: '' }, command: 'missing' }
  return phase === 'source' ? { cursor, entry: NO_ENTRY, command } : { cursor, entry: { phase: 'source', text: '' } }
}

/** Handles a key. @returns undefined for a key that has no meaning in the matrix */
export function handleGridKey(pressed: PressedKey, axes: Axes, state: GridState): KeyResult | undefined {
  const { key, shiftKey = false, ctrlKey, metaKey, altKey } = pressed
  const { cursor, entry } = state
  const isTyping = entry.text !== '' || entry.phase === 'source'
  if (altKey) return undefined
  const step = STEPS[key]
  if (step) {
    const [rows, columns] = step
    // With Ctrl, Home and End go to the first and last cell of the matrix.
    const toRow = ctrlKey && rows === 0 && Math.abs(columns) === END ? columns : rows
    const destination = move(axes.destinations, cursor.destination, toRow)
    return { cursor: { destination, source: move(axes.sources, cursor.source, columns) }, entry: NO_ENTRY }
  }
  if (ctrlKey || metaKey) return key === 'z' ? { ...state, command: 'undo' } : undefined
  if (key === 'Enter') return handleEnter(axes, state, shiftKey)
  if (key === 'Escape') return isTyping ? { cursor, entry: NO_ENTRY } : { cursor, entry, command: 'clear' }
  if (key === 'Backspace') return isTyping ? type(axes, state, entry.text.slice(0, -1)) : undefined
  // A small letter begins a name. With Caps Lock, Shift makes letters small.
  const command = shiftKey && key.toLowerCase() === 'l' ? 'lock' : COMMANDS[key]
  if (!isTyping && command) return { ...state, command }
  const isText = key.length === 1 && (key !== ' ' || entry.text !== '')
  return isText ? type(axes, state, entry.text + key) : undefined
}
