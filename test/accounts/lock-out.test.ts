import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createLockOut } from '../../accounts/lock-out.ts'
import { networkPrefix } from '../../contract/network-prefix.ts'

const test = suite('lock-out')

const MINUTE = 60_000

function recordFailures(lock: ReturnType<typeof createLockOut>, times: number, user: string, address: string): void {
  for (let i = 0; i < times; i++) lock.recordFailure(user, address)
}

test('the fifth failure of a name at an address causes a delay, and each further failure doubles it', () => {
  let now = 0
  const lock = createLockOut(() => now)
  for (let i = 0; i < 4; i++) assert.equal(lock.recordFailure('Admin', 'a'), false)
  assert.equal(lock.secondsToWait('Admin', 'a'), 0)
  assert.equal(lock.recordFailure('Admin', 'a'), true)
  assert.equal(lock.secondsToWait('Admin', 'a'), 10)
  assert.equal(lock.secondsToWait('Admin', 'b'), 0, 'other addresses are not affected')
  assert.equal(lock.secondsToWait('Bob', 'a'), 0, 'other names are not affected')
  now += 10_000
  assert.equal(lock.secondsToWait('Admin', 'a'), 0)
  lock.recordFailure('Admin', 'a')
  assert.equal(lock.secondsToWait('Admin', 'a'), 20)
})

test('a delay is 15 minutes at most, and 30 minutes without failures reset the counter', () => {
  let now = 0
  const lock = createLockOut(() => now)
  recordFailures(lock, 100, 'Admin', 'a')
  assert.equal(lock.secondsToWait('Admin', 'a'), 900)
  now += 31 * MINUTE
  lock.recordFailure('Admin', 'a')
  assert.equal(lock.secondsToWait('Admin', 'a'), 0)
})

test('unknown names are delayed like known ones', () => {
  const lock = createLockOut(() => 0)
  recordFailures(lock, 5, 'nobody', 'a')
  assert.equal(lock.secondsToWait('nobody', 'a'), 10)
})

test('an address that guesses all day does not lock out Admin at other addresses', () => {
  let now = 0
  const lock = createLockOut(() => now)
  let guesses = 0
  for (; now < 24 * 60 * MINUTE; now += 1000) {
    if (lock.secondsToWait('Admin', 'evil') === 0) {
      lock.recordFailure('Admin', 'evil')
      guesses++
    }
    assert.ok(lock.secondsToWait('Admin', 'new') <= 5)
  }
  assert.ok(guesses < 120, `${guesses} guesses a day`)
  now += 5000
  assert.equal(lock.secondsToWait('Admin', 'new'), 0)
})

test('an address that tries many names is delayed by a minute at most, without affecting other addresses', () => {
  let now = 0
  const lock = createLockOut(() => now)
  for (let i = 0; i < 20; i++) lock.recordFailure(`user ${i}`, 'a')
  assert.equal(lock.secondsToWait('someone', 'a'), 10)
  for (let i = 0; i < 1000; i++) lock.recordFailure(`user ${i}`, 'a')
  assert.equal(lock.secondsToWait('someone', 'a'), 60)
  assert.equal(lock.secondsToWait('someone', 'b'), 0)
  now += MINUTE
  assert.equal(lock.secondsToWait('someone', 'a'), 0)
})

test('a name guessed from many addresses is delayed by seconds at new addresses, and not at addresses where it signed in before', () => {
  let now = 0
  const lock = createLockOut(() => now)
  lock.recordSuccess('Admin', 'office')
  for (let i = 0; i < 19; i++) lock.recordFailure('Admin', `address ${i}`)
  assert.equal(lock.secondsToWait('Admin', 'new'), 0)
  for (let i = 0; i < 1000; i++) lock.recordFailure('Admin', `address ${i}`)
  assert.equal(lock.secondsToWait('Admin', 'new'), 5)
  assert.equal(lock.secondsToWait('Admin', 'office'), 0)
  assert.equal(lock.secondsToWait('Bob', 'new'), 0)
  now += 5000
  assert.equal(lock.secondsToWait('Admin', 'new'), 0)
})

test('where a name signed in before, only its own failures delay it, not those of other names at the address', () => {
  const lock = createLockOut(() => 0)
  lock.recordSuccess('Bob', 'office')
  assert.ok(lock.isKnown('Bob', 'office'))
  assert.ok(!lock.isKnown('Bob', 'a') && !lock.isKnown('Admin', 'office'))
  for (let i = 0; i < 100; i++) lock.recordFailure(`user ${i}`, 'office')
  assert.equal(lock.secondsToWait('Bob', 'office'), 0)
  recordFailures(lock, 5, 'Bob', 'office')
  assert.equal(lock.secondsToWait('Bob', 'office'), 10)
})

test('a success resets the counter of the name at the address, not those of other names', () => {
  const lock = createLockOut(() => 0)
  recordFailures(lock, 5, 'Admin', 'a')
  lock.recordSuccess('Admin', 'a')
  assert.equal(lock.secondsToWait('Admin', 'a'), 0)
  for (let i = 0; i < 20; i++) lock.recordFailure(`user ${i}`, 'b')
  lock.recordSuccess('eve', 'b')
  assert.ok(lock.secondsToWait('Admin', 'b') > 0)
})

test('the number of counters is limited', () => {
  const lock = createLockOut(() => 0)
  recordFailures(lock, 5, 'first', 'a')
  for (let i = 0; i < 10_000; i++) lock.recordFailure(`user ${i}`, `address ${i}`)
  assert.equal(lock.secondsToWait('first', 'a'), 0)
})

test('IPv6 addresses are counted per /64 network, IPv4 addresses one by one', () => {
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
    assert.equal(networkPrefix(address ?? ''), network)
  const lock = createLockOut(() => 0)
  for (let i = 1; i <= 5; i++) lock.recordFailure('Admin', `2001:db8::${i}`)
  assert.equal(lock.secondsToWait('Admin', '2001:db8::9'), 10)
  assert.equal(lock.secondsToWait('Admin', '2001:db8:0:1::9'), 0)
})

test('setting the clock of the machine neither ends nor extends a lock-out', () => {
  const lock = createLockOut()
  recordFailures(lock, 5, 'Admin', '10.0.0.1')
  const { now } = Date
  try {
    for (const days of [-1, 1]) {
      Date.now = () => now() + days * 86_400_000
      const seconds = lock.secondsToWait('Admin', '10.0.0.1')
      assert.ok(seconds >= 1 && seconds <= 10, `${seconds} s after ${days} days`)
    }
  } finally {
    Date.now = now
  }
})

test.run()
