// A picture in the form in which JPEG takes it: brightness for each dot, colour for each square of four. Knows which stripes were
// drawn on since they were last encoded.
import { GLYPH, glyphOf } from './font.ts'

/** Height of a stripe and width of a block of JPEG with colour at half the resolution. */
export const STRIPE = 16

/** Brightness and the two colour differences, 0-255; without colour the latter are 128. */
export type Colour = readonly [y: number, cb: number, cr: number]

export const BLACK: Colour = [16, 128, 128]
export const WHITE: Colour = [235, 128, 128]

/** @param hue degrees @param light brightness 0-255 @param strength of the colour, 0 to 1 */
export function colour(hue: number, light: number, strength: number): Colour {
  const angle = (hue * Math.PI) / 180
  return [light, Math.round(128 + Math.cos(angle) * 100 * strength), Math.round(128 + Math.sin(angle) * 100 * strength)]
}

export interface Canvas {
  /** Multiples of 16; the picture itself may be a little less high. */
  readonly width: number
  readonly height: number
  readonly y: Uint8Array
  readonly cb: Uint8Array
  readonly cr: Uint8Array
  /** A 1 for each stripe that changed. */
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

/** Fills a rectangle; what lies outside the canvas is left out. */
export function fill(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  [light, cb, cr]: Colour
): void {
  const left = Math.max(0, Math.round(x))
  const top = Math.max(0, Math.round(y))
  const right = Math.min(canvas.width, Math.round(x + width))
  const bottom = Math.min(canvas.height, Math.round(y + height))
  if (left >= right || top >= bottom) return
  for (let row = top; row < bottom; row++) canvas.y.fill(light, row * canvas.width + left, row * canvas.width + right)
  const half = canvas.width / 2
  for (let row = top >> 1; row < (bottom + 1) >> 1; row++) {
    canvas.cb.fill(cb, row * half + (left >> 1), row * half + ((right + 1) >> 1))
    canvas.cr.fill(cr, row * half + (left >> 1), row * half + ((right + 1) >> 1))
  }
  canvas.changed.fill(1, Math.floor(top / STRIPE), Math.ceil(bottom / STRIPE))
}

/** Dots that a text is wide. */
export function textWidth(text: string, scale: number): number {
  return ([...text].length * GLYPH.advance - 1) * scale
}

/** Writes text with its upper left corner at a place. */
export function write(canvas: Canvas, text: string, x: number, y: number, scale: number, ink: Colour): void {
  let left = x
  for (const character of text) {
    glyphOf(character).forEach((row, line) => {
      for (let dot = 0; dot < GLYPH.width; dot++)
        if (row & (1 << (GLYPH.width - 1 - dot))) fill(canvas, left + dot * scale, y + line * scale, scale, scale, ink)
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
