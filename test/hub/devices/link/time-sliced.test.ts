import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createTimeSlicedQueue } from '../../../../hub/devices/link/time-sliced.ts'

const test = suite('time-sliced queue')

/** Blocks the thread. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('tasks run in order, and other events are handled in between', async () => {
  const enqueue = createTimeSlicedQueue(5)
  const done: number[] = []
  for (let n = 0; n < 50; n++)
    enqueue(() => {
      block(2)
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

test('tasks added by a task, or after the queue was empty, also run', async () => {
  const enqueue = createTimeSlicedQueue()
  const done: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  enqueue(() => {
    done.push('one')
    enqueue(() => done.push('two'))
  })
  setTimeout(() => enqueue(() => resolve(void done.push('three'))), 5)
  await promise
  assert.deepEqual(done, ['one', 'two', 'three'])
})

test.run()
