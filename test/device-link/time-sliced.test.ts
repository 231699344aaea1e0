import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createTimeSlicedQueue } from '../../device-link/time-sliced.ts'
import { until } from '../kit/until.ts'

const test = suite('time-sliced queue')

/** Blocks the thread. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('tasks run in order, and other events are handled in between', async () => {
  const enqueue = createTimeSlicedQueue(5)
  const completedJobs: number[] = []
  for (let n = 0; n < 50; n++)
    enqueue(() => {
      block(2)
      completedJobs.push(n)
    })
  let turns = 0
  while (completedJobs.length < 50) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  assert.deepEqual(
    completedJobs,
    Array.from({ length: 50 }, (_, n) => n)
  )
  assert.ok(turns >= 10, `${turns} turns`)
})

test('tasks added by a task, or after the queue was empty, also run', async () => {
  const enqueue = createTimeSlicedQueue()
  const completedJobs: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  enqueue(() => {
    completedJobs.push('one')
    enqueue(() => completedJobs.push('two'))
  })
  await until(() => completedJobs.length === 2, 'the queue is empty')
  enqueue(() => resolve(void completedJobs.push('three')))
  await promise
  assert.deepEqual(completedJobs, ['one', 'two', 'three'])
})

test.run()
