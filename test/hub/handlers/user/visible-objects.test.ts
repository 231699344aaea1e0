import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_VIEW,
  DEVICE_VIEW,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER
} from '../../../../contract/access/permissions.ts'
import { getSession } from '../../../../contract/access/session.ts'
import { ALL_GROUPS, type ObjectSecurity } from '../../../../contract/access/visibility.ts'
import { listVisibleObjects, type VisibleObjectsRequest } from '../../../../contract/access/visible-objects.ts'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { INVALID_ARG, NOT_EXIST } from '../../../../contract/codes.ts'
import { acceptDevices, listDevices, setDeviceSecurity, setGlobalDevice } from '../../../../contract/device/device.ts'
import { addChannel, channelDashboard } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../../contract/stream/channel-security.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('what users see')
const NOBODY = { 'group-mask': 0, 'usr-mask': 0 }
let vera: Client
let usr = 0
let group = 0
hubForEach(test)
test.before.each(async () => {
  vera = addSignedInUser(hub, 'vera', DEVICE_VIEW | CHANNEL_VIEW)
  usr = (await vera.send(getSession, {})).user.id
  group = hub.parts.store.users.byId(usr)?.group_id ?? 0
})

const list = (request: VisibleObjectsRequest) => admin.send(listVisibleObjects, request)

/** Name, reason and origin of each listed object. */
const reasonsOf = async (request: VisibleObjectsRequest) =>
  (await list(request)).list.map(({ name, because, from, 'from-name': origin }) =>
    [name, because, from, origin].filter(Boolean).join(' ')
  )

async function addChannels(): Promise<void> {
  const own: [string, ObjectSecurity][] = [
    ['Crew', { 'is-inherit': 0, 'group-mask': group, 'usr-mask': 0 }],
    ['Everyone', { 'is-inherit': 0, 'group-mask': ALL_GROUPS, 'usr-mask': 0 }],
    ['Inherits', { 'is-inherit': 1 }],
    ['Nobody', { 'is-inherit': 0, ...NOBODY }],
    ['Vera', { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': usr }]
  ]
  for (const [name, security] of own) {
    const { id } = await admin.send(addChannel, { name })
    await admin.send(setChannelSecurity, { id, security })
  }
}

test('each channel that a user sees is listed with the reason, and the others on request', async () => {
  await addChannels()
  assert.deepEqual(await reasonsOf({ usr, of: 'channel' }), [
    'Crew group own',
    'Everyone everyone own',
    'Inherits everyone default',
    'Vera user own'
  ])
  assert.deepEqual(await reasonsOf({ usr, of: 'channel', hidden: 1 }), ['Nobody own'])
  assert.deepEqual(await reasonsOf({ group, of: 'channel', hidden: 1 }), ['Nobody own', 'Vera own'])
  await admin.send(setGlobalChannel, { security: NOBODY })
  assert.deepEqual(await reasonsOf({ usr, of: 'channel' }), [
    'Crew group own',
    'Everyone everyone own',
    'Vera user own'
  ])
  const page = await list({ usr, of: 'channel', key: 'VER', count: 1 })
  assert.deepEqual(
    [page.total, page.list.map(({ name }) => name), page['num-visible'], page['num-all']],
    [2, ['Everyone'], 3, 5]
  )
})

test('a device shows the group of devices from which it inherits', async () => {
  const [a = '', b = '', c = ''] = registerDevices(hub, 4)
  await admin.send(acceptDevices, { sn: [a, b, c] })
  const studio = (await admin.send(addCatalog, { 'parent-id': 0, name: 'Studio' })).id
  const stage = (await admin.send(addCatalog, { 'parent-id': studio, name: 'Stage' })).id
  await admin.send(setCatalog, { id: studio, security: { 'is-inherit': 0, 'group-mask': group, 'usr-mask': 0 } })
  await admin.send(setCatalog, { id: stage, devices: [a] })
  await admin.send(setDeviceSecurity, { sn: b, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': usr } })
  await admin.send(setGlobalDevice, { security: NOBODY })
  const nameOf = (sn: string) => hub.parts.store.devices.bySerial(sn)?.name
  assert.deepEqual(await reasonsOf({ usr, of: 'device' }), [
    `${nameOf(a)} group catalog Studio`,
    `${nameOf(b)} user own`
  ])
  assert.deepEqual(await reasonsOf({ usr, of: 'device', hidden: 1 }), [`${nameOf(c)} default`])
  assert.equal((await list({ usr, of: 'device' }))['num-all'], 3, 'without the pending device')
})

test('the list agrees with what the user gets', async () => {
  await addChannels()
  const [a = '', b = '', c = ''] = registerDevices(hub, 3)
  await admin.send(acceptDevices, { sn: [a, b, c] })
  await admin.send(setDeviceSecurity, { sn: b, security: { 'is-inherit': 0, ...NOBODY } })
  for (const security of [{ 'group-mask': ALL_GROUPS, 'usr-mask': 0 }, NOBODY, { 'group-mask': 0, 'usr-mask': usr }]) {
    await admin.send(setGlobalChannel, { security })
    await admin.send(setGlobalDevice, { security })
    const channels = (await vera.send(channelDashboard, { sort: 'name' })).list.map(({ name }) => name)
    const devices = (await vera.send(listDevices, { sort: 'name' })).list.map(({ name }) => name)
    const namesFor = async (of: VisibleObjectsRequest['of']) => (await list({ usr, of })).list.map(({ name }) => name)
    assert.deepEqual([await namesFor('channel'), await namesFor('device')], [channels, devices])
  }
})

test('administrators see every object, and groups without the permission none', async () => {
  await addChannels()
  assert.equal((await list({ group: GROUP_ADMIN, of: 'channel' }))['num-visible'], 5)
  assert.ok((await list({ usr: 1, of: 'channel' })).list.every(({ because }) => because === 'admin'))
  const ines = addSignedInUser(hub, 'ines', DEVICE_VIEW)
  const { id } = (await ines.send(getSession, {})).user
  const reply = await list({ usr: id, of: 'channel' })
  assert.deepEqual([reply.permitted, reply.list, reply['num-visible'], reply['num-all']], [false, [], 0, 5])
  assert.equal((await list({ usr: id, of: 'device' })).permitted, true)
  for (const built of [GROUP_USER, GROUP_VIEWER])
    assert.equal((await list({ group: built, of: 'channel' })).permitted, true)
})

test('an unknown user or group is an error, and exactly one of them is required', async () => {
  assert.equal((await list({ usr: 2 ** 30, of: 'device' })).result, NOT_EXIST)
  assert.equal((await list({ group: 2 ** 30, of: 'device' })).result, NOT_EXIST)
  assert.equal((await list({ of: 'device' })).result, INVALID_ARG)
  assert.equal((await list({ usr, group, of: 'device' })).result, INVALID_ARG)
})

test.run()
