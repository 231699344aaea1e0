// The grid of the wall display: as many columns and rows as make the pictures largest, and the pages if more tiles are
// shown than remain legible.
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth } from '../../other-hubs.ts'

/** Pixels, as in the style sheet: the gap between tiles, and the space around the text of a tile. */
const GAP = 8
const PADDING = 14
/** The smallest tile, in pixels. */
const WIDTH_MIN = 120
const HEIGHT_MIN = 72
/** Size of the text in pixels, by the width and the height of a tile. */
const FONT_MIN = 12
const FONT_MAX = 26
const FONT_PER_WIDTH = 0.045
const FONT_PER_HEIGHT = 0.057
/** Height of a line, in sizes of the text. */
export const LINE_HEIGHT = 1.4
/** The largest share of a tile's height that is text, and the largest number of lines. */
const TEXT_SHARE = 0.3
const LINES_MAX = 4

export interface Grid {
  columns: number
  rows: number
  /** Size of the text in pixels. */
  font: number
  /** Lines of text below a picture. */
  lines: number
}

interface Candidate extends Grid {
  /** Width of the picture in pixels. */
  picture: number
  isLegible: boolean
}

function measureGrid(columns: number, rows: number, width: number, height: number): Candidate {
  const tileWidth = (width - GAP * (columns - 1)) / columns
  const tileHeight = (height - GAP * (rows - 1)) / rows
  const wanted = Math.floor(Math.min(tileWidth * FONT_PER_WIDTH, tileHeight * FONT_PER_HEIGHT))
  const font = Math.min(FONT_MAX, Math.max(FONT_MIN, wanted))
  const line = font * LINE_HEIGHT
  const lines = Math.min(LINES_MAX, Math.max(1, Math.floor((tileHeight * TEXT_SHARE) / line)))
  const picture = Math.min(tileWidth, ((tileHeight - lines * line - PADDING) * 16) / 9)
  return { columns, rows, font, lines, picture, isLegible: tileWidth >= WIDTH_MIN && tileHeight >= HEIGHT_MIN }
}

/** Legible tiles first, then large pictures. */
const isBetter = (a: Candidate, b: Candidate) => (a.isLegible === b.isLegible ? a.picture > b.picture : a.isLegible)

/** The grid with the largest pictures. @param width of the area in pixels @param height of the area in pixels */
export function fitGrid(count: number, width: number, height: number): Grid {
  let best = measureGrid(1, Math.max(1, count), width, height)
  for (let columns = 2; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    // Fewer columns leave fewer empty places in as many rows.
    if (Math.ceil(count / rows) < columns) continue
    const candidate = measureGrid(columns, rows, width, height)
    if (isBetter(candidate, best)) best = candidate
  }
  const { columns, rows, font, lines } = best
  return { columns, rows, font, lines }
}

/** The number of tiles that are legible on one page. */
export function tilesPerPage(width: number, height: number): number {
  const fit = (size: number, smallest: number) => Math.max(1, Math.floor((size + GAP) / (smallest + GAP)))
  return fit(width, WIDTH_MIN) * fit(height, HEIGHT_MIN)
}

/** Milliseconds for which a page is shown. */
export const TURN_INTERVAL = 15_000

/** The smallest share of a page that channels which are not down have, so that each has its turn. */
const TURNING_SHARE = 1 / 4

/**
 * The pages on which channels are shown. A channel that is down is on every page.
 * @param channels in the order in which they are shown
 * @param capacity the number of tiles that are legible on one page
 */
export function splitIntoPages(channels: readonly Channel[], capacity: number): Channel[][] {
  if (channels.length <= capacity) return [[...channels]]
  const isDown = (channel: Channel) => channelHealth(channel).verdict === 'down'
  const down = channels.filter(isDown)
  const others = channels.filter((channel) => !isDown(channel))
  const places = Math.max(capacity - down.length, Math.ceil(capacity * TURNING_SHARE))
  const count = Math.max(1, Math.ceil(others.length / places))
  // Pages of equal size, so that the tiles keep theirs when the page turns.
  const size = Math.ceil(others.length / count)
  return Array.from({ length: count }, (_, page) => [...down, ...others.slice(page * size, (page + 1) * size)])
}
