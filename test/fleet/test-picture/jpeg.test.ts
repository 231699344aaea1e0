import * as assert from 'node:assert/strict'
import { decode } from 'jpeg-js'
import { suite } from 'uvu'
import { type Colour, colour, createCanvas, fill, textWidth, write } from '../../../fleet/test-picture/canvas.ts'
import { glyphOf } from '../../../fleet/test-picture/font.ts'
import { createJpeg } from '../../../fleet/test-picture/jpeg.ts'

const test = suite('jpeg')

/** Largest difference of brightness between the canvas and the decoded picture, and its mean. */
function difference(canvas: ReturnType<typeof createCanvas>, jpeg: Buffer, height: number) {
  const { data, width } = decode(jpeg, { useTArray: true })
  let [largest, sum] = [0, 0]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      const off = Math.abs(0.299 * red + 0.587 * green + 0.114 * blue - (canvas.y[y * canvas.width + x] as number))
      largest = Math.max(largest, off)
      sum += off
    }
  return { largest, mean: sum / (width * height) }
}

test('a picture is decoded as it was drawn, also where its height is no multiple of a stripe', () => {
  const canvas = createCanvas(320, 180)
  const encode = createJpeg(canvas, 180)
  for (let x = 0; x < 320; x += 4) fill(canvas, x, 0, 4, 180, [20 + x / 2, 128, 128])
  write(canvas, 'Headend 0123', 20, 40, 3, [235, 128, 128])
  const jpeg = encode()
  const picture = decode(jpeg, { useTArray: true })
  assert.deepEqual([picture.width, picture.height], [320, 180])
  const { largest, mean } = difference(canvas, jpeg, 180)
  assert.ok(mean < 2 && largest < 60, `mean ${mean}, largest ${largest}`)
})

test('colours come out as they went in', () => {
  const canvas = createCanvas(32, 32)
  const shade: Colour = colour(200, 120, 0.6)
  fill(canvas, 0, 0, 32, 32, shade)
  const { data } = decode(createJpeg(canvas, 32)(), { useTArray: true })
  const [red = 0, green = 0, blue = 0] = data
  const cb = 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue
  const cr = 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue
  for (const [index, value] of [0.299 * red + 0.587 * green + 0.114 * blue, cb, cr].entries())
    assert.ok(Math.abs(value - (shade[index] as number)) < 6, `${index}: ${value} for ${shade[index]}`)
})

/** The same noise each time; `hard` has nothing but black and white. */
function noise(plane: Uint8Array, seed: number, hard: boolean): void {
  let state = seed
  for (let index = 0; index < plane.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    plane[index] = hard ? (state >>> 31) * 255 : state >>> 24
  }
}

test('noise, the hardest picture there is, comes out as it went in', () => {
  for (const hard of [false, true]) {
    const canvas = createCanvas(640, 64)
    noise(canvas.y, 1, hard)
    const { mean } = difference(canvas, createJpeg(canvas, 64)(), 64)
    assert.ok(mean < 15, String(mean))
    noise(canvas.cb, 2, hard)
    noise(canvas.cr, 3, hard)
    assert.equal(decode(createJpeg(canvas, 64)(), { useTArray: true }).width, 640)
  }
})

test('what is taken over from the picture before is byte for byte what encoding it anew gives', () => {
  const canvas = createCanvas(320, 180)
  const encode = createJpeg(canvas, 180)
  encode()
  fill(canvas, 100, 70, 60, 5, [200, 90, 160])
  const partly = encode()
  canvas.changed.fill(1)
  assert.deepEqual(encode(), partly)
})

test('each printable character has a picture of its own, and any other is a box', () => {
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
