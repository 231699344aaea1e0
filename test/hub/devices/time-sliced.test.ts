import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createBitByBit } from '../../../hub/devices/time-sliced.ts'

const test = suite('bit by bit')

/** Keeps the thread for so many milliseconds. */
function toil(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('a flood is done in order, and who waits for something else gets turns in between', async () => {
  const soon = createBitByBit(5)
  const done: number[] = []
  for (let n = 0; n < 50; n++)
    soon(() => {
      toil(2)
      done.push(n)
    })
  let turns = 0
  while (done.length < 50) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  assert.deepEqual(
    done,
    Array.from({ length: 50 }, (_, n) => n)
  )
  assert.ok(turns >= 10, `${turns} turns`)
})

test('what comes while work is done, or after it, is done too', async () => {
  const soon = createBitByBit()
  const done: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  soon(() => {
    done.push('one')
    soon(() => done.push('two'))
  })
  setTimeout(() => soon(() => resolve(void done.push('three'))), 5)
  await promise
  assert.deepEqual(done, ['one', 'two', 'three'])
})

test.run()
