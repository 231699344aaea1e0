// The largest tiles of 16:9 pictures with captions that fill a screen without scrolling.

/**
 * Pixels, as in the style sheet: the gap between tiles, the height of caption, meters and borders, and the smallest
 * width of a tile.
 */
const GAP = 12
const CAPTION_HEIGHT = 128
const TILE_MIN = 200
/** Pixels of width below which the page scrolls: tiles below each other, as wide as the screen. */
const SCREEN_MIN = 740

interface GridSize {
  columns: number
  /** Width of a tile in pixels. */
  width: number
  /** Tiles that fit. */
  count: number
}

function largestTile(count: number, width: number, height: number): { columns: number; width: number } {
  let best = { columns: 1, width: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const byWidth = (width - GAP * (columns - 1)) / columns
    const byHeight = (((height - GAP * (rows - 1)) / rows - CAPTION_HEIGHT) * 16) / 9
    const tileWidth = Math.floor(Math.min(byWidth, byHeight))
    if (tileWidth > best.width) best = { columns, width: tileWidth }
  }
  return best
}

/** @param width of the area in pixels @param height of the area in pixels */
export function fitTiles(count: number, width: number, height: number): GridSize {
  if (width < SCREEN_MIN) return { columns: 1, width, count }
  let shown = count
  let best = largestTile(shown, width, height)
  while (shown > 1 && best.width < TILE_MIN) {
    shown--
    best = largestTile(shown, width, height)
  }
  return { columns: best.columns, width: Math.max(best.width, Math.min(width, TILE_MIN)), count: shown }
}
