// Changes entries of a week that has hours, with the mouse or a pen and by keyboard.
import type { KeyboardEvent, PointerEvent as PressEvent } from 'react'
import { DAY, type Period } from '../../../contract/stream/schedule-periods.ts'
import { type Edge, FINE_STEP, movedPeriod, STEP } from './move-slot.ts'

/** An entry with its local times, as if they were UTC. */
export interface LocalEntry extends Period {
  key: string
}

/** The local times of an entry after a change. */
export interface WeekChange extends Period {
  /** Absent: a new one. */
  entry?: LocalEntry
}

export interface WeekEditing {
  /** Shows a change while it is dragged; undefined: shows what was before. */
  onPreview: (change?: WeekChange) => void
  onChange: (change: WeekChange) => void
  /** An entry was clicked. */
  onOpen: (key: string) => void
}

/** Pixels: a press that moves further is a drag; the height of the edge that changes the length. */
const THRESHOLD = 4
const EDGE = 6
const MINUTE = 60_000

/** A click ends each drag. It must not open an entry. */
function ignoreNextClick(): void {
  const end = new AbortController()
  const options = { capture: true, signal: end.signal }
  const ignore = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', ignore, options)
  for (const type of ['pointerup', 'pointercancel'])
    document.addEventListener(type, () => setTimeout(() => end.abort()), options)
}

/** The part of an entry that was pressed. */
function edgeAt(block: Element, y: number): Edge {
  const { top, bottom, height } = block.getBoundingClientRect()
  if (y > bottom - EDGE && height > EDGE) return 'stop'
  return y < top + EDGE && height > 4 * EDGE ? 'start' : 'both'
}

/** Returns the local time below the pointer, in the nearest column. */
function timeReader(week: Element, days: readonly number[]) {
  const columns = [...week.querySelectorAll('ol')]
  return ({ clientX, clientY }: { clientX: number; clientY: number }): number => {
    const boxes = columns.map((column) => column.getBoundingClientRect())
    const distances = boxes.map(({ left, right }) => Math.max(left - clientX, clientX - right))
    const index = distances.indexOf(Math.min(...distances))
    const { top = 0, height = 0 } = boxes[index] ?? {}
    return (days[index] ?? 0) + Math.min(1, Math.max(0, (clientY - top) / (height || 1))) * DAY
  }
}

/** A new entry between two times of one day. */
function periodBetween(a: number, b: number, step: number): Period {
  const from = Math.floor(Math.min(a, b) / step) * step
  return { from, to: Math.min(Math.max(Math.ceil(Math.max(a, b) / step) * step, from + step), from + DAY) }
}

/** Begins a drag of an entry, of its edge, or of a new entry on free space. Escape cancels it. A finger scrolls. */
export function startDrag(
  press: PressEvent<HTMLElement>,
  days: readonly number[],
  entries: readonly LocalEntry[],
  { onPreview, onChange }: WeekEditing
): void {
  const target = press.target as Element
  if (press.button !== 0 || press.pointerType === 'touch' || !target.closest('ol')) return
  const block = target.closest<HTMLElement>('[data-entry]')
  const entry = entries.find(({ key }) => key === block?.dataset.entry)
  if (block && !entry) return
  const readTime = timeReader(press.currentTarget, days)
  const edge = block ? edgeAt(block, press.clientY) : 'stop'
  const pressedAt = readTime(press)
  const { clientX, clientY } = press
  let change: WeekChange | undefined
  const end = new AbortController()
  const options = { capture: true, signal: end.signal }
  function move(event: PointerEvent): void {
    if (!change) {
      if (Math.hypot(event.clientX - clientX, event.clientY - clientY) < THRESHOLD) return
      ignoreNextClick()
    }
    const step = event.altKey ? FINE_STEP : STEP
    const time = readTime(event)
    change = entry
      ? { entry, ...movedPeriod(entry, edge, time - pressedAt, step) }
      : periodBetween(pressedAt, time, step)
    onPreview(change)
  }
  function finish(isApplied: boolean): void {
    end.abort()
    if (!change) return
    onPreview()
    if (isApplied) onChange(change)
  }
  document.addEventListener('pointermove', move, options)
  document.addEventListener('pointerup', () => finish(true), options)
  document.addEventListener('pointercancel', () => finish(false), options)
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      finish(false)
    },
    options
  )
}

const ARROWS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -DAY, ArrowRight: DAY }

/** The arrow keys move the entry that has the focus: by a step or a day, and with Shift only its end. */
export function moveByKey(event: KeyboardEvent, entries: readonly LocalEntry[], { onChange }: WeekEditing): void {
  const arrow = ARROWS[event.key]
  const entry = entries.find(({ key }) => key === (event.target as HTMLElement).dataset.entry)
  if (!arrow || !entry || event.ctrlKey || event.metaKey) return
  const isDay = Math.abs(arrow) === DAY
  // Alt with a horizontal arrow is for the browser.
  if (isDay && (event.altKey || event.shiftKey)) return
  event.preventDefault()
  const step = event.altKey ? FINE_STEP : STEP
  const edge = event.shiftKey ? 'stop' : 'both'
  onChange({ entry, ...movedPeriod(entry, edge, isDay ? arrow : arrow * step, isDay ? MINUTE : step) })
}
