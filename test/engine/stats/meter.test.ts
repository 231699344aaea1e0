import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createMeter, SETTLE_DELAY } from '../../../engine/stats/meter.ts'

const test = suite('meter')

test('the bitrate of a steady stream is right, whatever the interval of the reports', () => {
  for (const interval of [10, 100, 500]) {
    const meter = createMeter()
    for (let now = 0; now <= 10_000; now += interval) {
      meter.add(125 * interval, now)
      if (now < 3000) continue
      for (const later of [0, 200, 499]) {
        const kbps = meter.kbps(now + later)
        assert.ok(Math.abs(kbps - 1000) < 60, `${kbps} kbps ${later} ms after a report, one every ${interval} ms`)
      }
    }
  }
})

test('a change of the bitrate is visible after two seconds', () => {
  const meter = createMeter()
  for (let now = 0; now < 5000; now += 100) meter.add(12_500, now)
  for (let now = 5000; now <= 7300; now += 100) meter.add(1250, now)
  assert.ok(Math.abs(meter.kbps(7300) - 100) < 20, String(meter.kbps(7300)))
})

test('the bitrate of a stopped stream decreases and is 0 after three seconds', () => {
  const meter = createMeter()
  for (let now = 0; now <= 5000; now += 100) meter.add(12_500, now)
  assert.ok(meter.kbps(6500) < 700)
  assert.ok(meter.isActive(7999))
  assert.equal(meter.isActive(8000), false)
  assert.equal(meter.kbps(8000), 0)
  assert.equal(meter.uptimeMs(8000), 0)
  assert.equal(meter.lastRunMs(), 5000)
})

test('the uptime restarts after a pause', () => {
  const meter = createMeter()
  meter.add(1, 0)
  meter.add(1, 2000)
  assert.equal(meter.uptimeMs(2500), 2500)
  meter.add(1, 6000)
  assert.equal(meter.uptimeMs(6500), 500)
  assert.equal(meter.totalBytes(), 3)
})

test('settledBytes grows evenly despite reports at intervals, and ends at the total', () => {
  const meter = createMeter()
  for (let now = 0; now <= 10_000; now += 500) {
    meter.add(125 * 500, now)
    if (now < 3000) continue
    for (const later of [0, 130, 499]) {
      const [from, to] = [meter.settledBytes(now + later - 500), meter.settledBytes(now + later)]
      if (later === 499) assert.ok(Math.abs(to - from - 62_500) < 200, `${to - from} bytes in half a second`)
    }
  }
  const settledBytes = meter.settledBytes(10_100)
  assert.ok(settledBytes < meter.totalBytes() && settledBytes > meter.totalBytes() - 62_500 * 2, String(settledBytes))
  assert.equal(meter.settledBytes(10_000 + SETTLE_DELAY), meter.totalBytes())
})

test('reset keeps the total and clears the run', () => {
  const meter = createMeter()
  meter.add(1000, 0)
  meter.reset()
  assert.equal(meter.isActive(1), false)
  assert.equal(meter.lastByteAt(), undefined)
  assert.equal(meter.totalBytes(), 1000)
})

test.run()
