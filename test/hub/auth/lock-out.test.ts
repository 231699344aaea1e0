import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { networkOf } from '../../../contract/network-prefix.ts'
import { createLockOut } from '../../../hub/auth/lock-out.ts'

const test = suite('lock-out')

const MINUTE = 60_000

function fail(lock: ReturnType<typeof createLockOut>, times: number, user: string, address: string): void {
  for (let i = 0; i < times; i++) lock.failed(user, address)
}

test('the fifth failure of a name makes it wait at that address, each further one twice as long', () => {
  let now = 0
  const lock = createLockOut(() => now)
  for (let i = 0; i < 4; i++) assert.equal(lock.failed('Admin', 'a'), false)
  assert.equal(lock.wait('Admin', 'a'), 0)
  assert.equal(lock.failed('Admin', 'a'), true)
  assert.equal(lock.wait('Admin', 'a'), 10)
  assert.equal(lock.wait('Admin', 'b'), 0, 'nobody is locked out from elsewhere')
  assert.equal(lock.wait('Bob', 'a'), 0, 'nor anybody else')
  now += 10_000
  assert.equal(lock.wait('Admin', 'a'), 0)
  lock.failed('Admin', 'a')
  assert.equal(lock.wait('Admin', 'a'), 20)
})

test('a wait is a quarter of an hour at most, and half an hour without failures forgives', () => {
  let now = 0
  const lock = createLockOut(() => now)
  fail(lock, 100, 'Admin', 'a')
  assert.equal(lock.wait('Admin', 'a'), 900)
  now += 31 * MINUTE
  lock.failed('Admin', 'a')
  assert.equal(lock.wait('Admin', 'a'), 0)
})

test('names that do not exist wait like those that do', () => {
  const lock = createLockOut(() => 0)
  fail(lock, 5, 'nobody', 'a')
  assert.equal(lock.wait('nobody', 'a'), 10)
})

test('an address that guesses day and night locks Admin out nowhere else', () => {
  let now = 0
  const lock = createLockOut(() => now)
  let guesses = 0
  for (; now < 24 * 60 * MINUTE; now += 1000) {
    if (lock.wait('Admin', 'evil') === 0) {
      lock.failed('Admin', 'evil')
      guesses++
    }
    assert.ok(lock.wait('Admin', 'new') <= 5)
  }
  assert.ok(guesses < 120, `${guesses} guesses a day`)
  now += 5000
  assert.equal(lock.wait('Admin', 'new'), 0)
})

test('an address that tries many names waits a minute at most, without barring others', () => {
  let now = 0
  const lock = createLockOut(() => now)
  for (let i = 0; i < 20; i++) lock.failed(`user ${i}`, 'a')
  assert.equal(lock.wait('someone', 'a'), 10)
  for (let i = 0; i < 1000; i++) lock.failed(`user ${i}`, 'a')
  assert.equal(lock.wait('someone', 'a'), 60)
  assert.equal(lock.wait('someone', 'b'), 0)
  now += MINUTE
  assert.equal(lock.wait('someone', 'a'), 0)
})

test('a name that is guessed from everywhere waits seconds at new addresses, and not at all where it signed in before', () => {
  let now = 0
  const lock = createLockOut(() => now)
  lock.succeeded('Admin', 'office')
  for (let i = 0; i < 19; i++) lock.failed('Admin', `address ${i}`)
  assert.equal(lock.wait('Admin', 'new'), 0)
  for (let i = 0; i < 1000; i++) lock.failed('Admin', `address ${i}`)
  assert.equal(lock.wait('Admin', 'new'), 5)
  assert.equal(lock.wait('Admin', 'office'), 0)
  assert.equal(lock.wait('Bob', 'new'), 0)
  now += 5000
  assert.equal(lock.wait('Admin', 'new'), 0)
})

test('where a name signed in before, what others do at the same address does not slow it, but its own failures do', () => {
  const lock = createLockOut(() => 0)
  lock.succeeded('Bob', 'office')
  assert.ok(lock.knows('Bob', 'office'))
  assert.ok(!lock.knows('Bob', 'a') && !lock.knows('Admin', 'office'))
  for (let i = 0; i < 100; i++) lock.failed(`user ${i}`, 'office')
  assert.equal(lock.wait('Bob', 'office'), 0)
  fail(lock, 5, 'Bob', 'office')
  assert.equal(lock.wait('Bob', 'office'), 10)
})

test('success forgives the name at the address, and not the guesses at other names', () => {
  const lock = createLockOut(() => 0)
  fail(lock, 5, 'Admin', 'a')
  lock.succeeded('Admin', 'a')
  assert.equal(lock.wait('Admin', 'a'), 0)
  for (let i = 0; i < 20; i++) lock.failed(`user ${i}`, 'b')
  lock.succeeded('eve', 'b')
  assert.ok(lock.wait('Admin', 'b') > 0)
})

test('what is remembered is bounded', () => {
  const lock = createLockOut(() => 0)
  fail(lock, 5, 'first', 'a')
  for (let i = 0; i < 10_000; i++) lock.failed(`user ${i}`, `address ${i}`)
  assert.equal(lock.wait('first', 'a'), 0)
})

test('an IPv6 address counts as its network, an IPv4 one as itself', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2'],
    ['2001:DB8:01:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::2:3:4:5', '2001:db8:0:0'],
    ['2001:db8:1::', '2001:db8:1:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0']
  ])
    assert.equal(networkOf(address ?? ''), network)
  const lock = createLockOut(() => 0)
  for (let i = 1; i <= 5; i++) lock.failed('Admin', `2001:db8::${i}`)
  assert.equal(lock.wait('Admin', '2001:db8::9'), 10)
  assert.equal(lock.wait('Admin', '2001:db8:0:1::9'), 0)
})

test.run()
