import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createSampleRecorder } from '../../../hub/devices/samples.ts'

const test = suite('samples')

test('the latest 24 samples are kept, oldest first', () => {
  const record = createSampleRecorder()
  let last = record({ status: {}, warns: 0, cpu: 0 })
  for (let value = 1; value < 30; value++)
    last = record({ status: {}, warns: 0, cpu: value, rx: value * 10, tx: value })
  assert.deepEqual(
    last.status.cpu,
    Array.from({ length: 24 }, (_, index) => index + 6)
  )
  assert.deepEqual(last.status['eth-rx']?.slice(-2), [280, 290])
  assert.equal(last.status['eth-tx']?.length, 24)
})

test('a value that is not measured has no samples, and earlier observations do not change', () => {
  const record = createSampleRecorder()
  const first = record({ name: 'a', status: { eth: '192.0.2.1' }, warns: 1, input: 'x', cpu: 5 })
  assert.deepEqual(first, { name: 'a', status: { eth: '192.0.2.1', cpu: [5] }, warns: 1, input: 'x' })
  assert.deepEqual(record({ status: {}, warns: 0, cpu: 6 }).status, { cpu: [5, 6] })
  assert.deepEqual(record({ status: {}, warns: 0 }).status, { cpu: [5, 6] })
  assert.deepEqual(first.status.cpu, [5])
})

test.run()
