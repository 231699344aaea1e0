// An image in Y'CbCr with 4:2:0 chroma subsampling, as JPEG encodes it. Keeps track of the stripes that changed since
// they were last encoded.
import { GLYPH, glyphOf } from './font.ts'

/** Height of a stripe in pixels: that of a JPEG MCU with 4:2:0 subsampling. */
export const STRIPE = 16

/** Luma and the two chroma values, 0-255. Grey has chroma values of 128. */
export type Colour = readonly [y: number, cb: number, cr: number]

export const BLACK: Colour = [16, 128, 128]
export const WHITE: Colour = [235, 128, 128]

/** @param hue degrees @param luma 0 to 255 @param saturation 0 to 1 */
export function colour(hue: number, luma: number, saturation: number): Colour {
  const angle = (hue * Math.PI) / 180
  const chroma = 100 * saturation
  return [luma, Math.round(128 + Math.cos(angle) * chroma), Math.round(128 + Math.sin(angle) * chroma)]
}

export interface Canvas {
  /** Pixels, multiples of 16. The encoded image may be lower. */
  readonly width: number
  readonly height: number
  readonly y: Uint8Array
  readonly cb: Uint8Array
  readonly cr: Uint8Array
  /** Per stripe: 1 if it changed since it was last encoded. */
  readonly changed: Uint8Array
}

export function createCanvas(width: number, height: number): Canvas {
  const rows = Math.ceil(height / STRIPE)
  const size = width * rows * STRIPE
  return {
    width,
    height: rows * STRIPE,
    y: new Uint8Array(size).fill(BLACK[0]),
    cb: new Uint8Array(size / 4).fill(128),
    cr: new Uint8Array(size / 4).fill(128),
    changed: new Uint8Array(rows).fill(1)
  }
}

/** Fills a rectangle, clipped to the canvas. */
export function fillRect(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  [luma, cb, cr]: Colour
): void {
  const left = Math.max(0, Math.round(x))
  const top = Math.max(0, Math.round(y))
  const right = Math.min(canvas.width, Math.round(x + width))
  const bottom = Math.min(canvas.height, Math.round(y + height))
  if (left >= right || top >= bottom) return
  for (let row = top; row < bottom; row++) canvas.y.fill(luma, row * canvas.width + left, row * canvas.width + right)
  const half = canvas.width / 2
  for (let row = top >> 1; row < (bottom + 1) >> 1; row++) {
    canvas.cb.fill(cb, row * half + (left >> 1), row * half + ((right + 1) >> 1))
    canvas.cr.fill(cr, row * half + (left >> 1), row * half + ((right + 1) >> 1))
  }
  canvas.changed.fill(1, Math.floor(top / STRIPE), Math.ceil(bottom / STRIPE))
}

/** Width of a text in pixels. */
export function textWidth(text: string, scale: number): number {
  return ([...text].length * GLYPH.advance - 1) * scale
}

/** Draws a text with its upper left corner at (x, y). */
export function drawText(canvas: Canvas, text: string, x: number, y: number, scale: number, ink: Colour): void {
  let left = x
  for (const character of text) {
    glyphOf(character).forEach((row, line) => {
      for (let dot = 0; dot < GLYPH.width; dot++)
        if (row & (1 << (GLYPH.width - 1 - dot)))
          fillRect(canvas, left + dot * scale, y + line * scale, scale, scale, ink)
    })
    left += GLYPH.advance * scale
  }
}

/** Copies whole stripes from a canvas of the same size. */
export function copyStripes(canvas: Canvas, from: Canvas, first: number, last: number): void {
  const [begin, end] = [first * STRIPE * canvas.width, (last + 1) * STRIPE * canvas.width]
  canvas.y.set(from.y.subarray(begin, end), begin)
  canvas.cb.set(from.cb.subarray(begin / 4, end / 4), begin / 4)
  canvas.cr.set(from.cr.subarray(begin / 4, end / 4), begin / 4)
  canvas.changed.fill(1, first, last + 1)
}
