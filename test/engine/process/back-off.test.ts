import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createBackOff } from '../../../engine/process/back-off.ts'

const test = suite('back-off')

test('the pause doubles from half a second to five', () => {
  const backOff = createBackOff()
  const pauses = Array.from({ length: 8 }, () => backOff.failed(0))
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 5000, 5000, 5000, 5000])
})

test('ten seconds of a good run begin anew, less do not', () => {
  const backOff = createBackOff()
  for (let tries = 0; tries < 3; tries++) backOff.failed(0)
  assert.equal(backOff.failed(9999), 4000)
  assert.equal(backOff.failed(10_000), 500)
  assert.equal(backOff.failed(0), 1000)
})

test('a reset begins anew', () => {
  const backOff = createBackOff()
  backOff.failed(0)
  backOff.failed(0)
  backOff.reset()
  assert.equal(backOff.failed(0), 500)
})

test.run()
