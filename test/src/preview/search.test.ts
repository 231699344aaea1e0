import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createSearch as createWordSearch } from '../../../src/preview/search.ts'
import { bytesOf, createRandom } from '../../kit/preview/multipart.ts'

/** Searches a text that starts at any offset in memory. */
function createTestSearch(needle: Uint8Array): (text: Uint8Array, from: number, to: number) => number {
  const search = createWordSearch(needle)
  return (text, from, to) => {
    const bytes = Uint8Array.from(text)
    return search(bytes, new Int32Array(bytes.buffer, 0, bytes.length >> 2), from, to)
  }
}

const test = suite('preview search')

test('the search agrees with a simple search, in texts that resemble the needle almost everywhere', () => {
  const random = createRandom(7)
  let hits = 0
  for (let round = 0; round < 20_000; round++) {
    const letters = 2 + random(2)
    const needle = Buffer.from(Array.from({ length: 1 + random(12) }, () => random(letters)))
    const text = Buffer.from(Array.from({ length: random(80) }, () => random(letters)))
    const from = random(10)
    const to = Math.max(from, text.length - random(5))
    const want = text.subarray(0, to).indexOf(needle, from)
    assert.equal(createTestSearch(needle)(text, from, to), from > to - needle.length ? -1 : want)
    if (want >= 0) hits++
  }
  assert.ok(hits > 2000, `${hits} hits`)
})

test('the first of several occurrences is found at every offset', () => {
  const needle = bytesOf('--------------------b')
  const search = createTestSearch(needle)
  for (let offset = 0; offset < 200; offset++) {
    const text = bytesOf('-'.repeat(offset), needle, needle)
    assert.equal(search(text, 0, text.length), offset)
  }
})

test('an occurrence that reaches beyond the end is not found', () => {
  const search = createTestSearch(bytesOf('boundary'))
  const text = bytesOf('xxboundary')
  assert.equal(search(text, 0, text.length), 2)
  assert.equal(search(text, 0, text.length - 1), -1)
  assert.equal(search(text, 3, text.length), -1)
})

test.run()
