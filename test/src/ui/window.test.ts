import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ROW_HEIGHT, WINDOW_FROM, windowOf } from '../../../src/ui/window.ts'

const test = suite('window')

const even = () => ROW_HEIGHT

test('short lists are drawn as a whole', () => {
  assert.deepEqual(windowOf(WINDOW_FROM, 5000, 100, even), { first: 0, end: WINDOW_FROM, before: 0, after: 0 })
})

test('wherever one scrolls, the rows in sight are drawn and the heights add up', () => {
  for (let top = 0; top <= 1000 * ROW_HEIGHT; top += 313) {
    const { first, end, before, after } = windowOf(1000, top, 700, even)
    assert.ok(before <= top && first >= 0 && end <= 1000)
    assert.ok(end - first <= 700 / ROW_HEIGHT + 26, 'few')
    assert.ok(end === 1000 || before + (end - first) * ROW_HEIGHT >= top + 700, 'enough')
    assert.equal(before + (end - first) * ROW_HEIGHT + after, 1000 * ROW_HEIGHT)
  }
})

test('opened rows push the others down', () => {
  const heights = (index: number) => ROW_HEIGHT + (index === 3 ? 400 : 0)
  const flat = windowOf(1000, 20_000, 700, even)
  const open = windowOf(1000, 20_000, 700, heights)
  assert.ok(open.first < flat.first)
  assert.equal(open.before, open.first * ROW_HEIGHT + 400)
})

test('beyond the end the last rows are drawn', () => {
  const { first, end, after } = windowOf(1000, 9_999_999, 700, even)
  assert.ok(first < 1000)
  assert.equal(end, 1000)
  assert.equal(after, 0)
})

test.run()
