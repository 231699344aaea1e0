import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { STALE_AFTER } from '../../../contract/limits.ts'
import { $heard, hear } from '../../../src/link/fetch-json.ts'
import { $fresh, type Freshness } from '../../../src/state/freshness.ts'

const test = suite('freshness')

const START = 1_800_000_000_000
let seen: Freshness[]
let stop = () => {}

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START })
  $heard.set(0)
  seen = []
  stop = $fresh.listen((value) => seen.push({ ...value }))
  seen = []
})
test.after.each(() => {
  stop()
  // The store lets go a second after its last listener.
  mock.timers.tick(1000)
  mock.timers.reset()
})

test('with a word a second it is fresh, and says so once', () => {
  for (let second = 0; second < 60; second++) {
    mock.timers.tick(1000)
    hear()
  }
  assert.deepEqual(seen, [])
  assert.deepEqual($fresh.get(), { stale: false, since: START })
})

test('it is stale within 3 s of the last word, and says when that was', () => {
  assert.ok(STALE_AFTER < 3000)
  mock.timers.tick(1000)
  hear()
  mock.timers.tick(STALE_AFTER - 1)
  assert.equal($fresh.get().stale, false)
  mock.timers.tick(1)
  assert.deepEqual(seen, [{ stale: true, since: START + 1000 }])
})

test('the next word makes it fresh again by itself', () => {
  mock.timers.tick(60_000)
  assert.deepEqual(seen, [{ stale: true, since: START }])
  hear()
  assert.deepEqual($fresh.get(), { stale: false, since: START + 60_000 })
  mock.timers.tick(STALE_AFTER)
  assert.deepEqual($fresh.get(), { stale: true, since: START + 60_000 })
})

test('looked at anew it gives the hub the same time to say a word', () => {
  mock.timers.tick(10_000)
  stop()
  mock.timers.tick(1000)
  stop = $fresh.listen(() => {})
  assert.equal($fresh.get().stale, false)
  mock.timers.tick(STALE_AFTER)
  assert.equal($fresh.get().stale, true)
})

test.run()
