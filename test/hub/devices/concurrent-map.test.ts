import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { concurrentMap } from '../../../hub/devices/concurrent-map.ts'

const test = suite('concurrent map')
const CONCURRENCY = { limit: 3, startWithin: 60_000 }
const failIfLate = () => {
  throw new Error('the item was started in time')
}

test('at most `limit` items are processed at a time, and the results are in the order of the items', async () => {
  let running = 0
  let maxConcurrent = 0
  const items = Array.from({ length: 20 }, (_, index) => index)
  const results = await concurrentMap(
    items,
    CONCURRENCY,
    async (item) => {
      maxConcurrent = Math.max(maxConcurrent, ++running)
      for (let turn = 0; turn <= item % 4; turn++) await new Promise((resolve) => setImmediate(resolve))
      running--
      return item * 2
    },
    failIfLate
  )
  assert.equal(maxConcurrent, 3)
  assert.deepEqual(
    results,
    items.map((item) => item * 2)
  )
  assert.deepEqual(await concurrentMap([], CONCURRENCY, failIfLate, failIfLate), [])
})

test('an item that does not finish holds up one lane only', async () => {
  const completedItems: number[] = []
  let release = () => {}
  const mapped = concurrentMap(
    [0, 1, 2, 3, 4, 5],
    { limit: 2, startWithin: 60_000 },
    async (item) => {
      if (item === 0)
        await new Promise<void>((resolve) => {
          release = resolve
        })
      completedItems.push(item)
      if (item === 5) release()
    },
    failIfLate
  )
  await mapped
  assert.deepEqual(completedItems, [1, 2, 3, 4, 5, 0])
})

test('an item that is not started in time is not processed, and its result is that of `onLate`', async () => {
  const started: number[] = []
  let now = 0
  const clock = mock.method(performance, 'now', () => now)
  const results = await concurrentMap(
    [1, 2, 3],
    { limit: 1, startWithin: 10 },
    async (item) => {
      started.push(item)
      now += 15
      return 'done'
    },
    (item) => `late ${item}`
  )
  clock.mock.restore()
  assert.deepEqual(started, [1])
  assert.deepEqual(results, ['done', 'late 2', 'late 3'])
})

test.run()
