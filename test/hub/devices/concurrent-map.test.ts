import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { sideBySide } from '../../../hub/devices/concurrent-map.ts'

const test = suite('side by side')
const SPREAD = { atOnce: 3, begin: 60_000 }
const never = () => {
  throw new Error('it was in time')
}

test('so many are worked on at a time, and results come in the order of the items', async () => {
  let running = 0
  let most = 0
  const items = Array.from({ length: 20 }, (_, index) => index)
  const results = await sideBySide(
    items,
    SPREAD,
    async (item) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, item % 4))
      running--
      return item * 2
    },
    never
  )
  assert.equal(most, 3)
  assert.deepEqual(
    results,
    items.map((item) => item * 2)
  )
  assert.deepEqual(await sideBySide([], SPREAD, never, never), [])
})

test('one that never ends holds up its own place and no other', async () => {
  const done: number[] = []
  let release = () => {}
  const whole = sideBySide(
    [0, 1, 2, 3, 4, 5],
    { atOnce: 2, begin: 60_000 },
    async (item) => {
      if (item === 0)
        await new Promise<void>((resolve) => {
          release = resolve
        })
      done.push(item)
      if (item === 5) release()
    },
    never
  )
  await whole
  assert.deepEqual(done, [1, 2, 3, 4, 5, 0])
})

test('what was not begun in time is left alone and said to be late', async () => {
  const begun: number[] = []
  const results = await sideBySide(
    [1, 2, 3],
    { atOnce: 1, begin: 10 },
    async (item) => {
      begun.push(item)
      await new Promise((resolve) => setTimeout(resolve, 15))
      return 'done'
    },
    (item) => `late ${item}`
  )
  assert.deepEqual(begun, [1])
  assert.deepEqual(results, ['done', 'late 2', 'late 3'])
})

test.run()
