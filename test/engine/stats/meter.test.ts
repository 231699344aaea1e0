import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createMeter, LAG } from '../../../engine/stats/meter.ts'

const test = suite('meter')

test('a steady stream is measured as what it is, however often it is heard of', () => {
  for (const every of [10, 100, 500]) {
    const meter = createMeter()
    for (let now = 0; now <= 10_000; now += every) {
      meter.add(125 * every, now)
      if (now < 3000) continue
      for (const later of [0, 200, 499]) {
        const kbps = meter.kbps(now + later)
        assert.ok(Math.abs(kbps - 1000) < 60, `${kbps} kbps ${later} ms after a report, one every ${every} ms`)
      }
    }
  }
})

test('a change of rate shows after two seconds', () => {
  const meter = createMeter()
  for (let now = 0; now < 5000; now += 100) meter.add(12_500, now)
  for (let now = 5000; now <= 7300; now += 100) meter.add(1250, now)
  assert.ok(Math.abs(meter.kbps(7300) - 100) < 20, String(meter.kbps(7300)))
})

test('what has stopped fades, and is nothing after three seconds', () => {
  const meter = createMeter()
  for (let now = 0; now <= 5000; now += 100) meter.add(12_500, now)
  assert.ok(meter.kbps(6500) < 700)
  assert.ok(meter.carrying(7999))
  assert.equal(meter.carrying(8000), false)
  assert.equal(meter.kbps(8000), 0)
  assert.equal(meter.living(8000), 0)
  assert.equal(meter.ran(), 5000)
})

test('the living time begins anew after a break', () => {
  const meter = createMeter()
  meter.add(1, 0)
  meter.add(1, 2000)
  assert.equal(meter.living(2500), 2500)
  meter.add(1, 6000)
  assert.equal(meter.living(6500), 500)
  assert.equal(meter.total(), 3)
})

test('what is settled grows evenly, though it is heard of in pieces, and ends at the total', () => {
  const meter = createMeter()
  for (let now = 0; now <= 10_000; now += 500) {
    meter.add(125 * 500, now)
    if (now < 3000) continue
    for (const later of [0, 130, 499]) {
      const [from, to] = [meter.settled(now + later - 500), meter.settled(now + later)]
      if (later === 499) assert.ok(Math.abs(to - from - 62_500) < 200, `${to - from} bytes in half a second`)
    }
  }
  const late = meter.settled(10_100)
  assert.ok(late < meter.total() && late > meter.total() - 62_500 * 2, String(late))
  assert.equal(meter.settled(10_000 + LAG), meter.total())
})

test('a reset keeps the total and forgets the run', () => {
  const meter = createMeter()
  meter.add(1000, 0)
  meter.reset()
  assert.equal(meter.carrying(1), false)
  assert.equal(meter.last(), undefined)
  assert.equal(meter.total(), 1000)
})

test.run()
