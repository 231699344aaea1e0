import assert from 'node:assert/strict'
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
      await new Promise((resolve) => setTimeout(resolve, item % 4))
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
  const results = await concurrentMap(
    [1, 2, 3],
    { limit: 1, startWithin: 10 },
    async (item) => {
      started.push(item)
      await new Promise((resolve) => setTimeout(resolve, 15))
      return 'done'
    },
    (item) => `late ${item}`
  )
  assert.deepEqual(started, [1])
  assert.deepEqual(results, ['done', 'late 2', 'late 3'])
})

test.run()
