// Misbehaving devices: the hub keeps answering, and does not report implausible values.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { type Device, listDevices, queryDevice } from '../../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../../contract/device/link.ts'
import { listLog } from '../../../../contract/log.ts'
import { addChannel, channelDashboard, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../../contract/stream/protocols.ts'
import { systemStatus } from '../../../../contract/system.ts'
import type { BehaviourCommand } from '../../../../fleet/behaviour.ts'
import { acceptAll, type DemoDevice, startDevices } from '../../../kit/fleet/demo-device.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { ownTime } from '../../../kit/own-time.ts'
import { until } from '../../../kit/until.ts'

const test = suite('misbehaving devices')
const YEAR = 365 * 86_400
let hub: TestHub
let admin: Client
let folder: string
let linkPort: number
let devices: DemoDevice[]

test.before.each(async () => {
  devices = []
  folder = mkdtempSync(join(tmpdir(), 'faults-'))
  hub = await startHub()
  linkPort = (await hub.listen(0, 0)).linkPort
  admin = hub.clientAs()
})
test.after.each(async () => {
  for (const device of devices) device.stop()
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** Starts and accepts one device per command. */
async function start(...commands: BehaviourCommand[]): Promise<string[]> {
  devices = startDevices({ folder, linkPort }, 'encodeAio', commands.length)
  commands.forEach((command, index) => void devices[index]?.applyCommand(command))
  await acceptAll(hub, admin, devices)
  return devices.map(({ sn }) => sn)
}

const observed = (sn: string) => hub.parts.registry.liveState(sn)?.observation
const device = async (sn: string) => (await admin.send(queryDevice, { sn })).dev

/** Entries of the device log for an event. */
async function logEntries(event: string) {
  const { list } = await admin.send(listLog, { type: 'device', count: 1000 })
  return list.filter((entry) => entry.event === event)
}

/** Asserts that the name is unchanged and all values are possible. */
function assertPlausible({ name, status = {} }: Device, expected: string): void {
  assert.equal(name, expected)
  for (const load of status.cpu ?? []) assert.ok(load >= 0 && load <= 100, `${load} %`)
  for (const rate of [...(status['eth-rx'] ?? []), ...(status['eth-tx'] ?? [])]) assert.ok(rate >= 0, `${rate} bps`)
  assert.ok((status['up-time'] ?? 0) >= 0)
}

test('garbage, missing responses and responses of 50 MB do not affect other devices, and implausible values are dropped', async () => {
  const [normal = '', ...misbehaving] = await start('normal', 'lie', 'lie', 'stall', 'flood', 'flood', 'refuse')
  await until(() => observed(normal) !== undefined, 'the normal device was polled')
  const names = new Map(devices.map(({ sn }) => [sn, hub.parts.store.devices.bySerial(sn)?.name ?? '']))
  const durations: number[] = []
  const countSamples = () => observed(normal)?.status?.cpu?.length ?? 0
  const samples = countSamples()
  await until(async () => {
    let devicesNow: Device[] = []
    const took = await ownTime(async () => {
      await admin.send(systemStatus, {})
      devicesNow = (await admin.send(listDevices, {})).list
    })
    durations.push(took)
    assert.equal(devicesNow.length, devices.length)
    for (const listed of devicesNow) assertPlausible(listed, names.get(listed.sn) ?? '')
    return durations.length > 40 && countSamples() > samples + 1
  }, 'the normal device is polled twice more')
  const sorted = durations.sort((a, b) => a - b)
  assert.ok((sorted[Math.floor(sorted.length / 2)] ?? 0) < 300, `call durations: ${sorted.join()} ms`)
  assert.ok((await device(normal)).status?.cpu?.length, 'the normal device is still polled')
  for (const sn of misbehaving) assert.ok((await device(sn))['online-date'] > 0, 'misbehaving devices are online')
  // The hub reports no input for a device that never sent a valid response.
  for (const sn of misbehaving.slice(2)) assert.equal(observed(sn)?.input, undefined)
})

test('a device that responded with 50 MB is observed again after its next normal response', async () => {
  const [sn = ''] = await start('flood')
  await until(() => observed(sn) !== undefined, 'the hub has given up its responses')
  assert.equal(observed(sn)?.input, undefined)
  devices[0]?.applyCommand('normal')
  await until(() => Boolean(observed(sn)?.status?.memory), 'the device is observed')
})

test('a device with its clock ten years ahead keeps its own uptime, and the hub uses its own clock for dates', async () => {
  const before = Date.now()
  const [sn = ''] = await start('wrong-clock')
  await until(() => observed(sn) !== undefined, 'the device is observed')
  const listed = await device(sn)
  assert.ok((listed.status?.['up-time'] ?? 0) > 9 * YEAR)
  for (const time of [
    listed['online-date'],
    listed['apply-date'],
    ...(await logEntries('device-registered')).map((entry) => entry.time)
  ])
    assert.ok(time >= before && time <= Date.now(), new Date(time).toISOString())
  devices[0]?.applyCommand('normal')
  const { total } = await admin.send(listDevices, { status: 'online' })
  assert.equal(total, 1)
})

test('a copy of an online device is refused and logged, and the device stays online', async () => {
  const [sn = ''] = await start('normal')
  devices[0]?.applyCommand('twin')
  await until(async () => (await logEntries('device-refused')).length > 0, 'the copy is refused')
  const [entry] = await logEntries('device-refused')
  assert.deepEqual([entry?.sn, entry?.detail.endsWith(String(REFUSAL_STATE.exists))], [sn, true])
  assert.deepEqual([(await logEntries('device-offline')).length, hub.parts.registry.isOnline(sn)], [0, true])
})

test('a stream that a device reports but does not send is not shown as connected', async () => {
  const [sn = ''] = await start('pretend')
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: hub.parts.store.devices.bySerial(sn)?.id ?? 0 })
  await admin.send(enableChannel, { id, enable: true })
  const states = new Set<number | undefined>()
  const countSamples = () => observed(sn)?.status?.cpu?.length ?? 0
  const samples = countSamples()
  await until(async () => {
    states.add((await device(sn)).stream?.['conn-state'])
    const { list } = await admin.send(channelDashboard, {})
    states.add(list[0]?.input?.['conn-state'])
    return countSamples() > samples + 2
  }, 'the device has reported three times')
  assert.ok(!states.has(CONNECTION_STATE.connected), [...states].join())
})

test.run()
