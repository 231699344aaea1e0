// Long lists draw only what is in sight: rows of a table, lines of tiles. They may be a page of a longer list that the hub keeps.
import { useLayoutEffect, useRef, useState } from 'react'

/** Pixels: what the style sheet gives a row. */
export const ROW_HEIGHT = 37
/** Rows or tiles up to which all are drawn. */
export const WINDOW_FROM = 100
/** Pixels drawn beyond the edges. */
const SPARE = 12 * ROW_HEIGHT
/** Pixels that are scrolled before others are drawn: less than what is drawn beyond the edges. */
const LAZY = 200
/** Pixels taken for the size of a scroller that does not know its own. */
const USUAL_HEIGHT = 800
const USUAL_WIDTH = 1000

export interface Window {
  /** The first that is drawn, and the one after the last. */
  first: number
  end: number
  /** Pixels of those before and after. */
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

/** What is drawn of `count` that stand `inLine` in a line of `line` pixels, where `height` pixels are in sight from `top`. */
export function windowOf(count: number, top: number, height: number, line: number, inLine: number): Window {
  if (count <= WINDOW_FROM) return { first: 0, end: count, before: 0, after: 0 }
  const lines = Math.ceil(count / inLine)
  // A list that became shorter may leave its scroller beyond its end until that has looked again.
  const first = Math.max(0, Math.floor((Math.min(top, lines * line) - SPARE) / line))
  const end = Math.min(lines, Math.ceil((top + height + SPARE) / line))
  return {
    first: first * inLine,
    end: Math.min(count, end * inLine),
    before: first * line,
    after: (lines - end) * line
  }
}

/**
 * Follows the scroller of a list, and tells the hub's list what of it is in sight; one that begins anew is shown from its beginning.
 * @param layout what a line is at a width: its pixels, and how many stand in it
 */
export function useSight(
  count: number,
  paged: Pick<Paged<unknown>, 'scope' | 'onSight'> | undefined,
  layout: (width: number) => [line: number, inLine: number]
) {
  const scroller = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(USUAL_HEIGHT)
  const [width, setWidth] = useState(USUAL_WIDTH)
  const look = () => {
    const element = scroller.current
    if (!element) return
    setTop(Math.floor(element.scrollTop / LAZY) * LAZY)
    setHeight(element.clientHeight || USUAL_HEIGHT)
    setWidth(element.clientWidth || USUAL_WIDTH)
  }
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [paged?.scope])
  useLayoutEffect(look)
  useLayoutEffect(() => {
    addEventListener('resize', look)
    return () => removeEventListener('resize', look)
  }, [])
  const { first, end, before, after } = windowOf(count, top, height, ...layout(width))
  useLayoutEffect(() => paged?.onSight(first, end), [paged?.scope, first, end])
  return {
    /** Indexes of what is drawn. */
    drawn: Array.from({ length: end - first }, (_, index) => first + index),
    /** Stands for what is out of sight. */
    style: { margin: `${before}px 0 ${after}px` },
    /** For the element that scrolls. */
    scroll: { ref: scroller, onScroll: look }
  }
}
