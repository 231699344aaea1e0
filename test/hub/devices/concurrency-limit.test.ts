import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createConcurrencyLimit } from '../../../hub/devices/concurrency-limit.ts'

const test = suite('concurrency limit')

test('tasks run up to the limit, the others in order', async () => {
  const limit = createConcurrencyLimit(2)
  const order: number[] = []
  const releases: (() => void)[] = []
  const all = [0, 1, 2, 3].map(async (number) => {
    releases[number] = await limit.acquire()
    order.push(number)
  })
  await Promise.all(all.slice(0, 2))
  await new Promise(setImmediate)
  assert.deepEqual(order, [0, 1])
  releases[1]?.()
  await all[2]
  assert.deepEqual(order, [0, 1, 2])
  releases[0]?.()
  await all[3]
  assert.deepEqual(order, [0, 1, 2, 3])
})

test('releasing twice frees one place only', async () => {
  const limit = createConcurrencyLimit(1)
  const release = await limit.acquire()
  release()
  release()
  await limit.acquire()
  let third = false
  void limit.acquire().then(() => {
    third = true
  })
  await new Promise(setImmediate)
  assert.equal(third, false)
})

test('a task that may not run in time gives up its place in the queue', async () => {
  const limit = createConcurrencyLimit(1)
  const release = await limit.acquire()
  assert.equal(await limit.acquireWithin(1), undefined)
  const waiting = limit.acquireWithin(60_000)
  release()
  const second = await waiting
  assert.ok(second)
  second()
  assert.ok(await limit.acquireWithin(1))
})

test.run()
