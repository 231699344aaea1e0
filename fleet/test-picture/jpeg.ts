// Baseline JPEG encoder (ITU-T T.81) for a canvas. With a restart marker after each stripe, stripes do not depend on
// one another, so unchanged stripes are reused. jpeg-js takes 12 ms per image, mostly to initialise its tables; this
// encoder takes 1 to 2 ms, and less if little has changed. Luma and chroma share one pair of Huffman tables and one
// quantisation table.
import { type Canvas, STRIPE } from './canvas.ts'

/** T.81 table K.1. */
const QUANTISATION = [
  [16, 11, 10, 16, 24, 40, 51, 61],
  [12, 12, 14, 19, 26, 58, 60, 55],
  [14, 13, 16, 24, 40, 57, 69, 56],
  [14, 17, 22, 29, 51, 87, 80, 62],
  [18, 22, 37, 56, 68, 109, 103, 77],
  [24, 35, 55, 64, 81, 104, 113, 92],
  [49, 64, 78, 87, 103, 121, 120, 101],
  [72, 92, 95, 98, 112, 100, 103, 99]
].flat()
/** Factor for table K.1. One half is quality 75 of libjpeg. */
const QUANTISATION_FACTOR = 0.5

/** T.81 tables K.3 and K.5: number of codes of 1 to 16 bits, and the values in the order of their codes. */
const DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
const DC_VALUES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const AC_COUNTS = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125]
const AC_VALUES = Buffer.from(
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a43444546474849' +
    '4a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5' +
    'c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  'hex'
)

/** Index in the block of the n-th value in zigzag order. */
const ZIGZAG = zigzag()

function zigzag(): Uint8Array {
  const places: number[] = []
  for (let sum = 0; sum < 15; sum++)
    for (let step = 0; step <= sum; step++) {
      const [row, column] = sum % 2 === 0 ? [sum - step, step] : [step, sum - step]
      if (row < 8 && column < 8) places.push(row * 8 + column)
    }
  return Uint8Array.from(places)
}

/** Huffman codes by value: `code << 5 | length`. */
function huffmanCodes(counts: readonly number[], values: ArrayLike<number>): Uint32Array {
  const table = new Uint32Array(256)
  let code = 0
  let valueIndex = 0
  counts.forEach((count, index) => {
    for (let each = 0; each < count; each++) table[values[valueIndex++] as number] = (code++ << 5) | (index + 1)
    code <<= 1
  })
  return table
}

const DC = huffmanCodes(DC_COUNTS, DC_VALUES)
const AC = huffmanCodes(AC_COUNTS, AC_VALUES)
const DIVISORS = QUANTISATION.map((value) => Math.max(1, Math.round(value * QUANTISATION_FACTOR)))
const RECIPROCALS = Float32Array.from(DIVISORS, (divisor) => 1 / divisor)

/** Matrix of the discrete cosine transform: row = frequency, column = sample. */
const COSINES = Float32Array.from({ length: 64 }, (_, index) => {
  const [frequency, sample] = [index >> 3, index & 7]
  return Math.cos(((2 * sample + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5
})

/** Collects bits. A byte 0xff is followed by a zero byte (T.81 B.1.1.5). */
class BitWriter {
  // Sufficient for a stripe of noise that is 1280 pixels wide.
  readonly #bytes = Buffer.alloc(1 << 18)
  #length = 0
  #held = 0
  #count = 0

  /** @param bits at most 16 */
  put(value: number, bits: number): void {
    this.#held = (this.#held << bits) | (value & ((1 << bits) - 1))
    this.#count += bits
    while (this.#count >= 8) {
      this.#count -= 8
      const byte = (this.#held >>> this.#count) & 0xff
      this.#bytes[this.#length++] = byte
      if (byte === 0xff) this.#bytes[this.#length++] = 0
    }
    this.#held &= (1 << this.#count) - 1
  }

  /** Fills the last byte with ones, and returns and removes all bytes. */
  take(): Buffer {
    if (this.#count > 0) this.put(0xff, 8 - this.#count)
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return bytes
  }
}

const writer = new BitWriter()
const rows = new Float32Array(64)
const block = new Int16Array(64)

/** Number of bits of the absolute value. */
const size = (value: number) => 32 - Math.clz32(Math.abs(value))

/**
 * Transforms and quantises 8 by 8 samples into `block`. @returns false if all samples are equal, so that only the DC
 * coefficient is set
 */
function transform(plane: Uint8Array, offset: number, stride: number): boolean {
  const first = plane[offset] as number
  let isFlat = true
  for (let y = 0; isFlat && y < 8; y++)
    for (let x = 0; x < 8; x++)
      if (plane[offset + y * stride + x] !== first) {
        isFlat = false
        break
      }
  if (isFlat) {
    block[0] = Math.round((first - 128) * 8 * (RECIPROCALS[0] as number))
    return false
  }
  for (let y = 0; y < 8; y++) {
    const rowOffset = offset + y * stride
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let x = 0; x < 8; x++) sum += ((plane[rowOffset + x] as number) - 128) * (COSINES[u * 8 + x] as number)
      rows[y * 8 + u] = sum
    }
  }
  for (let v = 0; v < 8; v++)
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let y = 0; y < 8; y++) sum += (rows[y * 8 + u] as number) * (COSINES[v * 8 + y] as number)
      block[v * 8 + u] = Math.round(sum * (RECIPROCALS[v * 8 + u] as number))
    }
  return true
}

/** Writes the additional bits of a coefficient: negative values less one (T.81 F.1.2.1). */
function putAmount(value: number, bits: number): void {
  if (bits > 0) writer.put(value < 0 ? value - 1 : value, bits)
}

function putCode(table: Uint32Array, value: number): void {
  const entry = table[value] as number
  writer.put(entry >>> 5, entry & 31)
}

const END_OF_BLOCK = 0
const SIXTEEN_ZEROS = 0xf0

/** Writes one block. @param lastDc DC coefficient of the previous block @returns DC coefficient of this block */
function putBlock(plane: Uint8Array, offset: number, stride: number, lastDc: number): number {
  const hasAc = transform(plane, offset, stride)
  const dc = block[0] as number
  const bits = size(dc - lastDc)
  putCode(DC, bits)
  putAmount(dc - lastDc, bits)
  let zeros = 0
  if (hasAc)
    for (let index = 1; index < 64; index++) {
      const value = block[ZIGZAG[index] as number] as number
      if (value === 0) {
        zeros++
        continue
      }
      for (; zeros > 15; zeros -= 16) putCode(AC, SIXTEEN_ZEROS)
      const amount = size(value)
      putCode(AC, (zeros << 4) | amount)
      putAmount(value, amount)
      zeros = 0
    }
  if (!hasAc || zeros > 0) putCode(AC, END_OF_BLOCK)
  return dc
}

function encodeStripe({ width, y, cb, cr }: Canvas, stripe: number): Buffer {
  const half = width / 2
  let [lastY, lastCb, lastCr] = [0, 0, 0]
  for (let x = 0; x < width; x += STRIPE) {
    const lumaOffset = stripe * STRIPE * width + x
    for (const corner of [lumaOffset, lumaOffset + 8, lumaOffset + 8 * width, lumaOffset + 8 * width + 8])
      lastY = putBlock(y, corner, width, lastY)
    const chromaOffset = (stripe * STRIPE * half + x) / 2
    lastCb = putBlock(cb, chromaOffset, half, lastCb)
    lastCr = putBlock(cr, chromaOffset, half, lastCr)
  }
  return writer.take()
}

/** A marker segment. Its length field includes the field itself and the bytes. */
function segment(marker: number, ...bytes: number[]): number[] {
  return [0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes]
}

function header(width: number, height: number): Buffer {
  const word = (value: number) => [value >> 8, value & 0xff]
  // The JFIF segment declares the colour space Y'CbCr.
  const jfif = [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, ...jfif),
    ...segment(0xdb, 0, ...Array.from(ZIGZAG, (place) => DIVISORS[place] as number)),
    ...segment(0xc0, 8, ...word(height), ...word(width), 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0),
    ...segment(0xc4, 0x00, ...DC_COUNTS, ...DC_VALUES),
    ...segment(0xc4, 0x10, ...AC_COUNTS, ...AC_VALUES),
    // Restart interval: the MCUs of one stripe.
    ...segment(0xdd, ...word(width / STRIPE)),
    ...segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0)
  ])
}

const END = Buffer.from([0xff, 0xd9])
const RESTART = Array.from({ length: 8 }, (_, index) => Buffer.from([0xff, 0xd0 + index]))

/**
 * Creates an encoder for a canvas.
 * @param height height of the image in pixels; the canvas is padded to whole stripes
 * @returns function that encodes the changed stripes and returns the whole image
 */
export function createJpegEncoder(canvas: Canvas, height: number): () => Buffer {
  const start = header(canvas.width, height)
  const stripes: Buffer[] = []
  canvas.changed.fill(1)
  return () => {
    canvas.changed.forEach((changed, stripe) => {
      if (changed) stripes[stripe] = encodeStripe(canvas, stripe)
    })
    canvas.changed.fill(0)
    const between = stripes.flatMap((stripe, index) =>
      index === 0 ? [stripe] : [RESTART[(index - 1) % 8] as Buffer, stripe]
    )
    return Buffer.concat([start, ...between, END])
  }
}
