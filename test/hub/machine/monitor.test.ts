import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { type MachineReading, Monitor } from '../../../hub/machine/monitor.ts'

const test = suite('monitor')
let monitor: Monitor | undefined
test.before.each(() => mock.timers.enable({ apis: ['setInterval'] }))
test.after.each(() => {
  monitor?.close()
  mock.timers.reset()
})

function start(data = '.') {
  const readings: MachineReading[] = []
  monitor = new Monitor(data, true, (reading) => readings.push(reading))
  return { monitor, readings, seconds: (count: number) => mock.timers.tick(count * 1000) }
}

test('it takes a sample at once and then every second, and reports each', () => {
  const { monitor, readings, seconds } = start()
  assert.equal(readings.length, 1)
  seconds(3)
  assert.equal(readings.length, 4)
  assert.equal(monitor.reading(), readings[3])
  monitor.close()
  seconds(5)
  assert.equal(readings.length, 4)
})

test('rates are absent after the first sample', () => {
  const { monitor, seconds } = start()
  const first = monitor.reading()
  for (const name of ['cpu', 'net-rx', 'net-tx'] as const) assert.equal(first[name], undefined, name)
  assert.ok(first['disk-info'] && first.mem !== undefined && first['mem-total'])
  seconds(1)
  const { 'net-rx': rx = -1, 'net-tx': tx = -1 } = monitor.reading()
  assert.ok(rx >= 0 && tx >= 0)
})

test('the history has up to 60 seconds and 60 minutes, and is empty at first', () => {
  const { monitor, seconds } = start()
  assert.deepEqual(monitor.history(), { 'mbps-s': { rx: [], tx: [] }, 'mbps-m': { rx: [], tx: [] } })
  const lengths = () => {
    const { 'mbps-s': bySecond, 'mbps-m': byMinute } = monitor.history()
    assert.deepEqual([bySecond.rx.length, byMinute.rx.length], [bySecond.tx.length, byMinute.tx.length])
    return [bySecond.rx.length, byMinute.rx.length]
  }
  seconds(59)
  assert.deepEqual(lengths(), [59, 0])
  seconds(1)
  assert.deepEqual(lengths(), [60, 1])
  seconds(120)
  assert.deepEqual(lengths(), [60, 3])
  seconds(3600)
  assert.deepEqual(lengths(), [60, 60])
  const history = monitor.history()
  history['mbps-s'].rx.length = 0
  assert.deepEqual(lengths(), [60, 60], 'history() returns a copy')
  const mean = history['mbps-s'].tx.reduce((sum, rate) => sum + rate, 0) / 60
  assert.ok(
    Math.abs((history['mbps-m'].tx.at(-1) ?? -1) - mean) < 0.01,
    'the value of a minute is the mean of its seconds'
  )
})

test('for a missing folder the disk space is absent', () => {
  const { monitor } = start('/not/there')
  assert.equal(monitor.reading()['disk-info'], undefined)
})

test.run()
