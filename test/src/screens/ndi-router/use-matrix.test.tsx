import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { shareUnchanged } from '../../../../src/screens/ndi-router/use-matrix.ts'

const test = suite('structural sharing')

const matrix = () => ({
  id: 1,
  undo: { at: 5 },
  list: [
    { source: 1, by: 'Admin' },
    { source: 2, by: 'Otto' }
  ]
})

test('an equal value is the previous object', () => {
  const previous = matrix()
  assert.ok(shareUnchanged(previous, matrix()) === previous)
})

test('unchanged parts of a response keep their identity', () => {
  const previous = matrix()
  const next = matrix()
  next.list[1] = { source: 7, by: 'Otto' }
  const shared = shareUnchanged(previous, next)
  assert.deepEqual(shared, next)
  assert.ok(shared !== previous && shared.list !== previous.list)
  assert.ok(shared.list[0] === previous.list[0] && shared.undo === previous.undo)
  assert.ok(shared.list[1] !== previous.list[1])
})

test('added and removed parts are not lost', () => {
  const { undo: _, ...without } = matrix()
  assert.deepEqual(shareUnchanged(matrix(), without), without)
  assert.deepEqual(shareUnchanged(without, matrix()), matrix())
  assert.deepEqual(shareUnchanged({ list: [1, 2, 3] }, { list: [1, 2] }), { list: [1, 2] })
  assert.deepEqual(shareUnchanged({ list: [] }, { list: {} }), { list: {} })
  assert.deepEqual(shareUnchanged(undefined, { a: null }), { a: null })
})

test.run()
