// Every call that can take a channel off air: its dry run names the channel, and changes nothing.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Call, Envelope } from '../../contract/call.ts'
import { CALL_SCHEMAS } from '../../contract/calls.schema.ts'
import { addCatalog } from '../../contract/catalog.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { addDevice } from '../../contract/device/address.ts'
import { FIREWALL_MODE } from '../../contract/machine/firewall/firewall.ts'
import { addNdiPreset } from '../../contract/ndi/preset.ts'
import type { OffAirEffect } from '../../contract/off-air.schema.ts'
import { DEVICE_UPDATE_STATE } from '../../contract/rollout.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { RTMP, SRT } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { createCallHandlers } from '../../hub/handlers/call-handlers.ts'
import type { PreparedChange } from '../../hub/machine/network/network.ts'
import { CAMERA_PASSWORD, CAMERA_USER, type OnvifCamera, startOnvifCamera } from '../kit/fleet/onvif-camera.ts'
import { fleet, updateFixtureForEach } from '../kit/fleet/update-fixture.ts'
import { firmwareFile, uploadFile } from '../kit/hub/firmware-upload.ts'
import { admin, hub } from '../kit/hub/hub-for-each.ts'
import { CARRYING_LEG, setObservedChannel } from '../kit/hub/observed-channel.ts'
import { registerDevices } from '../kit/hub/register-devices.ts'

const test = suite('calls that can take a channel off air')
updateFixtureForEach(test)

let camera: OnvifCamera
test.before.each(async () => {
  camera = await startOnvifCamera()
})
test.after.each(() => camera.close())

/** The channels on air, and what the requests need. */
interface World {
  /** A channel that a device feeds. */
  fed: number
  sn: string
  /** A device that no channel uses. */
  spare: string
  /** A device that waits for approval. */
  pending: string
  /** A channel with an input source and an output. */
  hall: number
  input: number
  output: number
  /** Serial number of a camera. */
  camera: string
  /** A channel with an NDI preset. */
  ndi: number
  preset: number
  firmware: number
  /** A rollout that is paused before its device, and one whose device has failed. Both devices feed a channel. */
  paused: number
  failed: number
  group: number
}

async function startOnAir(name: string, input: number, outputs: number[] = []): Promise<number> {
  const { id } = await admin.send(addChannel, { name })
  await admin.send(setChannelInput, { id, input })
  if (outputs.length > 0) await admin.send(addChannelOutputs, { id, outputs })
  await admin.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, CARRYING_LEG, Object.fromEntries(outputs.map((output) => [output, CARRYING_LEG])))
  return id
}

async function createWorld(): Promise<World> {
  const [sn = '', waiting = '', failing = '', spare = ''] = await fleet.start('encodeAio', 4)
  const config = { mode: 'caller', 'dst-ip': 'cdn.example.com', 'dst-port': 9000 } as const
  const { id: output } = await admin.send(addOutput, { name: 'CDN', protocol: SRT, config })
  const url = 'rtmp://192.0.2.20/live/hall'
  const { id: input } = await admin.send(addInput, { name: 'Hall in', config: { type: 1, url } })
  const { id: preset } = await admin.send(addNdiPreset, { name: 'Camera', ndi: { name: 'STUDIO (Cam 1)' } })
  const nodeOf = (serial: string) => hub.parts.store.devices.bySerial(serial)?.id ?? 0
  const fed = await startOnAir('Fed', nodeOf(sn))
  await startOnAir('Waiting', nodeOf(waiting))
  await startOnAir('Failing', nodeOf(failing))
  const hall = await startOnAir('Hall', input, [output])
  const ndi = await startOnAir('NDI', preset)
  const player = { id: 1, address: '192.0.2.40:4000', kbps: 900, livingTimeS: 5, isPublisher: false }
  hub.parts.engine.observe(hall).clients = [
    { ...player, protocol: RTMP },
    { ...player, id: 2, protocol: SRT }
  ]
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const [paused, failed] = [addRollout(firmware, waiting), addRollout(firmware, failing)]
  hub.parts.store.rollouts.suspend(paused, 'paused')
  hub.parts.store.rollouts.setDevice(failed, failing, DEVICE_UPDATE_STATE.failed)
  hub.parts.store.rollouts.suspend(failed, 'stopped')
  const { id: group } = await admin.send(addCatalog, { id: 0, name: 'Campus' })
  const [pending = ''] = registerDevices(hub, 1)
  const { sn: cameraSn } = await admin.send(addDevice, {
    ...{ address: '127.0.0.1', port: camera.port },
    ...{ user: CAMERA_USER, password: CAMERA_PASSWORD }
  })
  return {
    fed,
    sn,
    spare,
    pending,
    hall,
    input,
    output,
    camera: cameraSn,
    ndi,
    preset,
    firmware,
    paused,
    failed,
    group
  }
}

/** Stores a rollout that has not begun. */
function addRollout(firmware: number, sn: string): number {
  const plan = { first: 1, wave: 1, stop_after: 1, user: 'Admin', created: Date.now() }
  const file = { firmware_id: firmware, product_name: 'Ultra Encode AIO', hardware_ver: 'A', version: '1.5.0', test: 0 }
  return hub.parts.store.rollouts.add({ ...plan, ...file }, [{ sn, version: '1.2.345' }])
}

type Expected = Readonly<Record<string, OffAirEffect>>

const hall = (effect: OffAirEffect): Expected => ({ Hall: effect })
const each = (effect: OffAirEffect, ...names: string[]): Expected =>
  Object.fromEntries(names.map((name) => [name, effect]))
const ALL = ['Fed', 'Waiting', 'Failing', 'Hall', 'NDI']
const ALL_STOP = each('stops', ...ALL)
const ALL_RESTART = each('restarts', ...ALL)

/** A request of each call, and what it does to the channels. */
const REQUESTS: Readonly<Record<string, (world: World) => [request: object, expected: Expected]>> = {
  '/channel/set': ({ hall: id }) => [{ id, name: 'Hall', config: { 'play-key': 'other' } }, hall('outputs')],
  '/channel/enable': ({ hall: id }) => [{ id, enable: false }, hall('stops')],
  '/channel/client/drop': ({ hall: id }) => [{ id, clients: [1] }, hall('outputs')],
  '/channel/del': ({ hall: id }) => [{ id }, hall('stops')],
  '/channel/input/switch': ({ hall: id }) => [{ id, input: 'auto' }, {}],
  '/channel/input/set': ({ hall: id }) => [{ id, input: 0 }, hall('stops')],
  '/channel/input/replace': ({ input: from, preset: input }) => [{ from, input, force: true }, hall('restarts')],
  '/channel/output/del': ({ hall: id, output }) => [{ id, outputs: [output] }, hall('outputs')],
  '/channel/output/enable': ({ hall: id, output }) => [{ id, outputs: [output], enable: false }, hall('outputs')],
  '/input/source/add': () => [
    { name: 'Hall in', config: { type: 1, url: 'rtmp://192.0.2.21/live/hall' }, force: true },
    hall('restarts')
  ],
  '/input/source/set-stream': ({ input: id, camera: sn }) => [{ id, sn, stream: 'main' }, hall('restarts')],
  '/input/source/set': ({ input: id }) => [
    { id, name: 'Hall in', config: { type: 1, url: 'rtmp://192.0.2.21/live/hall' } },
    hall('restarts')
  ],
  '/input/source/del': ({ input: id }) => [{ id, force: true }, hall('stops')],
  '/output/add': () => [
    { name: 'Archive', protocol: SRT, config: { mode: 'caller', 'dst-ip': 'archive.example.com', 'dst-port': 9000 } },
    {}
  ],
  '/output/set': ({ output: id }) => [
    { id, name: 'CDN', protocol: SRT, config: { mode: 'caller', 'dst-ip': 'cdn.example.com', 'dst-port': 9001 } },
    hall('outputs')
  ],
  '/output/del': ({ output: id }) => [{ id, force: true }, hall('outputs')],
  '/ndi/preset/add': () => [{ name: 'Camera', ndi: { name: 'STUDIO (Cam 2)' }, force: true }, { NDI: 'restarts' }],
  '/ndi/preset/set': ({ preset: id }) => [{ id, name: 'Camera', ndi: { name: 'STUDIO (Cam 2)' } }, { NDI: 'restarts' }],
  '/ndi/preset/del': ({ preset: id }) => [{ id, force: true }, { NDI: 'stops' }],
  '/device/del': ({ sn }) => [{ sn: [sn] }, { Fed: 'stops' }],
  '/device/reject': ({ pending }) => [{ sn: [pending] }, {}],
  '/device/set': ({ sn }) => [{ sn, address: '192.0.2.7', password: 'x' }, { Fed: 'restarts' }],
  '/device/swap': ({ sn, spare }) => [{ sn, 'to-sn': spare }, { Fed: 'restarts' }],
  '/device/live/stop': ({ sn }) => [{ sn: [sn] }, { Fed: 'stops' }],
  '/device/reboot': ({ sn }) => [{ sn: [sn] }, { Fed: 'restarts' }],
  '/device/config': ({ sn }) => [
    { sn: [sn], config: { input: { protocol: 2, 'stream-index': 1, latency: 200 } } },
    { Fed: 'restarts' }
  ],
  '/device/global/set': () => [
    { config: { input: { protocol: 2, 'stream-index': 1, latency: 200 } } },
    each('restarts', 'Fed', 'Waiting', 'Failing')
  ],
  '/device/upgrade': ({ sn, firmware }) => [{ sn: [sn], 'firmware-id': firmware }, { Fed: 'restarts' }],
  '/rollout/start': ({ sn, firmware }) => [{ sn: [sn], 'firmware-id': firmware }, { Fed: 'restarts' }],
  '/rollout/resume': ({ paused: id }) => [{ id }, { Waiting: 'restarts' }],
  '/rollout/retry': ({ failed: id }) => [{ id }, { Failing: 'restarts' }],
  '/catalog/del': ({ group: id }) => [{ id, force: true }, {}],
  '/license/activate': () => [{ 'user-name': 'Diocese', sn: 'A1B2C3D4E5F60718' }, {}],
  '/license/deactivate': () => [{ 'user-name': 'Diocese' }, {}],
  '/license/upload': () => [{}, {}],
  '/system/import/apply': () => [{ id: '0'.repeat(36), digest: '0'.repeat(64) }, hall('stops')],
  '/system/reboot': () => [{ force: true }, ALL_STOP],
  '/reboot': () => [{ force: true }, ALL_STOP],
  '/system/shutdown': () => [{ force: true }, ALL_STOP],
  '/system/reset': () => [{ name: 'hub', pass: '0'.repeat(32) }, ALL_STOP],
  '/firewall/set': () => [{ mode: 0, rules: [], force: true }, { NDI: 'stops' }],
  '/network/set': () => [{ iface: 'eth0', 'use-dhcp': true }, ALL_RESTART],
  '/network/join': () => [{ iface: 'wlan0', ssid: 'Studio', security: 'open', password: '' }, ALL_RESTART],
  '/settings/set': () => [{ rtmp: { port: 1936 }, force: true }, hall('outputs')],
  '/hardware-update/start': () => [{}, { Fed: 'restarts' }],
  '/update/start': () => [{ id: '0'.repeat(64) }, {}],
  '/update/revert': () => [{}, {}],
  '/update/restart-streams': () => [{}, {}],
  '/time/set': () => [{ time: 1_800_000_000_000 }, {}]
}

/** Every call that is declared as one that can take a channel off air. */
const interruptingCalls = (): Call[] =>
  createCallHandlers(hub.parts)
    .map(({ call }) => call)
    .filter(({ interrupts }) => interrupts)

/** Tables that a change of the configuration would change. */
const configuration = (sn: string) => {
  const { channels, sources, devices, deviceConfigs, settings } = hub.parts.store
  const device = devices.bySerial(sn)
  return JSON.stringify([
    channels.all(),
    sources.inputs(),
    sources.outputs(),
    device,
    deviceConfigs.get(device?.id ?? 0),
    settings.get('rtmp'),
    settings.get('device-config')
  ])
}

/** Calls whose requests are unions of schemas, each of which has the field. */
const UNIONS = ['POST /output/add', 'POST /output/set']

test('the calls with a dry run in their request are those that are declared as interrupting', () => {
  const declared = interruptingCalls().map(({ path }) => `POST ${path}`)
  const withField = Object.entries(CALL_SCHEMAS).flatMap(([name, { request }]) =>
    JSON.stringify(Object.keys((request as { shape?: object }).shape ?? {})).includes('"dry-run"') ||
    UNIONS.includes(name)
      ? [name]
      : []
  )
  assert.deepEqual(declared.toSorted(), withField.toSorted())
  assert.deepEqual(
    declared.toSorted(),
    Object.keys(REQUESTS)
      .map((path) => `POST ${path}`)
      .toSorted()
  )
})

test('each answers a dry run with the channels that go off air, and changes nothing', async () => {
  const world = await createWorld()
  const { store, machine, backups } = hub.parts
  const change = { plan: { iface: 'eth0' }, by: 'Admin', ipaddr: '', overIface: false }
  machine.network.prepareSet = machine.network.prepareJoin = async () => ({ change }) as unknown as PreparedChange
  machine.power.requirePossible = async () => undefined
  machine.firewall.requireCurrent = async () => ({ mode: FIREWALL_MODE.open, rules: [] })
  machine.hardware.requireStartable = () => {}
  machine.hardware.offered = () => [
    { component: 'capture-1', name: 'Capture card 1', version: '1', offered: '2', interrupts: [world.sn] }
  ]
  backups.transfer.apply = () => {
    store.channels.setEnable(world.hall, false)
    return 'import'
  }
  const before = configuration(world.sn)
  for (const call of interruptingCalls()) {
    const [request, expected] = REQUESTS[call.path]?.(world) ?? [{}, {}]
    const reply = call.body
      ? ((await (await admin.post(`/api${call.path}?dry-run=true`, '')).json()) as Envelope)
      : await admin.send(call as Call<object, object>, { ...request, 'dry-run': true })
    const found = Object.fromEntries((reply['off-air'] ?? []).map(({ name, effect }) => [name, effect]))
    assert.deepEqual([call.path, reply.result, found], [call.path, SUCCESS, expected])
    assert.equal(configuration(world.sn), before, call.path)
  }
  assert.equal((await admin.send(queryChannel, { id: world.hall })).channel.config.enable, true)
})

test('a switch-over of the streams interrupts senders that call, and outputs that are connections', async () => {
  await createWorld()
  const found = hub.parts.offAir.find({ kind: 'switch-over' })
  const described = found.map(({ name, effect, outputs, viewers }) => [name, effect, outputs.length, viewers].join(' '))
  assert.deepEqual(described, ['Fed restarts 0 0', 'Waiting restarts 0 0', 'Failing restarts 0 0', 'Hall outputs 1 2'])
})

test.run()
