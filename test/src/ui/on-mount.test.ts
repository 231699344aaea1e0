import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { atom, STORE_UNMOUNT_DELAY } from 'nanostores'
import { suite } from 'uvu'
import { onMount } from '../../../src/ui/on-mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('on mount')
test.after.each(() => mock.timers.reset())

function countingStore() {
  const $store = atom(0)
  const count = { started: 0, stopped: 0 }
  onMount($store, () => {
    count.started++
    // `start` may set and read the store.
    $store.set($store.get() + 1)
    return () => count.stopped++
  })
  return { $store, count }
}

test('a store starts with its first listener, before that listener is called', () => {
  const { $store, count } = countingStore()
  assert.deepEqual(count, { started: 0, stopped: 0 })
  let calls = 0
  $store.listen(() => calls++)
  $store.listen(() => calls++)
  assert.deepEqual([count, calls, $store.get()], [{ started: 1, stopped: 0 }, 0, 1])
})

test('reading a store without listeners does not start it', () => {
  const { $store } = countingStore()
  assert.equal($store.get(), 1)
})

test('a store stops a while after its last listener has left, and starts again with the next', async () => {
  const { $store, count } = countingStore()
  const leave = $store.listen(() => {})
  const leaveToo = $store.listen(() => {})
  leave()
  leaveToo()
  assert.equal(count.stopped, 0)
  await until(() => count.stopped === 1, 'the stop')
  $store.listen(() => {})
  assert.deepEqual(count, { started: 2, stopped: 1 })
})

test('a store that gets a listener again in time does not stop', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { $store, count } = countingStore()
  $store.listen(() => {})()
  $store.listen(() => {})
  mock.timers.tick(STORE_UNMOUNT_DELAY + 100)
  assert.deepEqual(count, { started: 1, stopped: 0 })
})

test.run()
