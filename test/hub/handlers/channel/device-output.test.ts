// Devices as outputs of a channel: permissions, responses, and playback on a demo decoder.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_CONTROL,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_VIEW,
  SYSTEM_CONFIG_VIEW
} from '../../../../contract/access/permissions.ts'
import { NOT_EXIST, SUCCESS, TOO_MANY, WRONG_STATE } from '../../../../contract/codes.ts'
import {
  acceptDevices,
  configureDevices,
  deleteDevices,
  listDevices,
  setDeviceSecurity,
  setGlobalDevice
} from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import {
  CONNECTION_STATE,
  DIR_BOTH,
  DIR_INPUT,
  DIR_OUTPUT,
  INPUT_DEVICE,
  INPUT_OUTPUT_DEVICE,
  OUTPUT_DEVICE,
  SOURCE_STATE
} from '../../../../contract/stream/protocols.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { wantedChannel } from '../../../../hub/channels/wanted.ts'
import { cleanUpMedia, clipPath, sendClip } from '../../../kit/engine/media.ts'
import { startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('devices as outputs of channels')
hubForEach(test)
test.after(cleanUpMedia)

/** Adds an accepted decoder without a link. @returns its serial number and node id */
async function decoder(index: number, dir: number = DIR_OUTPUT): Promise<{ sn: string; id: number }> {
  const hello = helloOf(index, { dir, name: `Screen ${index}` })
  hub.parts.registry.register(hello, '192.0.2.10')
  await admin.send(acceptDevices, { sn: [hello.sn] })
  return { sn: hello.sn, id: hub.parts.store.devices.bySerial(hello.sn)?.id ?? 0 }
}

const channelOf = async (client: Client, id: number) => (await client.send(queryChannel, { id })).channel

test('a decoder becomes the output of one channel, is switched off and on, and is removed', async () => {
  const { sn, id: screen } = await decoder(1)
  const { id: encoder } = await decoder(2, 256)
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  const { id: other } = await admin.send(addChannel, { name: 'Monday' })
  const add = async (channel: number, node: number) =>
    (await admin.send(addChannelOutputs, { id: channel, outputs: [node] })).result
  assert.equal(await add(id, encoder), NOT_EXIST)
  assert.equal(await add(id, screen), SUCCESS)
  assert.equal(await add(other, screen), WRONG_STATE)
  await admin.send(enableChannel, { id, enable: true })
  await admin.send(setChannelInput, {
    id,
    input: (await admin.send(addInput, { name: 'In', config: { type: 1, url: 'srt://10.0.0.1:9000' } })).id
  })
  const [output] = (await channelOf(admin, id)).outputs.list
  assert.deepEqual(
    {
      id: output?.id,
      name: output?.name,
      type: output?.type,
      sn: output?.sn,
      addr: output?.addr,
      enable: output?.enable
    },
    { id: screen, name: 'Screen 1', type: OUTPUT_DEVICE, sn, addr: '192.0.2.10', enable: true }
  )
  assert.deepEqual([output?.state, output?.['conn-state']], [SOURCE_STATE.offline, CONNECTION_STATE.disconnected])
  assert.match(output?.health?.message ?? '', /^The device is offline\./)
  const outputCount = async () => (await admin.send(channelDashboard, {}))['output-num']
  assert.equal(await outputCount(), 1)
  const setEnabled = (enable: boolean) => admin.send(enableChannelOutputs, { id, outputs: [screen], enable })
  assert.equal((await setEnabled(false)).result, SUCCESS)
  assert.equal((await channelOf(admin, id)).outputs.list[0]?.enable, false)
  assert.equal(await outputCount(), 0)
  assert.equal((await admin.send(deleteChannelOutputs, { id, outputs: [screen] })).result, SUCCESS)
  assert.equal((await admin.send(deleteChannelOutputs, { id, outputs: [screen] })).result, NOT_EXIST)
  assert.deepEqual((await channelOf(admin, id)).outputs.list, [])
  assert.equal(await add(other, screen), SUCCESS)
})

test('a device that can be both is a node of type 769 in lists, as the input of one channel and as the output of another', async () => {
  const { sn, id: node } = await decoder(1, DIR_BOTH)
  await decoder(2, DIR_INPUT)
  await decoder(3, 0)
  const typesOf = async (dir?: 'input' | 'output') => {
    const { list } = await admin.send(listDevices, { ...(dir && { dir }), sort: 'sn', order: 'ascending' })
    return list.map(({ type }) => type)
  }
  assert.deepEqual(await typesOf(), [INPUT_OUTPUT_DEVICE, INPUT_DEVICE, undefined])
  assert.deepEqual(await typesOf('input'), [INPUT_OUTPUT_DEVICE, INPUT_DEVICE])
  assert.deepEqual(await typesOf('output'), [INPUT_OUTPUT_DEVICE])
  const { id: source } = await admin.send(addChannel, { name: 'From the studio' })
  const { id: target } = await admin.send(addChannel, { name: 'To the studio' })
  assert.equal((await admin.send(setChannelInput, { id: source, input: node })).result, SUCCESS)
  assert.equal((await admin.send(addChannelOutputs, { id: target, outputs: [node] })).result, SUCCESS)
  const { input } = await channelOf(admin, source)
  const [output] = (await channelOf(admin, target)).outputs.list
  assert.deepEqual([input?.type, input?.sn, input?.id], [INPUT_OUTPUT_DEVICE, sn, node])
  assert.deepEqual([output?.type, output?.sn, output?.id], [INPUT_OUTPUT_DEVICE, sn, node])
})

test('a deleted decoder is no longer an output', async () => {
  const { sn, id: screen } = await decoder(1)
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  await admin.send(addChannelOutputs, { id, outputs: [screen] })
  await admin.send(deleteDevices, { sn: [sn] })
  assert.deepEqual((await channelOf(admin, id)).outputs.list, [])
  assert.equal(hub.parts.engine.observe(id).outputs.size, 0)
})

test('the licence counts devices that are outputs', async () => {
  const limits = hub.parts.store.settings.get('license-limits')
  hub.parts.store.settings.set('license-limits', { ...limits, 'max-output-count': 1 })
  const [firstDecoder, secondDecoder] = [await decoder(1), await decoder(2)]
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  await admin.send(enableChannel, { id, enable: true })
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: [firstDecoder.id] })).result, SUCCESS)
  assert.notEqual((await admin.send(addChannelOutputs, { id, outputs: [secondDecoder.id] })).result, SUCCESS)
  assert.equal((await channelOf(admin, id)).outputs.total, 1)
})

test('a channel has at most 16 outputs, including devices', async () => {
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  const nodes: number[] = []
  for (let index = 1; index <= 17; index++) nodes.push((await decoder(index)).id)
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: nodes.slice(0, 16) })).result, SUCCESS)
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: nodes.slice(16) })).result, TOO_MANY)
})

test('a caller without access to the device gets result 16 and no identity of it', async () => {
  const { sn, id: screen } = await decoder(1)
  const { sn: second, id: free } = await decoder(2)
  const vera = addSignedInUser(
    hub,
    'vera',
    CHANNEL_VIEW | CHANNEL_EDIT | CHANNEL_CONTROL | DEVICE_VIEW | SYSTEM_CONFIG_VIEW
  )
  const security = { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 }
  await admin.send(setDeviceSecurity, { sn: [sn, second], security })
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  await admin.send(addChannelOutputs, { id, outputs: [screen] })
  const [output] = (await channelOf(vera, id)).outputs.list
  assert.deepEqual(
    [output?.name, output?.addr, output?.hidden, output?.sn, output?.health?.message, output?.id],
    ['', '', true, undefined, undefined, screen]
  )
  assert.equal((await vera.send(addChannelOutputs, { id, outputs: [free] })).result, NOT_EXIST)
  // The log does not disclose the name of the device either, even to a caller who may remove the output.
  assert.equal((await vera.send(enableChannelOutputs, { id, outputs: [screen], enable: false })).result, SUCCESS)
  assert.equal((await vera.send(deleteChannelOutputs, { id, outputs: [screen] })).result, SUCCESS)
  const { list } = await vera.send(listLog, { type: 'operation' })
  assert.ok(list.length > 0)
  assert.doesNotMatch(JSON.stringify(list), /Screen/)
})

test('a device plays with its own configuration, else with the global default', async () => {
  const { sn, id: screen } = await decoder(1)
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  await admin.send(addChannelOutputs, { id, outputs: [screen] })
  const outputConfig = () => wantedChannel(hub.parts.store, id)?.outputs[0]?.config
  assert.deepEqual(outputConfig(), { sn, latency: 120 })
  await admin.send(setGlobalDevice, { config: { output: { protocol: 2, latency: 300 } } })
  assert.deepEqual(outputConfig(), { sn, latency: 300 })
  await admin.send(configureDevices, { sn: [sn], config: { output: { protocol: 2, 'buffer-ms': 50 } } })
  assert.deepEqual(outputConfig(), { sn, latency: 120, 'buffer-ms': 50 })
})

test('a demo decoder plays the stream of a channel and reports its bit rate', async () => {
  clipPath()
  const fleet = await startSimulatedFleet(hub, admin)
  try {
    const sn = await fleet.add('ndiToHdmi', 'Lobby')
    const decoderId = hub.parts.store.devices.bySerial(sn)?.id ?? 0
    const port = await freeUdpPort()
    const { id: input } = await admin.send(addInput, {
      name: 'In',
      config: { type: 1, url: `udp://127.0.0.1:${port}` }
    })
    const { id } = await admin.send(addChannel, { name: 'Sunday service' })
    await admin.send(setChannelInput, { id, input })
    await admin.send(addChannelOutputs, { id, outputs: [decoderId] })
    await admin.send(enableChannel, { id, enable: true })
    sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
    const output = async () => (await channelOf(admin, id)).outputs.list[0]
    await until(async () => (await output())?.['conn-state'] === CONNECTION_STATE.connected, 'the output is connected')
    assert.ok(((await output())?.kbps ?? 0) > 0)
    const summary = async () => {
      const response = await hub.parts.links.request(
        sn,
        { method: 'GET', path: '/mwapi?method=get-summary-info' },
        5000
      )
      return JSON.parse(response.body.toString()) as { ndi: { url: string }; ethernet: { 'rx-speed-kbps': number } }
    }
    await until(async () => (await summary()).ndi.url.startsWith('srt://'), 'the device plays')
    await until(async () => (await summary()).ethernet['rx-speed-kbps'] > 100, 'the device receives')
    await admin.send(deleteChannelOutputs, { id, outputs: [decoderId] })
    await until(async () => !(await summary()).ndi.url.startsWith('srt://'), 'the device has stopped')
  } finally {
    fleet.close()
  }
})

test.run()
