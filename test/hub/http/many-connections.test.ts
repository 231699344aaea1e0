import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { callWhileCrowded } from '../../kit/hub/crowded-hub.ts'

const test = suite('many connections')

test('2,000 slow and 10,000 idle connections delay the calls of a signed-in user by less than 500 ms', async () => {
  const times = await callWhileCrowded({ idle: 10_000, slow: 2000, calls: 200 })
  const most = times[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY
  assert.ok(most < 500, `19 of 20 calls took up to ${most} ms, the slowest ${times.at(-1)} ms`)
})

test.run()
