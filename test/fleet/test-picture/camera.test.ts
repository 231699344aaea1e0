import * as assert from 'node:assert/strict'
import { decode } from 'jpeg-js'
import { suite } from 'uvu'
import { createCamera, previewWidth } from '../../../fleet/test-picture/camera.ts'

const test = suite('camera')
const NOON = new Date(2026, 4, 1, 12, 0, 0).getTime()
const scene = { name: 'Main Hall PTZ', signal: true, time: NOON }

test('a picture is 320 by 180 and small', () => {
  const jpeg = createCamera('B313210600123', 320)(scene)
  const { width, height } = decode(jpeg, { useTArray: true })
  assert.deepEqual([width, height], [320, 180])
  assert.ok(jpeg.length < 16_000, String(jpeg.length))
})

test('the picture changes with the time, the name and the signal', () => {
  const takePicture = createCamera('B313210600123', 320)
  const first = takePicture(scene)
  assert.notDeepEqual(takePicture({ ...scene, time: NOON + 1000 }), first)
  assert.notDeepEqual(takePicture({ ...scene, name: 'Chapel' }), first)
  assert.notDeepEqual(takePicture({ ...scene, signal: false }), first)
  assert.deepEqual(takePicture(scene), first)
})

test('two devices have different pictures, and the same device always the same', () => {
  const [firstImage, secondImage] = [
    createCamera('B313210600123', 320)(scene),
    createCamera('A302210600151', 320)(scene)
  ]
  assert.notDeepEqual(firstImage, secondImage)
  assert.deepEqual(createCamera('B313210600123', 320)(scene), firstImage)
})

test('the clock and the moving bar do not change other parts of the picture', () => {
  const takePicture = createCamera('B401210600144', 320)
  const lines = (jpeg: Buffer, from: number, to: number) =>
    decode(jpeg, { useTArray: true }).data.slice(from * 320 * 4, to * 320 * 4)
  const [first, second] = [takePicture(scene), takePicture({ ...scene, time: NOON + 1000 })]
  assert.deepEqual(lines(first, 0, 56), lines(second, 0, 56))
  assert.deepEqual(lines(first, 160, 180), lines(second, 160, 180))
  assert.notDeepEqual(lines(first, 64, 92), lines(second, 64, 92))
  assert.notDeepEqual(lines(first, 128, 144), lines(second, 128, 144))
})

test('any requested width gives a picture', () => {
  for (const [requested, used] of [
    [320, 320],
    [0, 320],
    [Number.NaN, 320],
    [-5, 320],
    [1, 160],
    [500, 496],
    [1e9, 1280]
  ] as const) {
    assert.equal(previewWidth(requested), used)
    const { width, height } = decode(createCamera('x', used)({ ...scene, name: 'x'.repeat(200) }), { useTArray: true })
    assert.deepEqual([width, height], [used, Math.round((used * 9) / 16)])
  }
})

test('a picture takes less than 6 ms', () => {
  const takePicture = createCamera('B313210600123', 320)
  for (let index = 0; index < 20; index++) takePicture({ ...scene, time: NOON + index * 500 })
  const { user } = process.cpuUsage()
  for (let index = 0; index < 50; index++) takePicture({ ...scene, time: NOON + index * 500 })
  const each = (process.cpuUsage().user - user) / 50_000
  assert.ok(each < 6, `${each} ms`)
})

test.run()
