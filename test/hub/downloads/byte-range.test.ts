import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { requestedRange } from '../../../hub/downloads/byte-range.ts'

const test = suite('byte range')

const SIZE = 1000
const rangeOf = (range: string | null, ifRange: string | null = null) =>
  requestedRange({ range, ifRange }, SIZE, '"v1"')

test('a range has its first and last byte, or goes to the end', () => {
  assert.deepEqual(rangeOf('bytes=0-0'), { start: 0, end: 0 })
  assert.deepEqual(rangeOf('bytes=100-199'), { start: 100, end: 199 })
  assert.deepEqual(rangeOf('bytes=100-'), { start: 100, end: 999 })
  assert.deepEqual(rangeOf('bytes=999-5000'), { start: 999, end: 999 })
})

test('a suffix is counted from the end', () => {
  assert.deepEqual(rangeOf('bytes=-1'), { start: 999, end: 999 })
  assert.deepEqual(rangeOf('bytes=-5000'), { start: 0, end: 999 })
})

test('a range beyond the end and an empty one are unsatisfiable', () => {
  assert.equal(rangeOf('bytes=1000-'), 'unsatisfiable')
  assert.equal(rangeOf('bytes=-0'), 'unsatisfiable')
  assert.equal(requestedRange({ range: 'bytes=0-', ifRange: null }, 0, '"v1"'), 'unsatisfiable')
})

test('without a range, with several, and with a malformed one, the whole file is sent', () => {
  for (const header of [
    null,
    '',
    'bytes=-',
    'bytes=0-1,5-6',
    'bytes=9-1',
    'bytes=a-b',
    'lines=0-1',
    'bytes=0-1\r\nX: y'
  ])
    assert.equal(rangeOf(header), undefined, String(header))
})

test('a client with a part of another file gets the whole one', () => {
  assert.deepEqual(rangeOf('bytes=5-', '"v1"'), { start: 5, end: 999 })
  assert.equal(rangeOf('bytes=5-', '"v0"'), undefined)
  assert.equal(rangeOf('bytes=5-', 'Mon, 23 Nov 2026 10:00:00 GMT'), undefined)
})

test.run()
