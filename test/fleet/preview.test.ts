import * as assert from 'node:assert/strict'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { previewFps, sendPreviews } from '../../fleet/preview.ts'
import { until } from '../kit/until.ts'

const test = suite('preview')
test.before.each(() => mock.timers.enable({ apis: ['setInterval'] }))
test.after.each(() => mock.timers.reset())
const scene = () => ({ name: 'x', signal: true, time: Date.now() })

test('a slow reader receives fewer images, never outdated ones', async () => {
  const chunks: Buffer[] = []
  let release: (() => void) | undefined
  const out = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      chunks.push(chunk)
      release = done
    }
  })
  sendPreviews(out, { sn: 'A', width: 320, fps: 15, scene })
  mock.timers.tick(1000)
  assert.equal(chunks.length, 1)
  assert.ok(out.writableLength < 64_000, String(out.writableLength))
  release?.()
  await until(() => !out.writableNeedDrain, 'the reader has read')
  mock.timers.tick(1000)
  assert.equal(chunks.length, 2)
  out.destroy()
})

test('each image is preceded by its length', async () => {
  const chunks: Buffer[] = []
  const out = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk)
      done()
    }
  })
  sendPreviews(out, { sn: 'A', width: 320, fps: 15, scene })
  mock.timers.tick(1000)
  assert.ok(chunks.length > 2)
  for (const chunk of chunks) {
    assert.equal(chunk.readUInt32BE(0), chunk.length - 4)
    assert.deepEqual([...chunk.subarray(4, 7)], [0xff, 0xd8, 0xff])
  }
  out.destroy()
  await once(out, 'close')
  const { length } = chunks
  mock.timers.tick(1000)
  assert.equal(chunks.length, length)
})

test('an invalid number of images per second is replaced or limited', () => {
  assert.deepEqual([2, 0, -1, Number.NaN, 1000, 0.001].map(previewFps), [2, 2, 2, 2, 15, 0.2])
})

test.run()
