import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, SUCCESS, TIMEOUT, UNSUPPORTED } from '../../../../contract/codes.ts'
import type { DeviceConfig } from '../../../../contract/device/config.ts'
import {
  acceptDevices,
  configureDevices,
  deleteDevices,
  getGlobalDevice,
  listDevices,
  listDevicesBySerial,
  queryDevice,
  setGlobalDevice
} from '../../../../contract/device/device.ts'
import type { PushOrder } from '../../../../contract/device/link.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, RTMP } from '../../../../contract/stream/protocols.ts'
import { wantedChannel } from '../../../../hub/channels/wanted.ts'
import { connectLinkDevice, type LinkDevice } from '../../../kit/fleet/link-device.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device configuration')
let device: LinkDevice | undefined
test.after.each(async () => {
  await device?.end()
  device = undefined
})
hubForEach(test)

const SRT: DeviceConfig = {
  input: { protocol: 2, 'stream-index': 1, latency: 400 },
  output: { protocol: 2, latency: 200, 'buffer-ms': 500 }
}

test('a configuration is stored and returned, and a half that is left out is cleared', async () => {
  const [a = '', b = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [a, b] })
  const configOf = async (sn: string) => (await admin.send(queryDevice, { sn })).dev.config
  assert.equal(await configOf(a), undefined)
  const reply = await admin.send(configureDevices, { sn: [a, b, 'nothing'], config: SRT })
  assert.deepEqual(
    reply.details.map(({ result }) => result),
    [0, 0, NOT_EXIST]
  )
  assert.deepEqual(await configOf(a), SRT)
  const { rev } = await admin.send(listDevices, {})
  await admin.send(configureDevices, { sn: [a], config: { input: { protocol: 0, 'stream-index': 0 } } })
  assert.deepEqual(await configOf(a), { input: { protocol: 0, 'stream-index': 0 } })
  const { list } = await admin.send(listDevices, { since: rev })
  assert.deepEqual(
    list.map(({ sn }) => sn),
    [a]
  )
  await admin.send(configureDevices, { sn: [a], config: {} })
  assert.equal(await configOf(a), undefined)
  assert.deepEqual(await configOf(b), SRT)
  await admin.send(deleteDevices, { sn: [b] })
  assert.equal(hub.parts.store.database.get('SELECT 1 FROM device_config'), undefined)
})

test('the global default is returned on request, and setting it does not change the visibility', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { security } = await admin.send(getGlobalDevice, {})
  assert.equal((await admin.send(setGlobalDevice, { config: SRT })).result, SUCCESS)
  assert.deepEqual(await admin.send(getGlobalDevice, {}), { result: SUCCESS, security, config: SRT })
  const global = { device: SRT }
  assert.deepEqual((await admin.send(queryDevice, { sn, 'global-config': 1 }))['global-config'], global)
  assert.deepEqual((await admin.send(listDevices, { 'global-config': 1 }))['global-config'], global)
  assert.deepEqual((await admin.send(listDevicesBySerial, { sn: [sn] }))['global-config'], global)
  assert.equal((await admin.send(queryDevice, { sn }))['global-config'], undefined)
  await admin.send(setGlobalDevice, { security })
  assert.deepEqual((await admin.send(getGlobalDevice, {})).config, SRT)
  await admin.send(setGlobalDevice, { config: {} })
  assert.deepEqual((await admin.send(getGlobalDevice, {})).config, {})
})

test('numbers out of range are refused with their field, and nothing changes', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  for (const [config, field, min, max] of [
    [{ input: { protocol: 2, 'stream-index': 0, latency: 19 } }, 'config.input.latency', 20, 8000],
    [{ output: { protocol: 2, latency: 8001 } }, 'config.output.latency', 20, 8000],
    [{ output: { protocol: 2, 'buffer-ms': 0 } }, 'config.output.buffer-ms', 1, 2000]
  ] as const)
    for (const reply of [
      await admin.send(configureDevices, { sn: [sn], config }),
      await admin.send(setGlobalDevice, { config })
    ])
      assert.deepEqual([reply.result, reply.field, reply.min, reply.max], [INVALID_ARG, field, min, max])
  for (const input of [{ protocol: 3, 'stream-index': 0 }, { protocol: 2, 'stream-index': 2 }, { protocol: 2 }])
    assert.equal((await admin.send(configureDevices, { sn: [sn], config: { input } as never })).result, INVALID_ARG)
  assert.equal((await admin.send(setGlobalDevice, {})).result, INVALID_ARG)
  assert.deepEqual((await admin.send(getGlobalDevice, {})).config, {})
})

test('Ultra Stream and third-party devices have no configuration, and setting it needs the permission to edit', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const others = [
    helloOf(2, { sn: 'A302210600001', module: 1, 'product-id': 770 }),
    helloOf(3, { sn: '3RDPARTY-1', module: 4278190080, 'product-id': 0, api: 'none' })
  ]
  for (const hello of others) hub.parts.registry.register(hello, 'x')
  const reply = await admin.send(configureDevices, { sn: [...others.map((device) => device.sn), sn], config: SRT })
  assert.deepEqual(
    reply.details.map(({ result }) => result),
    [UNSUPPORTED, UNSUPPORTED, 0]
  )
  const viewer = addSignedInUser(hub, 'vera', DEVICE_VIEW)
  assert.equal((await viewer.send(configureDevices, { sn: [sn], config: SRT })).result, NOT_PERMITTED)
})

test('RTMP is stored for a device and as the global default, which protocol 0 of a device stands for', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: (await admin.send(queryDevice, { sn })).dev.id })
  const protocol = () => {
    const input = wantedChannel(hub.parts.store, id)?.input
    return input?.kind === 'device' ? input.push?.protocol : 'no device'
  }
  const set = async (config: DeviceConfig) => (await admin.send(configureDevices, { sn: [sn], config })).result
  assert.equal(protocol(), undefined)
  assert.equal(await set({ input: { protocol: 1, 'stream-index': 1 } }), 0)
  assert.deepEqual((await admin.send(queryDevice, { sn })).dev.config, { input: { protocol: 1, 'stream-index': 1 } })
  assert.equal(protocol(), RTMP)
  assert.equal(await set({ input: { protocol: 0, 'stream-index': 0 } }), 0)
  assert.equal(protocol(), undefined)
  const global = { config: { input: { protocol: 1, 'stream-index': 0 } } }
  assert.equal((await admin.send(setGlobalDevice, global)).result, SUCCESS)
  assert.equal(protocol(), RTMP)
  assert.equal(await set({ input: { protocol: 2, 'stream-index': 0 } }), 0)
  assert.equal(protocol(), undefined)
  assert.equal(await set({}), 0)
  assert.equal(protocol(), RTMP)
})

test('a device receives its configuration when it is ordered to send and when the configuration changes; without media it is not reported as live', async () => {
  const { linkPort } = await hub.listen(0, 0)
  const orders: PushOrder[] = []
  device = await connectLinkDevice(linkPort, helloOf(1), ({ path, body }) => {
    if (path === '/link/push') orders.push(JSON.parse(body))
    // It reports that it streams, and sends nothing.
    return { result: SUCCESS, 'cur-status': 4, 'live-status': { result: TIMEOUT, 'run-ms': 5000 } }
  })
  const { sn } = helloOf(1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await until(() => hub.parts.registry.isOnline(sn), 'the device is online')
  assert.equal((await admin.send(queryDevice, { sn })).dev.stream, undefined)
  await admin.send(setChannelInput, { id, input: (await admin.send(queryDevice, { sn })).dev.id })
  await admin.send(enableChannel, { id, enable: true })
  const orderFields = (order: PushOrder | undefined) => [order?.latency, order?.['stream-index']]
  await until(() => orders.length === 1, 'the device gets an order to send')
  assert.deepEqual(orderFields(orders[0]), [120, 0])
  await admin.send(configureDevices, { sn: [sn], config: SRT })
  await until(() => orders.length === 2, 'the device gets another order')
  assert.deepEqual(orderFields(orders[1]), [400, 1])
  // The same again, and another output half, are no reason to break the stream.
  await admin.send(configureDevices, { sn: [sn], config: { input: SRT.input } as DeviceConfig })
  await admin.send(setGlobalDevice, { config: { input: { protocol: 2, 'stream-index': 0, latency: 999 } } })
  await admin.send(configureDevices, { sn: [sn], config: {} })
  await until(() => orders.length === 3, 'the global default applies again')
  assert.deepEqual(orderFields(orders[2]), [999, 0])
  await until(
    () => hub.parts.registry.liveState(sn)?.observation?.status.live?.on === true,
    'the device reports that it streams'
  )
  const { dev } = await admin.send(queryDevice, { sn })
  assert.equal(dev.status?.live?.on, true)
  assert.notEqual(dev.stream?.['conn-state'], CONNECTION_STATE.connected)
  assert.equal(dev.stream?.kbps, 0)
  const { list, rev } = await admin.send(listDevices, {})
  assert.equal(list[0]?.stream?.kbps, undefined)
  await admin.send(enableChannel, { id, enable: false })
  const after = await admin.send(listDevices, { since: rev })
  assert.deepEqual([after.list.length, after.list[0]?.stream], [1, undefined])
})

test.run()
