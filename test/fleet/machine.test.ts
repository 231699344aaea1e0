import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createTestAppliance } from '../kit/fleet/appliance.ts'

const test = suite('machine')

test('values change and stay plausible', () => {
  const device = createTestAppliance('directorMini')
  const loads = new Set<number>()
  for (let step = 0; step < 2000; step++) {
    device.time += 43_000
    const { cpu, memory, temperature, fan, rx, tx } = device.machine.read()
    loads.add(cpu)
    assert.ok(cpu >= 0 && cpu <= 100 && memory > 0 && memory < 100, `${cpu} ${memory}`)
    assert.ok(temperature > 20 && temperature < 90, String(temperature))
    assert.ok(fan > 1000 && fan < 8000 && rx > 0 && tx > 0)
  }
  assert.ok(loads.size > 10)
})

test('pushing a stream raises the traffic while it lasts', () => {
  const { machine } = createTestAppliance('encodeAio')
  const idle = machine.read().tx
  machine.setPushing(true)
  assert.ok(machine.read().tx > idle + 1_500_000)
  assert.equal(machine.read().pushing, true)
  machine.setPushing(false)
  assert.ok(machine.read().tx < 100_000)
})

test('a flaky signal is lost and recovers within minutes, a normal one is never lost', () => {
  const [flaky, normal] = [createTestAppliance('hdmiToNdi', true), createTestAppliance('hdmiToNdi')]
  const changes: boolean[] = []
  for (let second = 0; second < 1800; second++) {
    flaky.time += 1000
    normal.time += 1000
    const hasSignal = flaky.machine.read().signal !== undefined
    if (hasSignal !== changes.at(-1)) changes.push(hasSignal)
    assert.ok(normal.machine.read().signal)
  }
  assert.ok(changes.length >= 5, String(changes.length))
})

test('a recording fills the disk and stops when it is full', () => {
  const device = createTestAppliance('streamHdmi')
  assert.equal(device.machine.startRecording(), 'started')
  assert.equal(device.machine.startRecording(), 'already')
  const before = device.machine.read().disk?.used ?? 0
  device.time += 60_000
  const during = device.machine.read()
  assert.equal(during.disk?.used, before + 60)
  assert.equal(during.recording, 60_000)
  device.time += 100 * 3_600_000
  const after = device.machine.read()
  assert.equal(after.disk?.used, after.disk?.total)
  assert.equal(after.recording, undefined)
  assert.equal(device.machine.startRecording(), 'no-space')
})

test('a recording does not start with a full disk or without a signal', () => {
  const device = createTestAppliance('streamHdmi')
  device.behaviour = 'full'
  assert.equal(device.machine.startRecording(), 'no-space')
  assert.equal(device.machine.startLive(), 'started')
  device.behaviour = 'no-signal'
  assert.equal(device.machine.startRecording(), 'no-signal')
})

test('a restart resets the uptime and ends recordings and streams', () => {
  const device = createTestAppliance('streamHdmi')
  device.machine.startLive()
  device.time += 3_600_000
  assert.equal(device.machine.read().upTime, 3600)
  device.machine.restart()
  device.time += 2000
  assert.equal(device.machine.read().upTime, 2)
  assert.equal(device.machine.read().live, undefined)
})

test.run()
