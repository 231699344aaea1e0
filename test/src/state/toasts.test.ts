import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { $toasts, act, dismiss, tell } from '../../../src/state/toasts.ts'

const test = suite('toasts')

const codes = () => $toasts.get().map(({ code }) => code)

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
  $toasts.set([])
})
test.after.each(() => mock.timers.reset())

test('a success is shown for a while, a failure until it is dismissed', () => {
  tell(0)
  tell(31)
  assert.deepEqual(codes(), [0, 31])
  mock.timers.tick(3999)
  assert.deepEqual(codes(), [0, 31])
  mock.timers.tick(1)
  assert.deepEqual(codes(), [31])
  mock.timers.tick(3_600_000)
  assert.deepEqual(codes(), [31])
  dismiss($toasts.get()[0]?.id ?? 0)
  assert.deepEqual(codes(), [])
})

test('the same result again is one toast, and shown for its full time', () => {
  tell(0)
  mock.timers.tick(3000)
  tell(0)
  assert.deepEqual(codes(), [0])
  mock.timers.tick(3000)
  assert.deepEqual(codes(), [0])
  mock.timers.tick(1000)
  assert.deepEqual(codes(), [])
})

test('too many push out the oldest', () => {
  for (const code of [1, 2, 3, 4, 5, 6]) tell(code)
  assert.deepEqual(codes(), [3, 4, 5, 6])
})

test('an action tells its result and hands its answer on', async () => {
  const reply = { result: 1003, field: 'name' }
  assert.equal(await act(Promise.resolve(reply)), reply)
  assert.deepEqual(codes(), [1003])
})

test('what the caller deals with itself is not told, nor that nobody is signed in', async () => {
  await act(Promise.resolve({ result: 1005 }), [1005, 1009])
  await act(Promise.resolve({ result: 37 }))
  assert.deepEqual(codes(), [])
  await act(Promise.resolve({ result: 1006 }), [1005, 1009])
  assert.deepEqual(codes(), [1006])
})

test.run()
