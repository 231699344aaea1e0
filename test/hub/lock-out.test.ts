import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createLockOut } from '../../hub/lock-out.ts'

const test = suite('lock-out')

test('the fifth failure of a name makes it wait, each further one twice as long', () => {
  let now = 0
  const lock = createLockOut(() => now)
  for (let i = 0; i < 4; i++) assert.equal(lock.failed('Admin', 'a'), false)
  assert.equal(lock.wait('Admin', 'a'), 0)
  assert.equal(lock.failed('Admin', 'a'), true)
  assert.equal(lock.wait('Admin', 'b'), 10)
  now += 10_000
  assert.equal(lock.wait('Admin', 'b'), 0)
  lock.failed('Admin', 'a')
  assert.equal(lock.wait('Admin', 'b'), 20)
})

test('names that do not exist wait like those that do', () => {
  const lock = createLockOut(() => 0)
  for (let i = 0; i < 5; i++) lock.failed('nobody', 'a')
  assert.ok(lock.wait('nobody', 'b') > 0)
})

test('an address that tries many names waits too, without barring others', () => {
  const lock = createLockOut(() => 0)
  for (let i = 0; i < 20; i++) lock.failed(`user ${i}`, 'a')
  assert.ok(lock.wait('someone', 'a') > 0)
  assert.equal(lock.wait('someone', 'b'), 0)
})

test('a wait is a quarter of an hour at most, and half an hour without failures forgives', () => {
  let now = 0
  const lock = createLockOut(() => now)
  for (let i = 0; i < 19; i++) lock.failed('Admin', `address ${i}`)
  assert.equal(lock.wait('Admin', 'x'), 900)
  now += 31 * 60_000
  lock.failed('Admin', 'x')
  assert.equal(lock.wait('Admin', 'x'), 0)
})

test('success forgives the name', () => {
  const lock = createLockOut(() => 0)
  for (let i = 0; i < 5; i++) lock.failed('Admin', 'a')
  lock.succeeded('Admin', 'a')
  assert.equal(lock.wait('Admin', 'a'), 0)
})

test.run()
