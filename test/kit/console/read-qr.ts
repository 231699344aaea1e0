// Decodes a QR code with an independent library.
import decode from 'qr/decode.js'

/** Width of the quiet zone in modules, and of a module in pixels. */
const QUIET = 4
const PIXELS = 4

/**
 * @param path SVG path of the dark modules, adjacent ones as one rectangle @param size modules per side @returns the
 * text
 */
export function readQr(path: string, size: number): string {
  const width = (size + 2 * QUIET) * PIXELS
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = 0; row < PIXELS; row++) {
      const offset = ((Number(y) + QUIET) * PIXELS + row) * width + (Number(x) + QUIET) * PIXELS
      for (let pixel = offset; pixel < offset + Number(length) * PIXELS; pixel++) data.fill(0, pixel * 4, pixel * 4 + 3)
    }
  return decode({ width, height: width, data })
}
