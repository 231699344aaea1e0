// Long lists draw only what is in sight: rows of a table, lines of tiles. They may be a page of a longer list that the hub keeps.
import { useEffect, useLayoutEffect, useState } from 'react'

/** Pixels: what the style sheet gives a row. */
export const ROW_HEIGHT = 37
/** Rows up to which all are drawn. */
export const WINDOW_FROM = 100
/** Rows drawn beyond the edges. */
const SPARE = 12
/** Pixels that are scrolled before other rows are drawn: less than the rows beyond the edges have. */
const LAZY = 200
/** Pixels taken for the size of a scroller that does not know its own. */
const USUAL_HEIGHT = 800
const USUAL_WIDTH = 1000

export interface Window {
  /** First row drawn, and the one after the last. */
  first: number
  end: number
  /** Pixels of the rows before and after. */
  before: number
  after: number
}

/** What is here of a longer list that the hub keeps. */
export interface Paged<Row> {
  /** Index of the first row that is here, and how many there are in all. */
  start: number
  total: number
  /** What the list is narrowed and ordered by. With another one it begins anew, and nothing is chosen. */
  scope: string
  /** Told which rows are in sight: the first, and the one after the last. */
  onSight: (first: number, end: number) => void
  /** Asks for rows; undefined where they could not be had, which the user was then told. */
  take: (start: number, count: number) => Promise<readonly Row[] | undefined>
}

/**
 * The rows to draw.
 * @param heights pixels of each row; or of row `index`, with what is opened below it
 * @param spare rows drawn beyond the edges
 * @param all rows up to which all are drawn
 */
export function windowOf(
  count: number,
  top: number,
  height: number,
  heights: number | ((index: number) => number),
  spare = SPARE,
  all = WINDOW_FROM
): Window {
  if (count <= all) return { first: 0, end: count, before: 0, after: 0 }
  const tops = [0]
  if (typeof heights === 'function')
    for (let index = 0; index < count; index++) tops.push((tops[index] ?? 0) + heights(index))
  // Thousands of rows of one height are not gone through at every step.
  const above = (edge: number) =>
    typeof heights === 'number' ? Math.ceil(Math.max(0, edge) / heights) : tops.filter((own) => own < edge).length
  const topOf = (row: number) => (typeof heights === 'number' ? row * heights : (tops[row] ?? 0))
  // A list that became shorter may leave its scroller beyond its end until that has looked again.
  const first = Math.max(0, Math.min(count, above(top)) - 1 - spare)
  const end = Math.min(count, above(top + height) + spare)
  return { first, end, before: topOf(first), after: topOf(count) - topOf(end) }
}

/** Where a scroller stands, and its size, in pixels. */
export interface Scroll {
  top: number
  height: number
  width: number
}

/** Follows a scroller. */
export function useScroll(scroller: { current: HTMLElement | null }, wanted: boolean): Scroll {
  const [at, setAt] = useState<Scroll>({ top: 0, height: USUAL_HEIGHT, width: USUAL_WIDTH })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!wanted || !element) return
    const look = () => {
      const top = element.scrollTop
      const height = element.clientHeight || USUAL_HEIGHT
      const width = element.clientWidth || USUAL_WIDTH
      const same = (last: Scroll) => Math.abs(last.top - top) < LAZY && last.height === height && last.width === width
      setAt((last) => (same(last) ? last : { top, height, width }))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      element.removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [wanted])
  return at
}

/** Tells the list of the hub what of it is in sight; one that begins anew is shown from its beginning. */
export function usePage(
  paged: Pick<Paged<unknown>, 'scope' | 'onSight'> | undefined,
  scroller: { current: HTMLElement | null },
  first: number,
  end: number
): void {
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [paged?.scope])
  useEffect(() => paged?.onSight(first, end), [paged?.scope, first, end])
}
