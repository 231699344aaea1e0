// What devices do that no device should: the hub goes on answering, and says what is true.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { type Device, listDevices, queryDevice } from '../../../../contract/device/device.ts'
import { REFUSAL } from '../../../../contract/device/link.ts'
import { listLog } from '../../../../contract/log.ts'
import { addChannel, channelDashboard, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION } from '../../../../contract/stream/protocols.ts'
import { systemStatus } from '../../../../contract/system.ts'
import type { Order } from '../../../../fleet/behaviour.ts'
import { acceptAll, type DemoDevice, startDevices } from '../../../kit/demo-device.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('faults')
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
  admin = hub.enter()
})
test.after.each(async () => {
  for (const device of devices) device.stop()
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** Devices, each of which behaves as one of the words says from its first answer on. */
async function start(...words: Order[]): Promise<string[]> {
  devices = startDevices({ folder, linkPort }, 'encodeAio', words.length)
  words.forEach((word, index) => void devices[index]?.tell(word))
  await acceptAll(hub, admin, devices)
  return devices.map(({ sn }) => sn)
}

const observed = (sn: string) => hub.hub.registry.live(sn)?.observed
const device = async (sn: string) => (await admin.send(queryDevice, { sn })).dev

/** Lines of the device log about one event. */
async function lines(event: string) {
  const { list } = await admin.send(listLog, { type: 'device', count: 1000 })
  return list.filter((line) => line.event === event)
}

/** Whether nothing that is said of it can be wrong. */
function assertPlausible({ name, status = {} }: Device, expected: string): void {
  assert.equal(name, expected)
  for (const load of status.cpu ?? []) assert.ok(load >= 0 && load <= 100, `${load} %`)
  for (const rate of [...(status['eth-rx'] ?? []), ...(status['eth-tx'] ?? [])]) assert.ok(rate >= 0, `${rate} bps`)
  assert.ok((status['up-time'] ?? 0) >= 0)
}

test('garbage, silence and 50 MB cost the others nothing, and nothing is believed that cannot be', async () => {
  const [honest = '', ...bad] = await start('normal', 'lie', 'lie', 'stall', 'flood', 'flood', 'refuse')
  await until(() => observed(honest) !== undefined, 'the honest one is known')
  const names = new Map(devices.map(({ sn }) => [sn, hub.hub.store.devices.bySerial(sn)?.name ?? '']))
  const took: number[] = []
  for (const began = performance.now(); performance.now() - began < 2500; ) {
    const asked = performance.now()
    await admin.send(systemStatus, {})
    const { list, total } = await admin.send(listDevices, {})
    took.push(performance.now() - asked)
    assert.equal(total, devices.length)
    for (const one of list) assertPlausible(one, names.get(one.sn) ?? '')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const sorted = took.sort((a, b) => a - b)
  assert.ok((sorted[Math.floor(sorted.length / 2)] ?? 0) < 300, `half of the calls took ${sorted.join()} ms`)
  assert.ok((await device(honest)).status?.cpu?.length, 'the honest one is asked on')
  for (const sn of bad) assert.ok((await device(sn))['online-date'] > 0, 'their links are up, and that is what is said')
  // Of one that never gave an answer nothing is claimed.
  for (const sn of bad.slice(2)) assert.equal(observed(sn)?.input, undefined)
})

test('a device that answered with 50 MB is known again as soon as it answers well', async () => {
  const [sn = ''] = await start('flood')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  assert.equal(observed(sn)?.input, undefined)
  devices[0]?.tell('normal')
  await until(() => Boolean(observed(sn)?.status?.memory), 'it is known')
})

test('a device whose clock is ten years ahead is told with its own up time, and the hub with its own time', async () => {
  const before = Date.now()
  const [sn = ''] = await start('wrong-clock')
  await until(() => observed(sn) !== undefined, 'it is known')
  const one = await device(sn)
  assert.ok((one.status?.['up-time'] ?? 0) > 9 * YEAR)
  for (const time of [
    one['online-date'],
    one['apply-date'],
    ...(await lines('device-registered')).map((line) => line.time)
  ])
    assert.ok(time >= before && time <= Date.now(), new Date(time).toISOString())
  devices[0]?.tell('normal')
  const { total } = await admin.send(listDevices, { status: 'online' })
  assert.equal(total, 1)
})

test('of a device and its copy the first stays, without coming and going, and the copy is in the log', async () => {
  const [sn = ''] = await start('normal')
  devices[0]?.tell('twin')
  for (const end = performance.now() + 5000; (await lines('device-refused')).length === 0; ) {
    assert.ok(performance.now() < end, 'the copy was refused')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const [line] = await lines('device-refused')
  assert.deepEqual([line?.sn, line?.detail.endsWith(String(REFUSAL.exists))], [sn, true])
  assert.deepEqual([(await lines('device-offline')).length, hub.hub.registry.online(sn)], [0, true])
})

test('a stream that a device only says it sends is not said to arrive', async () => {
  const [sn = ''] = await start('pretend')
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: hub.hub.store.devices.bySerial(sn)?.id ?? 0 })
  await admin.send(enableChannel, { id, enable: true })
  const states = new Set<number | undefined>()
  for (const began = performance.now(); performance.now() - began < 2500; ) {
    states.add((await device(sn)).stream?.['conn-state'])
    const { list } = await admin.send(channelDashboard, {})
    states.add(list[0]?.input?.['conn-state'])
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.ok(!states.has(CONNECTION.connected), [...states].join())
})

test.run()
