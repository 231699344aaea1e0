import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TrafficMeter } from '../../../../hub/machine/network/traffic.ts'

const test = suite('traffic of interfaces')

const counters = (rx: number, tx: number) => ({ iface: 'eth0', 'rx-bytes': rx, 'tx-bytes': tx })

test('the rate is measured between two readings at least a second apart, and repeated in between', () => {
  let now = 0
  const meter = new TrafficMeter(() => now)
  assert.deepEqual(meter.measure(counters(0, 0)), {})
  now = 2000
  assert.deepEqual(meter.measure(counters(1_000_000, 250_000)), { rx: 4, tx: 1 })
  now = 2500
  assert.deepEqual(meter.measure(counters(9_000_000, 250_000)), { rx: 4, tx: 1 })
  now = 4000
  assert.deepEqual(meter.measure(counters(1_000_000, 250_000)), { rx: 0, tx: 0 })
})

test('counters that restart, and readings of more than a minute ago, give no rate', () => {
  let now = 0
  const meter = new TrafficMeter(() => now)
  meter.measure(counters(5000, 5000))
  now = 2000
  assert.deepEqual(meter.measure(counters(100, 100)), {})
  now = 63_000
  assert.deepEqual(meter.measure(counters(200, 200)), {})
})

test.run()
