import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { computeWindow, ROW_HEIGHT, VIRTUAL_FROM } from '../../../../src/ui/table/virtual-list.ts'

const test = suite('virtual list')

/** Rows of a table. */
const rowsIn = (count: number, top: number, height: number) => computeWindow(count, top, height, ROW_HEIGHT, 1)

test('short lists are rendered completely', () => {
  assert.deepEqual(rowsIn(VIRTUAL_FROM, 5000, 100), { first: 0, end: VIRTUAL_FROM, before: 0, after: 0 })
})

test('at any scroll position the visible rows are rendered and the heights add up', () => {
  for (let top = 0; top <= 1000 * ROW_HEIGHT; top += 313) {
    const { first, end, before, after } = rowsIn(1000, top, 700)
    assert.ok(before <= top && first >= 0 && end <= 1000)
    assert.ok(end - first <= 700 / ROW_HEIGHT + 26, 'few')
    assert.ok(end === 1000 || before + (end - first) * ROW_HEIGHT >= top + 700, 'enough')
    assert.equal(before + (end - first) * ROW_HEIGHT + after, 1000 * ROW_HEIGHT)
  }
})

test('tiles are rendered in whole lines', () => {
  const { first, end, before, after } = computeWindow(1001, 30_000, 700, 200, 4)
  assert.equal(first % 4, 0)
  assert.ok(before === (first / 4) * 200 && before <= 30_000 - 200)
  assert.ok(before + ((end - first) / 4) * 200 >= 30_700)
  assert.equal(before + Math.ceil((end - first) / 4) * 200 + after, 251 * 200)
})

test('beyond the end the last rows are rendered', () => {
  const { first, end, after } = rowsIn(1000, 9_999_999, 700)
  assert.ok(first < 1000)
  assert.equal(end, 1000)
  assert.equal(after, 0)
})

test.run()
