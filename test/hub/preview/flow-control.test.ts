import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FlowControl } from '../../../hub/preview/flow-control.ts'

const test = suite('preview flow control')

const IMAGE_SIZE = 5000

/**
 * Simulates a hub that always has an image to send.
 * @param rate bytes a second of the line
 * @param latency milliseconds of a round trip
 */
function simulate(rate: number, latency: number, seconds: number, timeShare?: number) {
  let time = 0
  const flowControl = new FlowControl({ now: () => time, timeShare })
  /** When the last byte sent so far leaves the line. */
  let free = 0
  const acknowledgements: { at: number; count: number }[] = []
  let sentCount = 0
  let arrivedCount = 0
  let queued = 0
  let busy = 0
  for (; time < seconds * 1000; time++) {
    while (acknowledgements[0] && acknowledgements[0].at <= time) {
      arrivedCount = acknowledgements[0].count
      flowControl.acknowledge(arrivedCount)
      acknowledgements.shift()
    }
    while (flowControl.wait(IMAGE_SIZE) === 0 && sentCount < arrivedCount + 5000) {
      flowControl.sent(IMAGE_SIZE)
      sentCount++
      free = Math.max(free, time) + (IMAGE_SIZE / rate) * 1000
      acknowledgements.push({ at: free + latency, count: sentCount })
    }
    queued = Math.max(queued, time > 5000 ? free - time : 0)
    if (free > time) busy++
  }
  return { perSecond: arrivedCount / seconds, queued, busy: busy / time }
}

test('on a slow line one image is in transit at a time, so a call waits for less than one image', () => {
  const { perSecond, queued, busy } = simulate(8000, 400, 60)
  assert.ok(queued <= (IMAGE_SIZE / 8000) * 1000, `${queued} ms`)
  assert.ok(perSecond > 0.8 && busy > 0.5, `${perSecond} a second`)
})

test('a fast line with high latency is used as fully as one with low latency', () => {
  assert.ok(simulate(1_000_000, 300, 30).perSecond > 120)
  assert.ok(simulate(1_000_000, 2, 30).perSecond > 120)
})

test('less than a second of data is queued before a line of any speed', () => {
  for (const rate of [16_000, 64_000, 250_000]) {
    const { queued, busy } = simulate(rate, 100, 40)
    assert.ok(queued < 1000 && busy > 0.6, `${rate} B/s: ${queued} ms queued, ${busy} in use`)
  }
})

test('when saving data images take a quarter of the time at most', () => {
  const all = simulate(8000, 400, 60).perSecond
  const savedPerSecond = simulate(8000, 400, 60, 0.25).perSecond
  assert.ok(savedPerSecond > 0 && savedPerSecond < all * 0.35, `${savedPerSecond} of ${all} a second`)
})

test('a lost acknowledgement stops images for some seconds, not forever', () => {
  let time = 0
  const flowControl = new FlowControl({ now: () => time })
  while (flowControl.wait(IMAGE_SIZE) === 0) flowControl.sent(IMAGE_SIZE)
  const wait = flowControl.wait(IMAGE_SIZE)
  assert.ok(wait > 0 && wait < 10_000)
  time += wait
  assert.equal(flowControl.wait(IMAGE_SIZE), 0)
})

test('acknowledgements that are too high or decrease are ignored', () => {
  const flowControl = new FlowControl({ now: () => 0 })
  flowControl.acknowledge(99)
  flowControl.sent(IMAGE_SIZE)
  flowControl.acknowledge(-1)
  flowControl.acknowledge(Number.NaN)
  for (let count = 1; count < 3; count++) flowControl.sent(IMAGE_SIZE)
  assert.ok(flowControl.wait(IMAGE_SIZE) > 0)
})

test.run()
