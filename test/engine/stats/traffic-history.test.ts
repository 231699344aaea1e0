import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createTrafficHistory } from '../../../engine/stats/traffic-history.ts'

const test = suite('traffic history')

test('a new history has 60 seconds and 60 minutes of 0', () => {
  const { mbpsS, mbpsM } = createTrafficHistory().read()
  assert.deepEqual(mbpsS, Array(60).fill(0))
  assert.deepEqual(mbpsM, Array(60).fill(0))
})

test('the newest second is the last, and the oldest is dropped', () => {
  const history = createTrafficHistory()
  for (let second = 1; second <= 61; second++) history.addSecond(second * 125_000)
  const { mbpsS } = history.read()
  assert.equal(mbpsS.length, 60)
  assert.equal(mbpsS[0], 2)
  assert.equal(mbpsS[59], 61)
})

test('a minute is the mean of its seconds, and the current one the mean of the seconds so far', () => {
  const history = createTrafficHistory()
  for (let second = 0; second < 60; second++) history.addSecond(second < 30 ? 0 : 250_000)
  assert.equal(history.read().mbpsM[59], 1)
  for (let second = 0; second < 10; second++) history.addSecond(500_000)
  const { mbpsM } = history.read()
  assert.equal(mbpsM.length, 60)
  assert.deepEqual(mbpsM.slice(-3), [0, 1, 4])
})

test('after an hour the first minute is dropped', () => {
  const history = createTrafficHistory()
  for (let second = 0; second < 60; second++) history.addSecond(125_000)
  for (let second = 0; second < 60 * 60; second++) history.addSecond(0)
  assert.deepEqual(history.read().mbpsM, Array(60).fill(0))
})

test.run()
