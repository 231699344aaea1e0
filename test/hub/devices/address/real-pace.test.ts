// Devices of each generation that are as slow and as impatient as real ones: everything that the hub offers for them
// reaches them, and what it cannot do for them is refused.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { BAD_ADDRESS, CONN_REFUSED, NO_RESPONSE, SUCCESS, UNSUPPORTED } from '../../../../contract/codes.ts'
import {
  rebootDevices,
  renameDevice,
  startLive,
  startRecording,
  stopLive,
  stopRecording
} from '../../../../contract/device/action.ts'
import { addDevice } from '../../../../contract/device/address.ts'
import { configureDevices, queryDevice } from '../../../../contract/device/device.ts'
import { FORWARD_STATE, listPortForwards, startPortForward } from '../../../../contract/port-forward.ts'
import { listRolloutDevices, upgradeDevices } from '../../../../contract/rollout.ts'
import { createSelfSignedCertificate } from '../../../../fleet/network/self-signed.ts'
import { addressedHubForEach, createAddRequest, isOnline, startDevice } from '../../../kit/fleet/addressed-devices.ts'
import type { HttpDevice } from '../../../kit/fleet/http-device.ts'
import { connectTo, startServer } from '../../../kit/fleet/tunnel.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('devices at addresses at the pace of real ones')
addressedHubForEach(test)

/** Milliseconds of each response, and requests until a session ends. */
const PACE = { delay: 30, sessionRequests: 4 }
const MODELS = [
  ['encodeAio', 'B313210600123', true],
  ['ndiToHdmi', 'Z410210600124', false],
  ['directorMini', 'A511210600125', true]
] as const

async function add(device: HttpDevice, https = false): Promise<string> {
  const { result, sn } = await admin.send(addDevice, createAddRequest(device, { https }))
  assert.equal(result, SUCCESS)
  await until(() => hub.parts.registry.liveState(sn)?.observation !== undefined, 'its status was received')
  return sn
}

for (const [model, serial, canRecord] of MODELS)
  test(`all that is offered for ${model} reaches it, one request at a time and through the ends of sessions`, async () => {
    const device = await startDevice(model, {
      sn: serial,
      pace: PACE,
      certificate: model === 'ndiToHdmi' ? undefined : createSelfSignedCertificate()
    })
    const sn = await add(device, model !== 'ndiToHdmi')
    const { machine } = device.appliance
    const results = await Promise.all([
      admin.send(renameDevice, { sn, name: 'Box 7' }),
      admin.send(startRecording, { sn: [sn] }),
      admin.send(startLive, { sn: [sn] })
    ])
    const expected = canRecord ? SUCCESS : UNSUPPORTED
    assert.deepEqual(
      results.map(({ result }) => result),
      [SUCCESS, expected, expected]
    )
    assert.equal(device.appliance.name(), 'Box 7')
    const runs = () => [machine.read().recording !== undefined, machine.read().live !== undefined]
    assert.deepEqual(runs(), [canRecord, canRecord])
    for (const call of [stopRecording, stopLive]) assert.equal((await admin.send(call, { sn: [sn] })).result, expected)
    assert.deepEqual(runs(), [false, false])

    const firmware = await uploadFile(admin, firmwareFile(model, '9.5.0', { size: 400_000 }))
    const { id, result } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
    assert.equal(result, SUCCESS)
    await until(() => device.appliance.upgrader.file?.version === '9.5.0', 'the file has arrived')
    await until(() => device.appliance.restarting, 'the device restarts')
    assert.equal((await admin.send(listRolloutDevices, { id })).list.length, 1)
    assert.ok(isOnline(sn), 'it was online all the time')
    assert.equal(device.concurrency, 1)
  })

test('a busy device that takes 2 s for a response stays online', async () => {
  const pace = { ...PACE, sessionRequests: 1000 }
  const device = await startDevice('encodeAio', { pace })
  const sn = await add(device)
  const polls = () => device.requests.filter((line) => line.includes('get-status')).length
  const first = polls()
  await until(() => polls() > first + 1, 'it is polled')
  pace.delay = 2000
  const before = device.requests.length
  const busy = polls()
  await until(() => polls() > busy + 1, 'it is polled while it is busy')
  pace.delay = PACE.delay
  const after = polls()
  await until(() => polls() > after, 'and afterwards')
  assert.ok(isOnline(sn))
  const others = device.requests.slice(before).filter((line) => !line.includes('get-status'))
  assert.deepEqual(others, [], 'it was not asked again or signed in to')
})

test('a device at an address is rebooted', async () => {
  const device = await startDevice('encodeAio', { pace: PACE })
  const sn = await add(device)
  assert.equal((await admin.send(rebootDevices, { sn: [sn] })).result, SUCCESS)
  assert.ok(device.appliance.restarting)
})

test('connection settings, which no request to the device carries, are refused and not stored', async () => {
  const sn = await add(await startDevice('directorMini', { sn: 'A511210600125' }))
  const { dir } = (await admin.send(queryDevice, { sn })).dev
  assert.equal(dir, 0)
  const config = { input: { protocol: 2, 'stream-index': 0, latency: 400 } }
  assert.equal((await admin.send(configureDevices, { sn: [sn], config })).result, UNSUPPORTED)
  assert.equal((await admin.send(queryDevice, { sn })).dev.config, undefined)
})

test('a port that the device does not serve is not forwarded, and one that it stops to serve is shown as such', async () => {
  const { port: hubPort } = await hub.listen(0, 0)
  const sn = await add(await startDevice('encodeAio'))
  const target = await startServer((socket) => void socket.pipe(socket))
  const forward = (port: number) => admin.send(startPortForward, { sn, 'remote-port': port })
  const { result, forward: started } = await forward(target.port)
  assert.equal(result, SUCCESS)
  await target.close()
  const refused = await forward(target.port)
  assert.deepEqual([refused.result, refused.field], [CONN_REFUSED, 'remote-port'])
  const ownPort = await forward(hubPort)
  assert.deepEqual([ownPort.result, ownPort.field], [BAD_ADDRESS, 'remote-port'])

  const socket = await connectTo(started['local-port'])
  await until(() => socket.resume().destroyed, 'the connection is closed')
  const [failed] = (await admin.send(listPortForwards, {})).list
  assert.deepEqual([failed?.state, failed?.trouble], [FORWARD_STATE.failed, CONN_REFUSED])
})

test('while a device receives a file it is not polled, and stays online', async () => {
  const device = await startDevice('encodeAio', { pace: PACE })
  const sn = await add(device)
  let isReceiving = false
  device.override = (path) => {
    if (!path.includes('upload-update-file')) return undefined
    isReceiving = true
    return 'silence'
  }
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '9.5.0'))
  await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  await until(() => isReceiving, 'the upload has started')
  const { connections } = device
  const { result, details } = await admin.send(renameDevice, { sn, name: 'Box 8' })
  assert.notEqual(result, SUCCESS, JSON.stringify(details))
  await hub.parts.actions.pollNow(sn)
  assert.equal(device.connections, connections)
  assert.ok(isOnline(sn))
})

test('a device that hangs does not delay the others, and is tried again ever less often', async () => {
  const hanging = await startDevice('encodeAio', { sn: 'B313210600199' })
  const healthy = await startDevice('ndiToHdmi', { sn: 'Z410210600124' })
  const [sn, other] = [await add(hanging), await add(healthy)]
  hanging.override = () => 'silence'
  const [slow, fast] = await Promise.all([
    admin.send(renameDevice, { sn, name: 'Box 8' }),
    admin.send(renameDevice, { sn: other, name: 'Box 9' })
  ])
  assert.notEqual(slow.result, SUCCESS)
  assert.equal(fast.result, SUCCESS)
  await until(() => hub.parts.addressedDevices.addressInfo(sn)?.trouble === NO_RESPONSE, 'it is offline')
  assert.ok(isOnline(other))
  assert.ok(hanging.concurrency <= 2, 'one request of the hub, and one that the device has dropped')
})

test.run()
