import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createRingBuffer, RING_SECONDS } from '../../../engine/stats/ring-buffer.ts'

const test = suite('ring buffer')

test('a stored value can be read, and a missing one is NaN', () => {
  const ring = createRingBuffer<'a' | 'b'>()
  assert.deepEqual([ring.newest(), ring.oldest(), ring.fields()], [undefined, undefined, []])
  assert.ok(Number.isNaN(ring.valueAt('a', 5)))
  ring.put(1000, { a: 1 })
  ring.put(1003, { a: 4, b: 7 })
  assert.deepEqual(
    [1000, 1001, 1002, 1003, 1004].map((second) => ring.valueAt('a', second)),
    [1, Number.NaN, Number.NaN, 4, Number.NaN]
  )
  assert.deepEqual([ring.valueAt('b', 1000), ring.valueAt('b', 1003)], [Number.NaN, 7])
  assert.deepEqual([ring.newest(), ring.oldest(), ring.fields()], [1003, 1000, ['a', 'b']])
})

test('the newest second can be overwritten, earlier ones cannot', () => {
  const ring = createRingBuffer<'a'>()
  ring.put(10, { a: 1 })
  ring.put(10, { a: 2 })
  ring.put(9, { a: 3 })
  assert.deepEqual([ring.valueAt('a', 9), ring.valueAt('a', 10)], [Number.NaN, 2])
})

test('the oldest second is dropped after an hour, and a pause leaves no old values', () => {
  const ring = createRingBuffer<'a'>()
  for (let second = 1; second <= RING_SECONDS + 1; second++) ring.put(second, { a: second })
  assert.ok(Number.isNaN(ring.valueAt('a', 1)))
  assert.equal(ring.valueAt('a', 2), 2)
  assert.equal(ring.oldest(), 2)
  for (const pause of [RING_SECONDS - 1, RING_SECONDS, RING_SECONDS + 1, 10 * RING_SECONDS]) {
    const [from, to] = [ring.newest() ?? 0, (ring.newest() ?? 0) + pause]
    ring.put(to, { a: 1 })
    for (let second = to - RING_SECONDS + 1; second < to; second++)
      assert.equal(Number.isNaN(ring.valueAt('a', second)), second !== from, `${second} after a pause of ${pause}`)
  }
})

test('the buffers of eighty legs with all fields use less than 30 MB', () => {
  const before = process.memoryUsage().arrayBuffers
  const rings = Array.from({ length: 80 }, () => createRingBuffer<string>())
  for (const ring of rings) ring.put(1, { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 })
  const usedBytes = process.memoryUsage().arrayBuffers - before
  assert.ok(usedBytes < 30e6, `${usedBytes} bytes for ${rings.length}`)
})

test.run()
