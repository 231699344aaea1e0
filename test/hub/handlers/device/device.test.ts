import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_CONTROL, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { NOT_EXIST, NOT_PERMITTED, STATE_CHANGED, SUCCESS } from '../../../../contract/codes.ts'
import {
  acceptDevices,
  deleteDevices,
  listDevices,
  queryDevice,
  REGISTRATION_STATE,
  rejectDevices
} from '../../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../../contract/device/link.ts'
import { listLog } from '../../../../contract/log.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { addChannel, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('device')
hubForEach(test)

const serials = (reply: { list: { sn: string }[] }) => reply.list.map((device) => device.sn)

test('a device that connects is pending; then it is accepted, rejected and deleted', async () => {
  const [a = '', b = '', c = ''] = registerDevices(hub, 3)
  assert.equal((await admin.send(listDevices, { 'reg-state': 'waiting' })).total, 3)
  assert.equal((await admin.send(listDevices, {})).total, 0)
  assert.deepEqual((await admin.send(acceptDevices, { sn: [a] })).details, [{ sn: a, result: SUCCESS }])
  assert.equal((await admin.send(rejectDevices, { sn: [b] })).result, SUCCESS)
  assert.equal((await admin.send(deleteDevices, { sn: [c] })).result, SUCCESS)
  assert.deepEqual(serials(await admin.send(listDevices, {})), [a])
  assert.deepEqual(serials(await admin.send(listDevices, { 'reg-state': 'rejected' })), [b])
  assert.equal((await admin.send(listDevices, { 'reg-state': 'waiting' })).total, 0)
  assert.deepEqual(hub.parts.registry.register(helloOf(1), 'x'), { state: REGISTRATION_STATE.accepted })
  assert.deepEqual(hub.parts.registry.register(helloOf(2), 'x'), { refuse: REGISTRATION_STATE.rejected })
  assert.deepEqual(hub.parts.registry.register(helloOf(3), 'x'), { state: REGISTRATION_STATE.pending })
})

test('of several devices, failures are reported for each, and the others are changed', async () => {
  const [a = '', b = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [a] })
  const reply = await admin.send(acceptDevices, { sn: [a, b, 'nothing', b] })
  assert.equal(reply.result, SUCCESS)
  assert.deepEqual(reply.details, [
    { sn: a, result: STATE_CHANGED },
    { sn: b, result: SUCCESS },
    { sn: 'nothing', result: NOT_EXIST }
  ])
  assert.equal((await admin.send(rejectDevices, { sn: [a] })).result, STATE_CHANGED)
})

test('a deleted device is no longer polled, and a channel that used it has no input', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { dev } = await admin.send(queryDevice, { sn })
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: dev.id })
  const reasons: string[] = []
  const { deviceStateChanged } = hub.parts
  hub.parts.deviceStateChanged = (serial) => {
    reasons.push(serial)
    deviceStateChanged(serial)
  }
  assert.equal((await admin.send(deleteDevices, { sn: [sn] })).result, SUCCESS)
  assert.deepEqual(reasons, [sn])
  assert.equal((await admin.send(queryChannel, { id })).channel.input, null)
})

test('a known serial number with another key is refused, and so is a wrong invitation code', async () => {
  registerDevices(hub, 1)
  assert.deepEqual(hub.parts.registry.register(helloOf(1, { key: 'f'.repeat(64) }), 'x'), {
    refuse: REFUSAL_STATE.exists
  })
  await admin.send(setSettings, { security: { 'enable-code': true, 'code-value': '0165' } })
  assert.deepEqual(hub.parts.registry.register(helloOf(2), 'x'), { refuse: REFUSAL_STATE.wrongCode })
  assert.deepEqual(hub.parts.registry.register(helloOf(2, { code: '0166' }), 'x'), {
    refuse: REFUSAL_STATE.wrongCode
  })
  assert.deepEqual(hub.parts.registry.register(helloOf(2, { code: '0165' }), 'x'), {
    state: REGISTRATION_STATE.pending
  })
})

test('online and offline states have a start time; an offline device has no warnings', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  hub.parts.registry.setOnline(sn)
  hub.parts.registry.setObservation(sn, { status: { cpu: [5] }, warns: 1, input: 'no-signal' })
  const online = (await admin.send(queryDevice, { sn })).dev
  assert.ok(Date.now() - online['online-date'] < 5000)
  assert.equal(online['offline-date'], 0)
  assert.equal(online['dev-warns'], 1)
  assert.deepEqual(online.status?.cpu, [5])
  assert.equal((await admin.send(listDevices, { status: 'dev-warns' })).total, 1)
  hub.parts.registry.setOffline(sn, 'test')
  const offline = (await admin.send(queryDevice, { sn })).dev
  assert.equal(offline['online-date'], 0)
  assert.ok(Date.now() - (offline['offline-date'] ?? 0) < 5000)
  assert.equal(offline['dev-warns'], 0)
  assert.equal(offline.status, undefined)
  const { list } = await admin.send(listLog, { type: 'device' })
  const events = list.map((line) => line.event)
  for (const event of ['device-registered', 'device-accepted', 'device-online', 'signal-lost', 'device-offline'])
    assert.ok(events.includes(event), event)
})

test('a delta response has the changed and the removed devices, and no devices if there are no changes', async () => {
  const [a = '', b = '', c = ''] = registerDevices(hub, 3)
  const fullList = await admin.send(listDevices, { 'reg-state': 'waiting' })
  assert.equal(fullList.partial, undefined)
  const unchangedList = await admin.send(listDevices, { 'reg-state': 'waiting', since: fullList.rev })
  assert.deepEqual([unchangedList.partial, unchangedList.list, unchangedList.total], [true, [], 3])
  await admin.send(acceptDevices, { sn: [b] })
  hub.parts.registry.setOnline(c)
  const next = await admin.send(listDevices, { 'reg-state': 'waiting', since: fullList.rev })
  assert.equal(next.partial, true)
  assert.deepEqual(serials(next), [c])
  const id = fullList.list.find((device) => device.sn === b)?.id
  assert.deepEqual(next.gone, [id])
  assert.equal(next.total, 2)
  const paged = await admin.send(listDevices, { 'reg-state': 'waiting', since: fullList.rev, count: 1 })
  assert.equal(paged.partial, undefined)
  assert.equal(paged.list.length, 1)
  assert.ok(a)
})

test('search, sort and page', async () => {
  const all = registerDevices(hub, 12)
  await admin.send(acceptDevices, { sn: all })
  const byName = await admin.send(listDevices, { sort: 'name', order: 'descending', count: 2 })
  assert.deepEqual(
    byName.list.map((device) => device.name),
    ['Hall 12', 'Hall 11']
  )
  assert.equal(byName.total, 12)
  assert.equal((await admin.send(listDevices, { key: 'hall 1' })).total, 4)
  assert.equal((await admin.send(listDevices, { status: 'online' })).total, 0)
  assert.equal((await admin.send(listDevices, { status: 'offline' })).total, 12)
  assert.equal((await admin.send(listDevices, { module: 3 })).total, 0)
  assert.equal((await admin.send(listDevices, { dir: 'output' })).total, 0)
})

test('viewers cannot accept or reject devices, and hidden devices do not exist for them', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const viewer = await addUser(hub, 'vera', DEVICE_VIEW | DEVICE_CONTROL)
  assert.equal((await viewer.send(acceptDevices, { sn: [sn] })).result, NOT_PERMITTED)
  await admin.send(acceptDevices, { sn: [sn] })
  assert.equal((await viewer.send(listDevices, {})).total, 1)
  hub.parts.store.database.run('UPDATE device SET is_inherit = 0, group_mask = 1, usr_mask = 0')
  assert.equal((await viewer.send(listDevices, {})).total, 0)
  assert.equal((await viewer.send(queryDevice, { sn })).result, NOT_EXIST)
  assert.equal((await admin.send(listDevices, {})).total, 1)
})

test.run()
