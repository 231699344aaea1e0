import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createRing, RING_SECONDS } from '../../../engine/stats/ring-buffer.ts'

const test = suite('ring')

test('what was put is there, and what was not is nothing', () => {
  const ring = createRing<'a' | 'b'>()
  assert.deepEqual([ring.newest(), ring.oldest(), ring.fields()], [undefined, undefined, []])
  assert.ok(Number.isNaN(ring.at('a', 5)))
  ring.put(1000, { a: 1 })
  ring.put(1003, { a: 4, b: 7 })
  assert.deepEqual(
    [1000, 1001, 1002, 1003, 1004].map((second) => ring.at('a', second)),
    [1, Number.NaN, Number.NaN, 4, Number.NaN]
  )
  assert.deepEqual([ring.at('b', 1000), ring.at('b', 1003)], [Number.NaN, 7])
  assert.deepEqual([ring.newest(), ring.oldest(), ring.fields()], [1003, 1000, ['a', 'b']])
})

test('a second that is over is not written again; one that runs is', () => {
  const ring = createRing<'a'>()
  ring.put(10, { a: 1 })
  ring.put(10, { a: 2 })
  ring.put(9, { a: 3 })
  assert.deepEqual([ring.at('a', 9), ring.at('a', 10)], [Number.NaN, 2])
})

test('after an hour the oldest second falls out, and a pause of any length leaves nothing of before', () => {
  const ring = createRing<'a'>()
  for (let second = 1; second <= RING_SECONDS + 1; second++) ring.put(second, { a: second })
  assert.ok(Number.isNaN(ring.at('a', 1)))
  assert.equal(ring.at('a', 2), 2)
  assert.equal(ring.oldest(), 2)
  for (const pause of [RING_SECONDS - 1, RING_SECONDS, RING_SECONDS + 1, 10 * RING_SECONDS]) {
    const [from, to] = [ring.newest() ?? 0, (ring.newest() ?? 0) + pause]
    ring.put(to, { a: 1 })
    for (let second = to - RING_SECONDS + 1; second < to; second++)
      assert.equal(Number.isNaN(ring.at('a', second)), second !== from, `${second} after a pause of ${pause}`)
  }
})

test('eighty legs with all that can be measured take less than 30 MB', () => {
  const before = process.memoryUsage().arrayBuffers
  const rings = Array.from({ length: 80 }, () => createRing<string>())
  for (const ring of rings) ring.put(1, { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 })
  const taken = process.memoryUsage().arrayBuffers - before
  assert.ok(taken < 30e6, `${taken} bytes for ${rings.length}`)
})

test.run()
