// Many devices at addresses, among them slow ones and ones that hang.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS, TOO_MANY } from '../../../../contract/codes.ts'
import { ADDRESSED_MAX, addDevice } from '../../../../contract/device/address.ts'
import { listDevices, REGISTRATION_STATE } from '../../../../contract/device/device.ts'
import { FARM_PASSWORD, FARM_USER, startAddressFarm } from '../../../kit/fleet/address-farm.ts'
import { createAddRequest } from '../../../kit/fleet/addressed-devices.ts'
import { startHttpDevice } from '../../../kit/fleet/http-device.ts'
import { startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('many devices at addresses')
let hub: TestHub

test.before.each(async () => {
  hub = await startHub({ addressed: { retry: [500, 15_000], find: 4000, verify: 2500 } })
})
test.after.each(() => hub.close())

/** Stores devices at addresses, and connects to them. */
function addStored(devices: readonly { sn: string; address: string; port: number }[]): void {
  const { store, addressedDevices } = hub.parts
  store.database.transaction(() => {
    for (const { sn, address, port } of devices) {
      const hello = { ...helloOf(1), sn, dir: 0, preview: false, key: '' }
      const id = store.devices.add(hello, '', REGISTRATION_STATE.accepted, address, Date.now())
      store.deviceAddresses.set(id, { address, port, https: false, user: FARM_USER, password: FARM_PASSWORD, cert: '' })
    }
  })
  for (const { sn } of devices) addressedDevices.connectDevice(sn)
}

test('1000 devices can be at addresses, and no more', async () => {
  assert.equal(ADDRESSED_MAX, 1000)
  const device = await startHttpDevice('encodeAio')
  const second = await startHttpDevice('encodeAio', { sn: 'B313210600124' })
  try {
    const admin = hub.clientAs()
    // Nobody listens at port 1.
    addStored(
      Array.from({ length: ADDRESSED_MAX - 1 }, (_, index) => ({
        sn: `B313${String(216_000_000 + index)}`,
        address: '127.0.0.1',
        port: 1
      }))
    )
    assert.equal((await admin.send(addDevice, createAddRequest(device))).result, SUCCESS)
    const { result, max } = await admin.send(addDevice, createAddRequest(second))
    assert.deepEqual([result, max, second.requests], [TOO_MANY, ADDRESSED_MAX, []])
  } finally {
    await device.close()
    await second.close()
  }
})

test('slow and hanging devices delay nobody, and each has one connection', async () => {
  const isSlow = (index: number) => index % 6 === 0
  const isHanging = (index: number) => index % 6 === 1
  const farm = await startAddressFarm(180, (index) => (isSlow(index) ? 300 : 0))
  try {
    for (const [index, device] of farm.devices.entries()) device.isHanging = isHanging(index)
    addStored(farm.devices.map(({ sn, address }) => ({ sn, address, port: farm.port })))
    const healthy = farm.devices.filter((_, index) => !isHanging(index))
    const fast = healthy.filter(({ sn }) => !isSlow(farm.devices.findIndex((each) => each.sn === sn)))
    await until(() => fast.every(({ polls }) => polls > 2), 'the fast ones are polled again and again')
    await until(() => healthy.every(({ polls }) => polls > 1), 'and the slow ones')
    const admin = hub.clientAs()
    const { list } = await admin.send(listDevices, { start: 0, count: 200 })
    assert.equal(list.filter((device) => device['online-date'] > 0).length, healthy.length)
    for (const device of healthy) assert.ok(device.connectionsMax <= 2, `${device.connectionsMax} connections`)
    const pollsOf = (devices: typeof healthy) => devices.reduce((sum, { polls }) => sum + polls, 0) / devices.length
    assert.ok(pollsOf(fast) >= pollsOf(healthy.filter((device) => !fast.includes(device))))
  } finally {
    await farm.close()
  }
})

test.run()
