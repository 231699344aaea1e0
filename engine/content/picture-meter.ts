// Measures raw pictures: whether they are black, and whether they differ from the ones before.

/** Size to which pictures are scaled. */
export const WIDTH = 128
export const HEIGHT = 72
const PIXELS = WIDTH * HEIGHT
/** Bytes of a picture in yuv420p. */
const PICTURE_BYTES = (PIXELS * 3) / 2
/** Highest luma of a black pixel, 10 % of the range, and the share of such pixels in a black picture. */
const BLACK_LUMA = 38
const BLACK_SHARE = 0.98
/** Width and height of the blocks that are compared. */
const BLOCK = 8
/** Mean difference of a block's luma from which it shows something else, and not only the noise of an encoder. */
const CHANGED_LUMA = 5

/** What a picture shows. */
export interface PictureSample {
  isBlack: boolean
  /** Whether it differs from the pictures before; undefined for the first one. */
  hasChanged: boolean | undefined
}

/** Splits raw video into pictures, and measures each. */
export class PictureMeter {
  readonly #onPicture: (sample: PictureSample) => void
  readonly #picture = Buffer.alloc(PICTURE_BYTES)
  #bytes = 0
  /** Luma of the first of the pictures that look the same. */
  #reference: Buffer | undefined

  constructor(onPicture: (sample: PictureSample) => void) {
    this.#onPicture = onPicture
  }

  /** Another process follows, whose pictures are compared with those before. */
  restart(): void {
    this.#bytes = 0
  }

  /** Takes bytes cut at any position. */
  push(chunk: Buffer): void {
    for (let offset = 0; offset < chunk.length; ) {
      const copied = chunk.copy(this.#picture, this.#bytes, offset)
      offset += copied
      this.#bytes += copied
      if (this.#bytes === PICTURE_BYTES) this.#measure()
    }
  }

  #measure(): void {
    this.#bytes = 0
    const luma = this.#picture.subarray(0, PIXELS)
    const reference = this.#reference
    const hasChanged = reference && isChanged(reference, luma)
    if (hasChanged !== false) this.#reference = Buffer.from(luma)
    this.#onPicture({ isBlack: isBlack(luma), hasChanged })
  }
}

function isBlack(luma: Buffer): boolean {
  let count = 0
  for (const value of luma) if (value <= BLACK_LUMA) count++
  return count >= BLACK_SHARE * PIXELS
}

/** Whether any block differs. */
function isChanged(before: Buffer, after: Buffer): boolean {
  for (let top = 0; top < HEIGHT; top += BLOCK)
    for (let left = 0; left < WIDTH; left += BLOCK)
      if (blockDifference(before, after, top * WIDTH + left) >= CHANGED_LUMA * BLOCK * BLOCK) return true
  return false
}

/** Sum of the differences of a block. @param start offset of its first pixel */
function blockDifference(before: Buffer, after: Buffer, start: number): number {
  let sum = 0
  for (let row = start; row < start + BLOCK * WIDTH; row += WIDTH)
    for (let pixel = row; pixel < row + BLOCK; pixel++) sum += Math.abs((before[pixel] ?? 0) - (after[pixel] ?? 0))
  return sum
}
