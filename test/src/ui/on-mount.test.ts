import assert from 'node:assert/strict'
import { atom, STORE_UNMOUNT_DELAY } from 'nanostores'
import { suite } from 'uvu'
import { onMount } from '../../../src/ui/on-mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('on mount')

function counted() {
  const $store = atom(0)
  const count = { started: 0, stopped: 0 }
  onMount($store, () => {
    count.started++
    // What starts may set and read its store.
    $store.set($store.get() + 1)
    return () => count.stopped++
  })
  return { $store, count }
}

test('a store starts with its first listener, and before that listener hears anything', () => {
  const { $store, count } = counted()
  assert.deepEqual(count, { started: 0, stopped: 0 })
  let heard = 0
  $store.listen(() => heard++)
  $store.listen(() => heard++)
  assert.deepEqual([count, heard, $store.get()], [{ started: 1, stopped: 0 }, 0, 1])
})

test('who reads a store that nobody listens to reads what it has once started', () => {
  const { $store } = counted()
  assert.equal($store.get(), 1)
})

test('it stops some time after the last listener is gone, and starts anew with the next', async () => {
  const { $store, count } = counted()
  const leave = $store.listen(() => {})
  const leaveToo = $store.listen(() => {})
  leave()
  leaveToo()
  assert.equal(count.stopped, 0)
  await until(() => count.stopped === 1, 'the stop', STORE_UNMOUNT_DELAY * 3)
  $store.listen(() => {})
  assert.deepEqual(count, { started: 2, stopped: 1 })
})

test('one that is listened to again in time goes on', async () => {
  const { $store, count } = counted()
  $store.listen(() => {})()
  $store.listen(() => {})
  await new Promise((resolve) => setTimeout(resolve, STORE_UNMOUNT_DELAY + 100))
  assert.deepEqual(count, { started: 1, stopped: 0 })
})

test.run()
