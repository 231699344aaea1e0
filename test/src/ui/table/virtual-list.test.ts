import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ROW_HEIGHT, WINDOW_FROM, windowOf } from '../../../../src/ui/table/virtual-list.ts'

const test = suite('window')

/** Rows of a table. */
const rowsIn = (count: number, top: number, height: number) => windowOf(count, top, height, ROW_HEIGHT, 1)

test('short lists are drawn as a whole', () => {
  assert.deepEqual(rowsIn(WINDOW_FROM, 5000, 100), { first: 0, end: WINDOW_FROM, before: 0, after: 0 })
})

test('wherever one scrolls, the rows in sight are drawn and the heights add up', () => {
  for (let top = 0; top <= 1000 * ROW_HEIGHT; top += 313) {
    const { first, end, before, after } = rowsIn(1000, top, 700)
    assert.ok(before <= top && first >= 0 && end <= 1000)
    assert.ok(end - first <= 700 / ROW_HEIGHT + 26, 'few')
    assert.ok(end === 1000 || before + (end - first) * ROW_HEIGHT >= top + 700, 'enough')
    assert.equal(before + (end - first) * ROW_HEIGHT + after, 1000 * ROW_HEIGHT)
  }
})

test('tiles are drawn in whole lines', () => {
  const { first, end, before, after } = windowOf(1001, 30_000, 700, 200, 4)
  assert.equal(first % 4, 0)
  assert.ok(before === (first / 4) * 200 && before <= 30_000 - 200)
  assert.ok(before + ((end - first) / 4) * 200 >= 30_700)
  assert.equal(before + Math.ceil((end - first) / 4) * 200 + after, 251 * 200)
})

test('beyond the end the last rows are drawn', () => {
  const { first, end, after } = rowsIn(1000, 9_999_999, 700)
  assert.ok(first < 1000)
  assert.equal(end, 1000)
  assert.equal(after, 0)
})

test.run()
