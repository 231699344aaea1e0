// Virtual scrolling: long lists render only visible items, rows of a table or lines of tiles. The rows may be a page of
// a longer list that the hub holds.
import { useLayoutEffect, useRef, useState } from 'react'

/** Pixels, as in the style sheet. */
export const ROW_HEIGHT = 37
export const COMPACT_ROW_HEIGHT = 29
/** Up to this number of rows or tiles all are rendered. */
export const VIRTUAL_FROM = 100
/** Pixels that are rendered above and below the visible area. */
const OVERSCAN = 12 * ROW_HEIGHT
/** The scroll position is rounded down to this many pixels. Must be smaller than `OVERSCAN`. */
const SCROLL_STEP = 200
/** Pixels assumed for the size of a scroller without a layout. */
const DEFAULT_HEIGHT = 800
const DEFAULT_WIDTH = 1000

interface RenderWindow {
  /** Index of the first rendered row. */
  first: number
  /** Index after the last rendered row. */
  end: number
  /** Pixels that the rows above take. */
  before: number
  /** Pixels that the rows below take. */
  after: number
}

/** The loaded page of a longer list that the hub holds. */
export interface PagedRows<Row> {
  /** Index of the first loaded row. */
  start: number
  /** Number of rows in the whole list. */
  total: number
  /** Identifies filter and sorting. When it changes, the list scrolls to the top and the selection is cleared. */
  queryKey: string
  /** Called with the visible rows: the index of the first, and the index after the last. */
  onVisibleRange: (first: number, end: number) => void
  /** Loads rows. @returns undefined when they could not be loaded, of which the user has been notified */
  fetchRows: (start: number, count: number) => Promise<readonly Row[] | undefined>
}

/**
 * Computes which rows to render.
 * @param count rows in the list
 * @param top scroll position in pixels
 * @param height visible pixels
 * @param lineHeight pixels of a line
 * @param perLine rows in a line
 */
export function computeWindow(
  count: number,
  top: number,
  height: number,
  lineHeight: number,
  perLine: number
): RenderWindow {
  if (count <= VIRTUAL_FROM) return { first: 0, end: count, before: 0, after: 0 }
  const lines = Math.ceil(count / perLine)
  // When the list became shorter, the known scroll position may be beyond its end until the next scroll event.
  const first = Math.max(0, Math.floor((Math.min(top, lines * lineHeight) - OVERSCAN) / lineHeight))
  const end = Math.min(lines, Math.ceil((top + height + OVERSCAN) / lineHeight))
  return {
    first: first * perLine,
    end: Math.min(count, end * perLine),
    before: first * lineHeight,
    after: (lines - end) * lineHeight
  }
}

/**
 * Follows the scroll position of a list, and reports the visible rows to `paged`. Scrolls to the top when the query
 * changes.
 * @param layout returns the height of a line in pixels and the number of rows in a line, for a width in pixels
 */
export function useVirtualList(
  count: number,
  paged: Pick<PagedRows<unknown>, 'queryKey' | 'onVisibleRange'> | undefined,
  layout: (width: number) => [lineHeight: number, perLine: number]
) {
  const scroller = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(DEFAULT_HEIGHT)
  const [width, setWidth] = useState(DEFAULT_WIDTH)
  const measure = () => {
    const element = scroller.current
    if (!element) return
    // The style sheet marks the edge behind which there are further columns.
    element.toggleAttribute('data-more', element.scrollWidth - element.clientWidth - element.scrollLeft > 1)
    setTop(Math.floor(element.scrollTop / SCROLL_STEP) * SCROLL_STEP)
    setHeight(element.clientHeight || DEFAULT_HEIGHT)
    setWidth(element.clientWidth || DEFAULT_WIDTH)
  }
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [paged?.queryKey])
  useLayoutEffect(measure)
  useLayoutEffect(() => {
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  const { first, end, before, after } = computeWindow(count, top, height, ...layout(width))
  useLayoutEffect(() => paged?.onVisibleRange(first, end), [paged?.queryKey, first, end])
  return {
    /** Indexes of the rows to render. */
    indexes: Array.from({ length: end - first }, (_, index) => first + index),
    /** Margins as high as the rows that are not rendered. */
    style: { margin: `${before}px 0 ${after}px` },
    /** Properties of the scrolling element. */
    scrollProps: { ref: scroller, onScroll: measure }
  }
}
