import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { STALE_AFTER } from '../../../contract/limits.ts'
import { $lastResponseAt, markAlive } from '../../../src/link/fetch-json.ts'
import { $freshness, type Freshness } from '../../../src/state/freshness.ts'

const test = suite('freshness')

const START = 1_800_000_000_000
let notifications: Freshness[]
let stop = () => {}

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START })
  $lastResponseAt.set(0)
  notifications = []
  stop = $freshness.listen((value) => notifications.push({ ...value }))
  notifications = []
})
test.after.each(() => {
  stop()
  // The store stops one second after its last listener has left.
  mock.timers.tick(1000)
  mock.timers.reset()
})

test('with a message per second the data stays fresh without further notifications', () => {
  for (let second = 0; second < 60; second++) {
    mock.timers.tick(1000)
    markAlive()
  }
  assert.deepEqual(notifications, [])
  assert.deepEqual($freshness.get(), { stale: false, since: START })
})

test('the data is stale within 3 s of the last message, with the time of that message', () => {
  assert.ok(STALE_AFTER < 3000)
  mock.timers.tick(1000)
  markAlive()
  mock.timers.tick(STALE_AFTER - 1)
  assert.equal($freshness.get().stale, false)
  mock.timers.tick(1)
  assert.deepEqual(notifications, [{ stale: true, since: START + 1000 }])
})

test('the next message makes the data fresh again', () => {
  mock.timers.tick(60_000)
  assert.deepEqual(notifications, [{ stale: true, since: START }])
  markAlive()
  assert.deepEqual($freshness.get(), { stale: false, since: START + 60_000 })
  mock.timers.tick(STALE_AFTER)
  assert.deepEqual($freshness.get(), { stale: true, since: START + 60_000 })
})

test('with a new listener the hub has the same time for a message again', () => {
  mock.timers.tick(10_000)
  stop()
  mock.timers.tick(1000)
  stop = $freshness.listen(() => {})
  assert.equal($freshness.get().stale, false)
  mock.timers.tick(STALE_AFTER)
  assert.equal($freshness.get().stale, true)
})

test.run()
