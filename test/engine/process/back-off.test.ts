import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createBackOff } from '../../../engine/process/back-off.ts'

const test = suite('back-off')

test('the delay doubles from half a second to four seconds', () => {
  const backOff = createBackOff()
  const delays = Array.from({ length: 8 }, () => backOff.nextDelay(0))
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 4000, 4000, 4000, 4000])
})

test('a run of at least ten seconds resets the delay', () => {
  const backOff = createBackOff()
  for (let tries = 0; tries < 3; tries++) backOff.nextDelay(0)
  assert.equal(backOff.nextDelay(9999), 4000)
  assert.equal(backOff.nextDelay(10_000), 500)
  assert.equal(backOff.nextDelay(0), 1000)
})

test('reset starts again with the shortest delay', () => {
  const backOff = createBackOff()
  backOff.nextDelay(0)
  backOff.nextDelay(0)
  backOff.reset()
  assert.equal(backOff.nextDelay(0), 500)
})

test.run()
