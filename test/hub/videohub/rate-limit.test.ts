import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { RateLimit } from '../../../hub/videohub/rate-limit.ts'
import { until } from '../../kit/until.ts'

const test = suite('rate limit')
const never = new AbortController().signal

test('a burst is served at once, and the rest at the rate', async () => {
  const limit = new RateLimit({ burst: 10, perSecond: 50 })
  const start = performance.now()
  const times = await Promise.all(
    Array.from({ length: 20 }, async () => {
      await limit.wait(never)
      return performance.now() - start
    })
  )
  assert.ok((times[9] as number) < (times[10] as number), `10 after ${times[9]} ms, 11 after ${times[10]} ms`)
  assert.ok((times[10] as number) >= 15, `11 after ${times[10]} ms`)
  assert.ok((times[19] as number) >= 195, `20 after ${times[19]} ms`)
})

test('the burst is restored by a pause, and not exceeded', async () => {
  let now = 0
  const limit = new RateLimit({ burst: 3, perSecond: 10 }, () => now)
  for (let n = 0; n < 3; n++) await limit.wait(never)
  now = 60_000
  let served = 0
  for (let n = 0; n < 5; n++) void limit.wait(never).then(() => served++)
  await Promise.resolve()
  await Promise.resolve()
  assert.equal(served, 3)
})

test('one that leaves the queue is not counted, so that clients which disconnect do not delay others', async () => {
  const limit = new RateLimit({ burst: 1, perSecond: 5 })
  await limit.wait(never)
  const client = new AbortController()
  const gone = Array.from({ length: 1000 }, () => limit.wait(client.signal))
  client.abort(new Error('closed'))
  for (const waiting of gone) await assert.rejects(waiting, /closed/)
  await assert.rejects(limit.wait(client.signal), /closed/)
  let isServed = false
  void limit.wait(never).then(() => {
    isServed = true
  })
  // With those that have left, it would be 200 s.
  await until(() => isServed, 'the next one is served')
})

test.run()
