import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_CONTROL, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import {
  CLIENT_OFFLINE,
  DEVICE_ERROR,
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  SUCCESS,
  TARGET_TIMEOUT,
  UNSUPPORTED,
  WRONG_STATE
} from '../../../../contract/codes.ts'
import {
  rebootDevices,
  renameDevice,
  startLive,
  startRecording,
  stopLive,
  stopRecording
} from '../../../../contract/device/action.ts'
import { listDevices, queryDevice } from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import { type SimulatedFleet, startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device actions')
let fleet: SimulatedFleet
test.after.each(() => {
  fleet.close()
})
hubForEach(test, { actions: { response: 2500, poll: 4000 } })
test.before.each(async () => {
  fleet = await startSimulatedFleet(hub, admin)
})

const statusOf = async (sn: string) => (await admin.send(queryDevice, { sn })).dev.status
const lines = () =>
  hub.parts.store.logs
    .list({ type: 'operation' }, 0, 20)
    .list.filter(({ event }) => event.startsWith('/device/') && event !== '/device/accept')
    .map(({ event, code, detail }) => [event, code, detail])

test('a rename works on every device generation, and the list has the new name with the reply', async () => {
  for (const model of ['encodeAio', 'ndiToHdmi', 'directorMini'] as const) {
    const sn = await fleet.add(model)
    const reply = await admin.send(renameDevice, { sn, name: `New ${model}` })
    assert.deepEqual([reply.result, reply.details], [0, [{ sn, result: 0 }]])
    const { list } = await admin.send(listDevices, { key: sn })
    assert.equal(list[0]?.name, `New ${model}`)
    assert.deepEqual(lines()[0], ['/device/rename', 0, `${sn} → New ${model}`])
  }
})

test('a name that the device family does not support is refused with its field, and no device is called', async () => {
  const sn = await fleet.add('hdmiToNdi')
  for (const name of ['Hall.1', 'Hall [1]'])
    assert.deepEqual(
      (({ result, field, fault }) => [result, field, fault])(await admin.send(renameDevice, { sn, name })),
      [INVALID_ARG, 'name', 'characters']
    )
  const encoder = await fleet.add('encodeAio')
  assert.equal((await admin.send(renameDevice, { sn: encoder, name: 'Hall.1' })).result, SUCCESS)
  assert.equal((await admin.send(renameDevice, { sn: encoder, name: 'Hall 1 ' })).fault, 'outer-space')
  assert.equal(lines().filter(([, code]) => code === INVALID_ARG).length, 3)
})

test('recording and live streams start and stop, and the status changes at once', async () => {
  for (const model of ['streamHdmi', 'encodeAio', 'directorMini'] as const) {
    const sn = await fleet.add(model)
    assert.equal((await admin.send(startRecording, { sn: [sn] })).result, SUCCESS)
    assert.equal((await statusOf(sn))?.recording?.on, true, model)
    // Again is no error.
    assert.equal((await admin.send(startRecording, { sn: [sn] })).result, SUCCESS)
    assert.equal((await admin.send(startLive, { sn: [sn] })).result, SUCCESS)
    assert.equal((await statusOf(sn))?.live?.on, true, model)
    assert.equal((await admin.send(stopRecording, { sn: [sn] })).result, SUCCESS)
    assert.equal((await admin.send(stopLive, { sn: [sn] })).result, SUCCESS)
    const { recording, live } = (await statusOf(sn)) ?? {}
    assert.deepEqual([recording?.on, live?.on], [false, false], model)
  }
})

test('the device’s own error code is forwarded, with its documented reason', async () => {
  const [ultra, director] = [await fleet.add('streamHdmi'), await fleet.add('directorMini')]
  for (const sn of [ultra, director]) fleet.device(sn).applyCommand('full')
  const diskFull = await admin.send(startRecording, { sn: [ultra, director] })
  assert.deepEqual(
    [diskFull.result, diskFull.api, (diskFull as { reason?: string }).reason],
    [-16, 'usapi', 'storage-full']
  )
  const message = 'Storage full\nDelete recordings that are no longer needed.'
  assert.equal(diskFull.message, message)
  assert.deepEqual(diskFull.details, [
    { sn: ultra, result: -16, api: 'usapi', reason: 'storage-full', message },
    { sn: director, result: 29, api: 'api', reason: 'storage-full', message }
  ])
  assert.deepEqual(lines()[0], ['/device/record/start', DEVICE_ERROR, `${ultra}: usapi -16, ${director}: 29`])
  for (const sn of [ultra, director]) fleet.device(sn).applyCommand('no-signal')
  const withoutSignal = await admin.send(startLive, { sn: [ultra, director] })
  const noSignal = { reason: 'no-signal', message: 'No input signal\nCheck the input.' }
  assert.deepEqual(withoutSignal.details, [
    { sn: ultra, result: -35, api: 'usapi', ...noSignal },
    { sn: director, result: WRONG_STATE, api: 'api', ...noSignal }
  ])
})

test('actions that a device family does not support are not sent to it', async () => {
  const sn = [await fleet.add('encodeHdmi'), await fleet.add('hdmiToNdi'), await fleet.add('ptzCamera')]
  const { result, details } = await admin.send(startRecording, { sn })
  assert.equal(result, UNSUPPORTED)
  assert.deepEqual(
    details.map((detail) => detail.result),
    [UNSUPPORTED, UNSUPPORTED, UNSUPPORTED]
  )
  const third = sn[2] ?? ''
  assert.equal((await admin.send(rebootDevices, { sn: [third] })).result, UNSUPPORTED)
  assert.equal((await admin.send(renameDevice, { sn: third, name: 'x' })).result, UNSUPPORTED)
})

test('a reboot ends the link, and the device connects again', async () => {
  const sn = await fleet.add('encodeAio')
  const before = hub.parts.registry.liveState(sn)?.onlineSince
  assert.equal((await admin.send(rebootDevices, { sn: [sn, sn] })).details.length, 1)
  await until(() => !hub.parts.registry.isOnline(sn), 'the stream is running')
  await until(() => hub.parts.registry.isOnline(sn), 'the device connects again')
  assert.notEqual(hub.parts.registry.liveState(sn)?.onlineSince, before)
})

test('a device that does not respond and an offline device do not delay others, and one log line lists all', async () => {
  const [working, unresponsive, offline] = [
    await fleet.add('encodeAio'),
    await fleet.add('encodeAio'),
    await fleet.add('encodeAio')
  ]
  fleet.device(unresponsive).applyCommand('stall')
  fleet.device(offline).stop()
  await until(() => !hub.parts.registry.isOnline(offline), 'the stream is running')
  const [pending = ''] = registerDevices(hub, 1)
  const sn = [unresponsive, working, offline, pending, 'nothing']
  const { result, details } = await admin.send(startRecording, { sn })
  assert.equal(result, 0)
  assert.deepEqual(
    details.map((detail) => [detail.sn, detail.result]),
    [
      [unresponsive, TARGET_TIMEOUT],
      [working, 0],
      [offline, CLIENT_OFFLINE],
      [pending, WRONG_STATE],
      ['nothing', NOT_EXIST]
    ]
  )
  const detail = `${unresponsive}: 10004, ${working}, ${offline}: 10007, ${pending}: 38, nothing: 16`
  assert.deepEqual(lines(), [['/device/record/start', 0, detail]])
  const { list } = await admin.send(listLog, { type: 'operation', object: `device:${working}` } as never)
  assert.ok(list.some(({ event }) => event === '/device/record/start'))
})

test('invalid responses and responses of 50 MB are refused', async () => {
  const sn = await fleet.add('encodeAio')
  fleet.device(sn).applyCommand('lie')
  for (let round = 0; round < 6; round++) {
    const { result } = await admin.send(stopRecording, { sn: [sn] })
    assert.equal(result, TARGET_TIMEOUT)
  }
  fleet.device(sn).applyCommand('flood')
  assert.equal((await admin.send(stopRecording, { sn: [sn] })).result, TARGET_TIMEOUT)
})

test('actions need the permission to control, and do not reach hidden devices', async () => {
  const sn = await fleet.add('encodeAio')
  const viewer = addSignedInUser(hub, 'vera', DEVICE_VIEW)
  assert.equal((await viewer.send(rebootDevices, { sn: [sn] })).result, NOT_PERMITTED)
  const operator = addSignedInUser(hub, 'otto', DEVICE_VIEW | DEVICE_CONTROL)
  hub.parts.store.database.run('UPDATE device SET is_inherit = 0, group_mask = 1, usr_mask = 0')
  assert.deepEqual((await operator.send(rebootDevices, { sn: [sn] })).result, NOT_EXIST)
  assert.ok(hub.parts.registry.isOnline(sn))
})

test.run()
