import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ProcessorWait } from '../../../engine/process/processor-wait.ts'

const test = suite('waits for the processor')

test('the share is that of the program that waits longest, over 10 s', () => {
  let seconds = 0
  const wait = new ProcessorWait((pid) => seconds * (pid === 2 ? 800 : 100))
  for (; seconds < 10; seconds += 0.5) {
    assert.equal(wait.share(), 0, 'nothing is said before 10 s are measured')
    wait.measure([1, 2], seconds * 1000)
  }
  // The first measurement has nothing to compare with.
  assert.ok(Math.abs(wait.share() - 0.8 * 0.95) < 0.001, String(wait.share()))
})

test('a program that ends, starts or cannot be read counts for nothing', () => {
  const wait = new ProcessorWait((pid) => (pid === 9 ? undefined : 5000))
  for (let count = 0; count < 20; count++) wait.measure([9, count], count * 500)
  assert.equal(wait.share(), 0)
})

test('the statistics of the scheduler are read', () => {
  const wait = new ProcessorWait()
  for (let count = 0; count < 20; count++) wait.measure([process.pid], count * 1e9)
  assert.ok(wait.share() >= 0 && wait.share() < 1)
})

test.run()
