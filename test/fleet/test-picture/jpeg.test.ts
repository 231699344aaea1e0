import * as assert from 'node:assert/strict'
import { decode } from 'jpeg-js'
import { suite } from 'uvu'
import { type Colour, colour, createCanvas, drawText, fillRect, textWidth } from '../../../fleet/test-picture/canvas.ts'
import { glyphOf } from '../../../fleet/test-picture/font.ts'
import { createJpegEncoder } from '../../../fleet/test-picture/jpeg.ts'

const test = suite('jpeg')

/** Largest and mean difference of luma between the canvas and the decoded image. */
function difference(canvas: ReturnType<typeof createCanvas>, jpeg: Buffer, height: number) {
  const { data, width } = decode(jpeg, { useTArray: true })
  let [largest, sum] = [0, 0]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const offset = (y * width + x) * 4
      const [red = 0, green = 0, blue = 0] = data.subarray(offset, offset + 3)
      const delta = Math.abs(0.299 * red + 0.587 * green + 0.114 * blue - (canvas.y[y * canvas.width + x] as number))
      largest = Math.max(largest, delta)
      sum += delta
    }
  return { largest, mean: sum / (width * height) }
}

test('an image is decoded as it was drawn, also if its height is not a multiple of the stripe height', () => {
  const canvas = createCanvas(320, 180)
  const encode = createJpegEncoder(canvas, 180)
  for (let x = 0; x < 320; x += 4) fillRect(canvas, x, 0, 4, 180, [20 + x / 2, 128, 128])
  drawText(canvas, 'Headend 0123', 20, 40, 3, [235, 128, 128])
  const jpeg = encode()
  const image = decode(jpeg, { useTArray: true })
  assert.deepEqual([image.width, image.height], [320, 180])
  const { largest, mean } = difference(canvas, jpeg, 180)
  assert.ok(mean < 2 && largest < 60, `mean ${mean}, largest ${largest}`)
})

test('colours are decoded as they were drawn', () => {
  const canvas = createCanvas(32, 32)
  const shade: Colour = colour(200, 120, 0.6)
  fillRect(canvas, 0, 0, 32, 32, shade)
  const { data } = decode(createJpegEncoder(canvas, 32)(), { useTArray: true })
  const [red = 0, green = 0, blue = 0] = data
  const cb = 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue
  const cr = 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue
  for (const [index, value] of [0.299 * red + 0.587 * green + 0.114 * blue, cb, cr].entries())
    assert.ok(Math.abs(value - (shade[index] as number)) < 6, `${index}: ${value} for ${shade[index]}`)
})

/** Fills a plane with reproducible noise. @param blackAndWhite only values 0 and 255 */
function noise(plane: Uint8Array, seed: number, blackAndWhite: boolean): void {
  let state = seed
  for (let index = 0; index < plane.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    plane[index] = blackAndWhite ? (state >>> 31) * 255 : state >>> 24
  }
}

test('noise is decoded as it was drawn', () => {
  for (const blackAndWhite of [false, true]) {
    const canvas = createCanvas(640, 64)
    noise(canvas.y, 1, blackAndWhite)
    const { mean } = difference(canvas, createJpegEncoder(canvas, 64)(), 64)
    assert.ok(mean < 15, String(mean))
    noise(canvas.cb, 2, blackAndWhite)
    noise(canvas.cr, 3, blackAndWhite)
    assert.equal(decode(createJpegEncoder(canvas, 64)(), { useTArray: true }).width, 640)
  }
})

test('reused stripes are identical to newly encoded ones', () => {
  const canvas = createCanvas(320, 180)
  const encode = createJpegEncoder(canvas, 180)
  encode()
  fillRect(canvas, 100, 70, 60, 5, [200, 90, 160])
  const partly = encode()
  canvas.changed.fill(1)
  assert.deepEqual(encode(), partly)
})

test('each printable character has its own glyph, and any other is a box', () => {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  const shapes = new Set(printable.map((character) => glyphOf(character).join()))
  assert.equal(shapes.size, 95)
  for (const character of printable) {
    assert.equal(glyphOf(character).length, 7)
    assert.ok(
      glyphOf(character).every((row) => row >= 0 && row < 32),
      character
    )
  }
  for (const character of ['é', '漢', '\n', '\x7f', '🎥']) assert.deepEqual(glyphOf(character), glyphOf('\u0000'))
  assert.equal(textWidth('🎥a', 2), 22)
})

test.run()
