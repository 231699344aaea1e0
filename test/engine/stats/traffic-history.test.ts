import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createHistory } from '../../../engine/stats/traffic-history.ts'

const test = suite('history')

test('a new history is 60 seconds and 60 minutes of nothing', () => {
  const { mbpsS, mbpsM } = createHistory().read()
  assert.deepEqual(mbpsS, Array(60).fill(0))
  assert.deepEqual(mbpsM, Array(60).fill(0))
})

test('the newest second is last and the oldest falls out', () => {
  const history = createHistory()
  for (let second = 1; second <= 61; second++) history.second(second * 125_000)
  const { mbpsS } = history.read()
  assert.equal(mbpsS.length, 60)
  assert.equal(mbpsS[0], 2)
  assert.equal(mbpsS[59], 61)
})

test('a minute is the mean of its seconds, and the one that runs the mean of what has passed', () => {
  const history = createHistory()
  for (let second = 0; second < 60; second++) history.second(second < 30 ? 0 : 250_000)
  assert.equal(history.read().mbpsM[59], 1)
  for (let second = 0; second < 10; second++) history.second(500_000)
  const { mbpsM } = history.read()
  assert.equal(mbpsM.length, 60)
  assert.deepEqual(mbpsM.slice(-3), [0, 1, 4])
})

test('an hour later the first minute is gone', () => {
  const history = createHistory()
  for (let second = 0; second < 60; second++) history.second(125_000)
  for (let second = 0; second < 60 * 60; second++) history.second(0)
  assert.deepEqual(history.read().mbpsM, Array(60).fill(0))
})

test.run()
