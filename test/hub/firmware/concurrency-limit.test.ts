import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createSlots } from '../../../hub/firmware/concurrency-limit.ts'

const test = suite('slots')

test('so many go at a time, the others in their order', async () => {
  const slots = createSlots(2)
  const order: number[] = []
  const releases: (() => void)[] = []
  const all = [0, 1, 2, 3].map(async (number) => {
    releases[number] = await slots.take()
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

test('given back twice it is free once', async () => {
  const slots = createSlots(1)
  const release = await slots.take()
  release()
  release()
  await slots.take()
  let third = false
  void slots.take().then(() => {
    third = true
  })
  await new Promise(setImmediate)
  assert.equal(third, false)
})

test.run()
