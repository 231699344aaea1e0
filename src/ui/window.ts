// Long tables draw only the rows in sight.
import { useLayoutEffect, useState } from 'react'

/** Pixels: what the style sheet gives a row. */
export const ROW_HEIGHT = 37
/** Rows up to which all are drawn. */
export const WINDOW_FROM = 100
/** Rows drawn beyond the edges. */
const SPARE = 12
/** Pixels taken for the height of a scroller that does not know its own. */
const USUAL_HEIGHT = 800

export interface Window {
  /** First row drawn, and the one after the last. */
  first: number
  end: number
  /** Pixels of the rows before and after. */
  before: number
  after: number
}

/**
 * The rows to draw.
 * @param heights pixels of row `index`, with what is opened below it
 */
export function windowOf(count: number, top: number, height: number, heights: (index: number) => number): Window {
  if (count <= WINDOW_FROM) return { first: 0, end: count, before: 0, after: 0 }
  const tops = [0]
  for (let index = 0; index < count; index++) tops.push((tops[index] ?? 0) + heights(index))
  const above = (edge: number) => tops.filter((own) => own < edge).length
  const first = Math.max(0, above(top) - 1 - SPARE)
  const end = Math.min(count, above(top + height) + SPARE)
  return { first, end, before: tops[first] ?? 0, after: (tops[count] ?? 0) - (tops[end] ?? 0) }
}

/** Follows a scroller: where it stands and how high it is, in pixels. */
export function useScroll(scroller: { current: HTMLElement | null }, wanted: boolean): { top: number; height: number } {
  const [at, setAt] = useState({ top: 0, height: USUAL_HEIGHT })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!wanted || !element) return
    const look = () => {
      const [top, height] = [element.scrollTop, element.clientHeight || USUAL_HEIGHT]
      setAt((last) => (Math.abs(last.top - top) < ROW_HEIGHT && last.height === height ? last : { top, height }))
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
