import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { atom, computed, onMount, STORE_UNMOUNT_DELAY } from '../../../src/draw/store.ts'
import { until } from '../../kit/until.ts'

const test = suite('store')

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

test('listeners hear what it is and was, and not what changes nothing', () => {
  const $store = atom(1)
  const heard: number[][] = []
  const leave = $store.listen((...said) => heard.push(said))
  $store.set(2)
  $store.set(2)
  leave()
  $store.set(3)
  assert.deepEqual(heard, [[2, 1]])
  $store.subscribe((value) => heard.push([value]))
  assert.deepEqual(heard[1], [3])
})

test('who leaves while others are told is not told, and who comes only what comes next', () => {
  const $store = atom(0)
  const heard: string[] = []
  $store.listen(() => {
    leave()
    $store.listen((value) => heard.push(`late ${value}`))
  })
  const leave = $store.listen(() => heard.push('left'))
  $store.set(1)
  assert.deepEqual(heard, [])
  $store.set(2)
  assert.deepEqual(heard, ['late 2'])
})

test('a listener that sets the store again leaves all with the last value', () => {
  const $store = atom(0)
  const last: number[] = []
  $store.listen((value) => value < 3 && $store.set(value + 1))
  $store.listen((value) => last.push(value))
  $store.set(1)
  assert.equal(last.at(-1), 3)
})

test('what is made from stores follows them, and is made anew only when one of them is another', async () => {
  const $first = atom('a')
  const $second = atom(1)
  let made = 0
  const $both = computed([$first, $second], (first, second) => `${++made} ${first}${second}`)
  assert.equal($both.get(), '1 a1')
  $first.set('b')
  assert.equal($both.get(), '2 b1')
  const heard: string[] = []
  const leave = $both.listen((value) => heard.push(value))
  assert.equal($both.get(), '2 b1')
  $second.set(2)
  $second.set(2)
  assert.deepEqual(heard, ['3 b2'])
  leave()
  await new Promise((resolve) => setTimeout(resolve, STORE_UNMOUNT_DELAY + 100))
  $first.set('c')
  assert.equal(made, 3)
  assert.equal($both.get(), '4 c2')
  assert.equal(computed($second, (value) => value * 2).get(), 4)
})

test('what is made from a store keeps that awake as long as somebody listens', () => {
  const { $store, count } = counted()
  const $twice = computed($store, (value) => value * 2)
  $twice.listen(() => {})
  assert.deepEqual([count, $twice.get()], [{ started: 1, stopped: 0 }, 2])
})

test.run()
