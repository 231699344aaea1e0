import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_CONTROL,
  DEVICE_VIEW,
  GROUP_USER,
  SYSTEM_CONFIG_VIEW,
  USER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { getSession } from '../../../../contract/access/session.ts'
import { addToken } from '../../../../contract/access/token.ts'
import { ALL_GROUPS, type ObjectSecurity } from '../../../../contract/access/visibility.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { rebootDevices, renameDevice, startRecording } from '../../../../contract/device/action.ts'
import { setDeviceAddress } from '../../../../contract/device/address.ts'
import {
  acceptDevices,
  configureDevices,
  getGlobalDevice,
  listDevices,
  listDevicesBySerial,
  queryDevice,
  rejectDevices,
  setDeviceSecurity,
  setFavorite,
  setGlobalDevice
} from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  channelDashboard,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { removeGroupFromMasks, removeUserFromMasks } from '../../../../hub/store/visibility.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('visibility')
let vera: Client
let bitsOfVera: { id: number; group: number }
let a = ''
let b = ''
let c = ''
hubForEach(test)
test.before.each(async () => {
  ;[a = '', b = '', c = ''] = registerDevices(hub, 3)
  await admin.send(acceptDevices, { sn: [a, b] })
  vera = addSignedInUser(hub, 'vera', DEVICE_VIEW | CHANNEL_VIEW | CHANNEL_EDIT | DEVICE_CONTROL)
  const { id } = (await vera.send(getSession, {})).user
  bitsOfVera = { id, group: hub.parts.store.users.byId(id)?.group_id ?? 0 }
})

const HIDDEN = { 'group-mask': 1, 'usr-mask': 0 }
const hide = (...sn: string[]) => admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, ...HIDDEN } })

const serialsOf = async (client: Client, word?: 'accepted' | 'waiting' | 'rejected') =>
  (await client.send(listDevices, { 'reg-state': word, sort: 'sn' })).list.map(({ sn }) => sn)

const stored = (sn: string) => {
  const row = hub.parts.store.devices.bySerial(sn)
  return [row?.is_inherit, row?.group_mask, row?.usr_mask]
}

test('a device is visible only to the selected groups and users and to administrators', async () => {
  const setVisibility = (security: ObjectSecurity) => admin.send(setDeviceSecurity, { sn: a, security })
  const cases: [ObjectSecurity, boolean][] = [
    [{ 'is-inherit': 0, 'group-mask': bitsOfVera.group, 'usr-mask': 0 }, true],
    [{ 'is-inherit': false, 'group-mask': 0, 'usr-mask': bitsOfVera.id }, true],
    [{ 'is-inherit': 0, 'group-mask': ALL_GROUPS, 'usr-mask': 0 }, true],
    [{ 'is-inherit': 0, 'group-mask': 2 + 4, 'usr-mask': 1 }, false],
    [{ 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }, false],
    [{ 'is-inherit': 1 }, true],
    [{ 'is-inherit': true, ...HIDDEN }, true]
  ]
  for (const [security, seen] of cases) {
    const text = JSON.stringify(security)
    assert.deepEqual((await setVisibility(security)).details, [{ sn: a, result: SUCCESS }], text)
    assert.deepEqual(await serialsOf(vera), seen ? [a, b] : [b], text)
    assert.deepEqual(await serialsOf(admin), [a, b], text)
    assert.equal((await vera.send(queryDevice, { sn: a })).result, seen ? 0 : NOT_EXIST, text)
  }
  assert.deepEqual(stored(a), [1, 1, 0], 'masks in the same request are stored for later')
  await setVisibility({ 'is-inherit': 1 })
  assert.deepEqual(stored(a), [1, 1, 0], 'masks stay if the request has none')
})

test('one serial number or several are accepted, and each has its result', async () => {
  const security = { 'is-inherit': 0, ...HIDDEN }
  const { details } = await admin.send(setDeviceSecurity, { sn: [a, 'nothing', c, a], security })
  assert.deepEqual(details, [
    { sn: a, result: SUCCESS },
    { sn: 'nothing', result: NOT_EXIST },
    { sn: c, result: SUCCESS }
  ])
  assert.equal((await admin.send(setDeviceSecurity, { sn: 'nothing', security })).result, NOT_EXIST)
  assert.deepEqual(
    [stored(a), stored(c)],
    [
      [0, 1, 0],
      [0, 1, 0]
    ]
  )
})

test('a hidden device cannot be read or changed, and no response reveals that it exists', async () => {
  await hide(a)
  const addedChannel = await admin.send(addChannel, { name: 'Hall' })
  const { id } = (await admin.send(queryDevice, { sn: a })).dev
  const responses = [
    await vera.send(listDevices, {}),
    await vera.send(listDevices, { key: a }),
    await vera.send(listDevicesBySerial, { sn: [a] }),
    await vera.send(systemStatus, {})
  ]
  assert.ok(!JSON.stringify(responses).includes(a) && !JSON.stringify(responses).includes('Hall 1'))
  assert.deepEqual(responses[2], { result: SUCCESS, list: [], 'global-config': { device: {} } })
  for (const [reply, other] of [
    [await vera.send(queryDevice, { sn: a }), await vera.send(queryDevice, { sn: 'nothing' })],
    [
      await vera.send(setChannelInput, { id: addedChannel.id, input: id }),
      await vera.send(setChannelInput, { id: addedChannel.id, input: 7 })
    ]
  ])
    assert.deepEqual(reply, other, 'like a device that does not exist')
  const otto = addSignedInUser(hub, 'otto', DEVICE_VIEW | DEVICE_CONTROL | DEVICE_ADV_CONTROL)
  for (const sendRequest of [
    (sn: string) => otto.send(rebootDevices, { sn: [sn] }),
    (sn: string) => otto.send(startRecording, { sn: [sn] }),
    (sn: string) => otto.send(renameDevice, { sn, name: 'x' }),
    (sn: string) => otto.send(configureDevices, { sn: [sn], config: {} }),
    (sn: string) => otto.send(setDeviceAddress, { sn, port: 9 })
  ]) {
    const [reply, other] = [await sendRequest(a), await sendRequest('nothing')]
    assert.equal(reply.result, NOT_EXIST)
    assert.equal(JSON.stringify(reply).replaceAll(a, 'nothing'), JSON.stringify(other))
  }
  const favorite = await vera.send(setFavorite, { sn: [a], favorite: true })
  assert.deepEqual([favorite.result, hub.parts.store.devices.bySerial(a)?.is_favorite], [NOT_EXIST, 0])
  assert.equal((await admin.send(queryChannel, { id: addedChannel.id })).channel.input, null)
})

test('the counts of the status include only visible devices', async () => {
  registerDevices(hub, 5)
  await admin.send(rejectDevices, { sn: [c] })
  for (const sn of [a, b]) {
    hub.parts.registry.setOnline(sn)
    hub.parts.registry.setObservation(sn, { status: {}, warns: 1 })
  }
  const counts = async (client: Client) => {
    const { 'num-update': updates, ...others } = (await client.send(systemStatus, {})).status.system.device
    assert.ok(!updates, 'no device has a newer firmware')
    return Object.values(others)
  }
  assert.deepEqual(await counts(vera), await counts(admin))
  await hide(a)
  assert.deepEqual(await counts(admin), [2, 2, 2, 2, 1, 0])
  assert.deepEqual(await counts(vera), [1, 1, 1, 2, 1, 0])
  await admin.send(setGlobalDevice, { security: HIDDEN })
  assert.deepEqual(await counts(vera), [0, 0, 0, 0, 0, 0])
  const ines = addSignedInUser(hub, 'ines', CHANNEL_VIEW)
  await admin.send(setGlobalDevice, { security: { 'group-mask': ALL_GROUPS, 'usr-mask': 0 } })
  assert.deepEqual(await counts(ines), [0, 0, 0, 0, 0, 0], 'without the permission to view devices there are none')
})

test('the global default applies to devices that inherit and to those not accepted, whatever their masks', async () => {
  await admin.send(rejectDevices, { sn: [c] })
  const [, , , d = ''] = registerDevices(hub, 4)
  const ownMasks = { 'is-inherit': 0, 'group-mask': bitsOfVera.group, 'usr-mask': bitsOfVera.id }
  await admin.send(setDeviceSecurity, { sn: [b, c, d], security: ownMasks })
  assert.equal((await admin.send(setGlobalDevice, { security: HIDDEN })).result, SUCCESS)
  assert.deepEqual((await admin.send(getGlobalDevice, {})).security, HIDDEN)
  for (const word of ['waiting', 'rejected'] as const) assert.deepEqual(await serialsOf(vera, word), [], word)
  assert.deepEqual(await serialsOf(vera), [b])
  await admin.send(acceptDevices, { sn: [d] })
  assert.deepEqual(await serialsOf(vera), [b, d], 'its own masks apply now')
  await admin.send(setGlobalDevice, { security: { 'group-mask': 0, 'usr-mask': bitsOfVera.id } })
  assert.deepEqual(await serialsOf(vera), [a, b, d])
  assert.deepEqual(await serialsOf(vera, 'rejected'), [c])
})

test('masks with unknown bits are refused and change nothing; all groups are accepted', async () => {
  const before = [stored(a), hub.parts.store.settings.get('device-security')]
  const next = bitsOfVera.id * 2
  for (const [groups, users, field] of [
    [bitsOfVera.group * 2, 0, 'group-mask'],
    [2 ** 31, 0, 'group-mask'],
    [ALL_GROUPS - 2, 0, 'group-mask'],
    [1, next, 'usr-mask'],
    [1, ALL_GROUPS, 'usr-mask'],
    [ALL_GROUPS, 2 ** 31, 'usr-mask']
  ] as const) {
    const masks = { 'group-mask': groups, 'usr-mask': users }
    for (const reply of [
      await admin.send(setDeviceSecurity, { sn: a, security: { 'is-inherit': 0, ...masks } }),
      await admin.send(setGlobalDevice, { security: masks })
    ])
      assert.deepEqual([reply.result, reply.field], [INVALID_ARG, `security.${field}`], `${groups} ${users}`)
  }
  for (const security of [{ 'is-inherit': 0 }, { 'is-inherit': 0, 'group-mask': 1 }, { 'is-inherit': 2 }, HIDDEN, {}])
    assert.equal(
      (await admin.send(setDeviceSecurity, { sn: a, security: security as ObjectSecurity })).result,
      INVALID_ARG,
      JSON.stringify(security)
    )
  assert.deepEqual([stored(a), hub.parts.store.settings.get('device-security')], before)
})

test('masks are returned only to callers who may set them; the global ones need the permissions for settings', async () => {
  await admin.send(setDeviceSecurity, { sn: a, security: { 'is-inherit': 0, 'group-mask': ALL_GROUPS, 'usr-mask': 1 } })
  const fields = ['is-inherit', 'group-mask', 'usr-mask'] as const
  const { dev } = await admin.send(queryDevice, { sn: a })
  assert.deepEqual(
    fields.map((field) => dev[field]),
    [0, ALL_GROUPS, 1]
  )
  const statuses = [
    (await vera.send(queryDevice, { sn: a })).dev,
    ...(await vera.send(listDevices, {})).list,
    ...(await vera.send(listDevicesBySerial, { sn: [a] })).list
  ]
  assert.equal(statuses.length, 4)
  for (const device of statuses) for (const field of fields) assert.ok(!(field in device), field)
  const viewer = addSignedInUser(hub, 'ines', SYSTEM_CONFIG_VIEW)
  assert.equal((await viewer.send(getGlobalDevice, {})).security['group-mask'], ALL_GROUPS)
  assert.equal((await viewer.send(setGlobalDevice, { security: HIDDEN })).result, NOT_PERMITTED)
  assert.equal((await vera.send(getGlobalDevice, {})).result, NOT_PERMITTED)
})

test('only the Admin group changes the global visibility; others who may change the system set the stream configuration', async () => {
  await admin.send(setGlobalDevice, { security: HIDDEN })
  const user = addSignedInUser(hub, 'uwe', USER_PERMISSIONS, GROUP_USER)
  const editor = addSignedInUser(hub, 'ines', ALL_PERMISSIONS)
  const program = hub.client()
  program.token = (await admin.send(addToken, { 'expired-time': -1, scopes: ['settings'] })).token
  for (const client of [user, editor, program]) {
    const { result } = await client.send(setGlobalDevice, { security: { 'group-mask': ALL_GROUPS, 'usr-mask': 0 } })
    assert.equal(result, NOT_PERMITTED)
    assert.equal((await client.send(setGlobalDevice, { config: {} })).result, SUCCESS)
  }
  assert.deepEqual((await admin.send(getGlobalDevice, {})).security, HIDDEN)
})

test('a favorite belongs to its user: others neither see nor change it', async () => {
  const ines = addSignedInUser(hub, 'ines', DEVICE_VIEW)
  const { id: inesId } = (await ines.send(getSession, {})).user
  const getFavorites = async (client: Client) => [
    (await client.send(queryDevice, { sn: a })).dev['is-favorite'],
    (await client.send(listDevices, { 'is-favorite': 1 })).total,
    (await client.send(listDevices, { 'is-favorite': 0 })).total
  ]
  assert.deepEqual((await vera.send(setFavorite, { sn: [a, 'x'], favorite: true })).details, [
    { sn: a, result: SUCCESS },
    { sn: 'x', result: NOT_EXIST }
  ])
  await ines.send(setFavorite, { sn: [a], favorite: true })
  assert.deepEqual(
    [await getFavorites(vera), await getFavorites(ines), await getFavorites(admin)],
    [
      [bitsOfVera.id, 1, 1],
      [inesId, 1, 1],
      [0, 0, 2]
    ]
  )
  await vera.send(setFavorite, { sn: [a, b], favorite: false })
  assert.deepEqual(
    [await getFavorites(vera), await getFavorites(ines)],
    [
      [0, 0, 2],
      [inesId, 1, 1]
    ]
  )
})

test('the user with the highest bit has favorites and visibility like any other', async () => {
  const { store, gate } = hub.parts
  const top = 2 ** 31
  store.database.transaction(() => store.users.add(top, 'top', 4, '', false))
  const client = hub.client()
  client.cookie = `mwcloud-sid=${store.database.transaction(() => gate.openSession(top, '::1')).secret}`
  assert.equal((await client.send(setFavorite, { sn: [a], favorite: true })).result, SUCCESS)
  assert.equal((await client.send(queryDevice, { sn: a })).dev['is-favorite'], top)
  assert.equal((await client.send(listDevices, { 'is-favorite': 1 })).total, 1)
  const security = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': top }
  assert.equal((await admin.send(setDeviceSecurity, { sn: a, security })).result, SUCCESS)
  assert.deepEqual(await serialsOf(client), [a, b])
  assert.deepEqual(await serialsOf(vera), [b])
  removeUserFromMasks(store, top)
  assert.deepEqual([stored(a), store.devices.bySerial(a)?.is_favorite], [[0, 0, 0], 0])
})

test('a channel shows the status of a hidden input, but not its identity', async () => {
  const { id } = await admin.send(addChannel, { name: 'Studio' })
  const { dev } = await admin.send(queryDevice, { sn: a })
  await admin.send(setChannelInput, { id, input: dev.id })
  const before = await vera.send(channelDashboard, {})
  assert.equal(before.list[0]?.input?.sn, a)
  await hide(a)
  const since = await vera.send(channelDashboard, { since: before.rev })
  assert.equal(since.partial, undefined, 'a console with an old revision gets the whole list')
  for (const channel of [since.list[0], (await vera.send(queryChannel, { id })).channel]) {
    const { health, ...input } = channel?.input ?? {}
    assert.deepEqual(health, { verdict: 'stopped', since: health?.since })
    assert.deepEqual(input, {
      ...{ id: dev.id, name: '', type: 257, protocol: 0, addr: '', hidden: true },
      ...{ kbps: 0, state: 0, 'conn-state': 0, 'living-time-s': 0 }
    })
    assert.ok(!/Hall 1|B3132|192\.0\.2/.test(JSON.stringify(channel)))
  }
  const { input } = (await admin.send(queryChannel, { id })).channel
  assert.deepEqual([input?.name, input?.sn, input?.hidden], ['Hall 1', a, undefined])
  assert.equal((await vera.send(setChannelInput, { id, input: dev.id })).result, NOT_EXIST)
  assert.equal((await vera.send(setChannelInput, { id, input: 0 })).result, SUCCESS, 'the user may clear the channel')
})

test('events of a channel’s input are in the log of its device, for callers who may see the device', async () => {
  const { id } = await admin.send(addChannel, { name: 'Studio' })
  const { dev } = await admin.send(queryDevice, { sn: a })
  await admin.send(setChannelInput, { id, input: dev.id })
  await admin.send(enableChannel, { id, enable: true })
  const events = async (client: Client, type: 'device' | 'system') =>
    (await client.send(listLog, { type })).list.map(({ event }) => event)
  const loggedEvents = () =>
    hub.parts.store.logs.list({ type: 'device' }, 0, 50).list.some(({ event }) => event === 'input-down')
  await until(loggedEvents, 'the device is offline, and this is logged')
  assert.ok(!(await events(admin, 'system')).includes('input-down'))
  const otto = addSignedInUser(hub, 'otto', SYSTEM_CONFIG_VIEW)
  assert.ok((await events(otto, 'device')).includes('input-down'))
  await hide(a)
  assert.ok(!(await events(otto, 'device')).includes('input-down'))
  assert.ok((await events(otto, 'system')).includes('channel-started'), 'the status of the channel is not secret')
})

test('a device names the channels that use it only to callers who may view channels', async () => {
  const { id } = await admin.send(addChannel, { name: 'Studio' })
  const { dev } = await admin.send(queryDevice, { sn: a })
  await admin.send(setChannelInput, { id, input: dev.id })
  const ines = addSignedInUser(hub, 'ines', DEVICE_VIEW)
  assert.deepEqual((await vera.send(queryDevice, { sn: a })).dev['owner-i'], ['Studio'])
  assert.ok(!JSON.stringify(await ines.send(listDevices, {})).includes('Studio'))
})

test('bits of deleted users and groups are removed from all masks; a mask of all groups stays a mask of all groups', async () => {
  const { store } = hub.parts
  const all = { 'is-inherit': 0, 'group-mask': ALL_GROUPS, 'usr-mask': 1 + bitsOfVera.id }
  await admin.send(setDeviceSecurity, { sn: a, security: all })
  await admin.send(setDeviceSecurity, { sn: b, security: { ...all, 'group-mask': 4 + bitsOfVera.group } })
  await admin.send(setGlobalDevice, { security: { 'group-mask': 2 + bitsOfVera.group, 'usr-mask': bitsOfVera.id } })
  await vera.send(setFavorite, { sn: [a], favorite: true })
  await admin.send(setFavorite, { sn: [a], favorite: true })
  store.database.transaction(() => {
    removeUserFromMasks(store, bitsOfVera.id)
    removeGroupFromMasks(store, bitsOfVera.group)
  })
  assert.deepEqual(
    [stored(a), stored(b)],
    [
      [0, ALL_GROUPS, 1],
      [0, 4, 1]
    ]
  )
  assert.equal(store.devices.bySerial(a)?.is_favorite, 1)
  assert.deepEqual(store.settings.get('device-security'), { 'group-mask': 2, 'usr-mask': 0 })
  store.settings.set('device-security', { 'group-mask': ALL_GROUPS, 'usr-mask': 0 })
  removeGroupFromMasks(store, 2)
  assert.equal(store.settings.get('device-security')['group-mask'], ALL_GROUPS)
})

test('a change of the global default hides devices from a console that has them', async () => {
  const otto = addSignedInUser(hub, 'otto', DEVICE_VIEW)
  const before = await otto.send(listDevices, {})
  assert.equal((await admin.send(setGlobalDevice, { security: HIDDEN })).result, SUCCESS)
  const after = await otto.send(listDevices, { since: before.rev })
  assert.deepEqual([after.partial, after.list], [undefined, []])
})

test.run()
