// Accounts that end, and guests, by a clock that the test advances.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_EDIT,
  GROUP_ADMIN,
  GROUP_USER,
  SYSTEM_CONFIG_EDIT,
  USER_CONTROL,
  VIEWER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { getSession, login } from '../../../../contract/access/session.ts'
import { addToken, NEVER_EXPIRES } from '../../../../contract/access/token.ts'
import {
  ADMIN_USER_ID,
  type AddUserRequest,
  addUser,
  deleteUsers,
  listSessions,
  listUsers,
  moveUsers,
  setUser
} from '../../../../contract/access/user.ts'
import { listVisibleObjects } from '../../../../contract/access/visible-objects.ts'
import {
  ACCOUNT_EXPIRED,
  INVALID_ARG,
  MISMATCH,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  STATE_CHANGED,
  SUCCESS
} from '../../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../../contract/device/device.ts'
import { addChannel, channelDashboard, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../../contract/stream/channel-security.ts'
import { addInput, listInputs } from '../../../../contract/stream/source.ts'
import { addTag, assignTags, setTagSecurity } from '../../../../contract/tag.ts'
import { createPreviewAccess } from '../../../../hub/auth/preview-access.ts'
import { collectTables, redactTables } from '../../../../hub/export/collect.ts'
import { mergeTables } from '../../../../hub/export/merge.ts'
import { deviceOfPreview, previewOfChannel } from '../../../../hub/preview/preview-id.ts'
import { openFeed } from '../../../kit/hub/feed-listener.ts'
import { addSignedInUser, type Client, newPassword, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('guests and accounts that end')

const DAY = 86_400_000
const PASSWORD = 'a-new-password'
let hub: TestHub
let now: number

test.before.each(async () => {
  now = Date.UTC(2026, 0, 1)
  hub = await startHub({ sessionClock: () => now, sessionCheckInterval: 20 })
  hub.parts.store.settings.set('expired-time', -1)
})
test.after.each(() => hub.close())

/** An administrator who has just proved the password. */
const admin = () => hub.clientAs()
const add = (request: Partial<AddUserRequest> = {}, client = admin()) =>
  client.send(addUser, { name: 'vera', ...newPassword(PASSWORD), ...request })
const use = async (client: Client) => (await client.send(getSession, {})).result
const signIn = async (name = 'vera', password = PASSWORD) =>
  (await hub.client().send(login, { id: name, pass: newPassword(password).passwd })).result
const rowOf = async (name = 'vera') => (await admin().send(listUsers, {})).users?.find((user) => user.name === name)
const channel = async (name: string) => (await admin().send(addChannel, { name })).id
const namesOf = async (client: Client) =>
  (await client.send(channelDashboard, { sort: 'name' })).list.map(({ name }) => name)

test('after its end, an account does not sign in, and with the right password it is told why', async () => {
  assert.equal((await add({ expires: now + 7 * DAY })).result, SUCCESS)
  assert.equal((await rowOf())?.expires, now + 7 * DAY)
  now += 7 * DAY - 1
  assert.equal(await signIn(), SUCCESS)
  now += 1
  assert.equal(await signIn(), ACCOUNT_EXPIRED)
  assert.equal(await signIn('vera', 'wrong'), MISMATCH, 'a stranger does not learn it')
  assert.equal((await rowOf())?.expires, now, 'the list has it')
})

test('at its end, sessions, tokens and open connections of the account end', async () => {
  await add({ expires: now + DAY })
  const vera = hub.clientAs('vera')
  const { token } = await admin().send(addToken, { owner: 'vera', 'expired-time': NEVER_EXPIRES })
  const program = Object.assign(hub.client(), { token })
  const { port } = await hub.listen(0, 0)
  const feed = await openFeed(port, { cookie: vera.cookie })
  assert.deepEqual([await use(vera), await use(program)], [SUCCESS, SUCCESS])
  now += DAY
  assert.deepEqual([await use(vera), await use(program)], [NOT_LOGGED_IN, NOT_LOGGED_IN])
  await feed.closed
  const { list } = await admin().send(listSessions, {})
  assert.ok(list.every(({ user }) => user === 'Admin'))
})

test('with a later end the account signs in again, and its sessions of before stay ended', async () => {
  const { id } = await add({ expires: now + DAY })
  const vera = hub.clientAs('vera')
  now += DAY
  assert.equal((await admin().send(setUser, { id, expires: now + DAY, was: { expires: now } })).result, SUCCESS)
  assert.deepEqual([await use(vera), await signIn()], [NOT_LOGGED_IN, SUCCESS])
  const stale = { id, expires: NEVER_EXPIRES, was: { expires: now } }
  assert.equal((await admin().send(setUser, stale)).result, STATE_CHANGED)
  await admin().send(setUser, { id, expires: NEVER_EXPIRES })
  assert.equal((await rowOf())?.expires, undefined)
})

test('an end is in the future, and the user Admin has none, so the last administrator is never locked out', async () => {
  for (const expires of [now, now - DAY, 0, -2, 1.5])
    assert.equal((await add({ expires })).result, INVALID_ARG, String(expires))
  assert.equal((await admin().send(setUser, { id: ADMIN_USER_ID, expires: now + DAY })).result, NOT_PERMITTED)
  const other = await add({ 'group-id': GROUP_ADMIN, expires: now + DAY })
  assert.equal(other.result, SUCCESS)
  assert.equal(await signIn('Admin', 'Admin'), SUCCESS)
})

test('an import gives Admin no end, and whoever imports keeps the own one', async () => {
  const importer = await add({ name: 'boss', 'group-id': GROUP_ADMIN })
  const local = collectTables(hub.parts.store)
  const imported = redactTables({ ...local, user: local.user.map((row) => ({ ...row, expires: 1 })) })
  const request = { local, imported, importer: 'boss', unusablePassword: 'x', parts: new Set(['users'] as const) }
  const { tables } = mergeTables(request)
  assert.deepEqual(
    tables.user.filter(({ id }) => id === ADMIN_USER_ID || id === importer.id).map(({ expires }) => expires),
    [NEVER_EXPIRES, NEVER_EXPIRES]
  )
})

test('a manager of users cannot extend the own account, nor create one that outlives it', async () => {
  const mona = addSignedInUser(hub, 'mona', VIEWER_PERMISSIONS | USER_CONTROL)
  const { id } = (await mona.send(getSession, {})).user
  const end = now + 7 * DAY
  await admin().send(setUser, { id, expires: end })
  assert.equal((await mona.send(setUser, { id, expires: NEVER_EXPIRES })).result, NOT_PERMITTED)
  assert.equal((await mona.send(setUser, { id, expires: end - DAY })).result, NOT_PERMITTED)
  assert.equal((await add({}, mona)).result, NOT_PERMITTED)
  assert.equal((await add({ expires: end + 1 }, mona)).result, NOT_PERMITTED)
  const added = await add({ expires: end }, mona)
  assert.equal(added.result, SUCCESS)
  assert.equal((await mona.send(setUser, { id: added.id, expires: end + DAY })).result, NOT_PERMITTED)
  assert.equal((await mona.send(setUser, { id: added.id, expires: end - DAY })).result, SUCCESS)
})

test('a guest sees the channels that he was given and nothing else, and they inherit as before', async () => {
  const [first, second] = [await channel('First'), await channel('Second')]
  await channel('Third')
  await admin().send(acceptDevices, { sn: registerDevices(hub, 1) })
  const { result, id } = await add({ guest: true, expires: now + 7 * DAY, channels: [first, second] })
  assert.equal(result, SUCCESS)
  const vera = hub.clientAs('vera')
  assert.deepEqual(await namesOf(vera), ['First', 'Second'])
  assert.equal((await vera.send(listDevices, {})).total, 0)
  assert.equal((await rowOf())?.guest, true)
  const { channel: opened } = await admin().send(queryChannel, { id: first })
  assert.deepEqual([opened['is-inherit'], opened['usr-mask']], [1, id])
  const viewer = addSignedInUser(hub, 'viewer', VIEWER_PERMISSIONS)
  assert.equal((await namesOf(viewer)).length, 3, 'nobody else sees less')
  const { list } = await admin().send(listVisibleObjects, { usr: id, of: 'channel' })
  assert.deepEqual(
    list.map(({ name, because }) => [name, because]),
    [
      ['First', 'user'],
      ['Second', 'user']
    ]
  )
  const { 'group-mask': groups = 0 } = opened
  await admin().send(setChannelSecurity, {
    id: first,
    security: { 'is-inherit': 1, 'group-mask': groups, 'usr-mask': 0 }
  })
  assert.deepEqual(await namesOf(vera), ['Second'], 'taken away at once')
})

test('a guest also sees what a tag or the default names him for, and not what they name his group for', async () => {
  const [tagged] = [await channel('Tagged'), await channel('Other')]
  const { id } = await add({ guest: true })
  const vera = hub.clientAs('vera')
  const { id: tag } = await admin().send(addTag, { name: 'Guests', color: 'teal' })
  await admin().send(assignTags, { channels: [tagged], add: [tag] })
  const give = (group: number, user: number) =>
    admin().send(setTagSecurity, { id: tag, security: { 'group-mask': group, 'usr-mask': user } })
  await give(4294967295, 0)
  assert.deepEqual(await namesOf(vera), [])
  await give(0, id)
  assert.deepEqual(await namesOf(vera), ['Tagged'])
  await admin().send(setGlobalChannel, { security: { 'group-mask': 4, 'usr-mask': id } })
  assert.deepEqual(await namesOf(vera), ['Other', 'Tagged'])
})

test('a guest sees the pictures of his channels, whatever device they come from, and no other picture', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin().send(acceptDevices, { sn: [sn] })
  const [own, other] = [await channel('Own'), await channel('Other')]
  await admin().send(setChannelInput, { id: own, input: hub.parts.store.devices.bySerial(sn)?.id ?? 0 })
  await add({ guest: true, channels: [own] })
  hub.clientAs('vera')
  const { store, gate } = hub.parts
  const session = store.users.sessions(gate.sessionLimits()).find(({ user }) => user === 'vera')?.hash ?? ''
  const maySee = createPreviewAccess(store, gate, () => [])(session)
  const device = `DEV-${sn}`
  assert.equal(deviceOfPreview(device), sn)
  assert.deepEqual([previewOfChannel(own), previewOfChannel(other), device].map(maySee), [true, false, false])
})

test('a guest has the permissions of the group about single objects only', async () => {
  await add({ guest: true, 'group-id': GROUP_USER })
  const { permission } = (await hub.clientAs('vera').send(getSession, {})).user
  assert.ok(permission & CHANNEL_EDIT)
  assert.equal(permission & (SYSTEM_CONFIG_EDIT | USER_CONTROL), 0)
})

test('a guest with permissions sees the channels and inputs that he adds, and those of no one else', async () => {
  await admin().send(addInput, { name: 'Hall', config: { type: 1, url: 'srt://192.0.2.1:9000' } })
  const { id } = await add({ guest: true, 'group-id': GROUP_USER })
  const vera = hub.clientAs('vera')
  await vera.send(addChannel, { name: 'Mine' })
  await vera.send(addInput, { name: 'Truck', config: { type: 1, url: 'srt://192.0.2.2:9000' } })
  assert.deepEqual(await namesOf(vera), ['Mine'])
  assert.deepEqual(
    (await vera.send(listInputs, {})).list.map(({ name }) => name),
    ['Truck']
  )
  await admin().send(moveUsers, { id, 'group-id': GROUP_ADMIN })
  assert.equal((await vera.send(listInputs, {})).list.length, 2, 'a member of the Admin group is no guest')
})

test('channels are given to guests, by administrators', async () => {
  const id = await channel('First')
  assert.equal((await add({ channels: [id] })).result, INVALID_ARG)
  assert.equal((await add({ guest: true, channels: [id, 999_999] })).result, NOT_EXIST)
  const mona = addSignedInUser(hub, 'mona', VIEWER_PERMISSIONS | USER_CONTROL)
  assert.equal((await add({ guest: true, channels: [id] }, mona)).result, NOT_PERMITTED)
  assert.equal(await rowOf(), undefined)
})

test('a user with the id of a deleted guest sees nothing because of the guest', async () => {
  const id = await channel('First')
  const guest = await add({ guest: true, channels: [id] })
  await admin().send(deleteUsers, { id: guest.id })
  const next = await add({ name: 'next', guest: true })
  assert.equal(next.id, guest.id)
  assert.deepEqual(await namesOf(hub.clientAs('next')), [])
})

test.run()
