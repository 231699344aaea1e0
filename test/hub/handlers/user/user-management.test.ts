// Users outside of the Admin group who manage users. They must not gain a permission, nor give one that they lack.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ADMIN_GRANTED_PERMISSIONS,
  ALL_PERMISSIONS,
  CHANNEL_VIEW,
  DEVICE_GROUP_CONTROL,
  DEVICE_SECURITY,
  DEVICE_VIEW,
  GROUP_ADMIN,
  GROUP_CUSTOM,
  GROUP_USER,
  GROUP_VIEWER,
  INPUT_OUTPUT_VIEW,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL,
  VIEWER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { resetSecondFactor } from '../../../../contract/access/second-factor.ts'
import { changePassword, getSession } from '../../../../contract/access/session.ts'
import { addToken, deleteTokens, listTokens } from '../../../../contract/access/token.ts'
import {
  ADMIN_USER_ID,
  addGroup,
  addUser,
  deleteGroup,
  deleteUsers,
  endSessions,
  listSessions,
  listUsers,
  moveUsers,
  setGroup,
  setUser
} from '../../../../contract/access/user.ts'
import { listVisibleObjects } from '../../../../contract/access/visible-objects.ts'
import type { Envelope } from '../../../../contract/call.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, setDeviceSecurity, setGlobalDevice } from '../../../../contract/device/device.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { type Client, newPassword } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('user management')
hubForEach(test)

/** The rights of the manager: those of a viewer, and user control. */
const MANAGER = VIEWER_PERMISSIONS | USER_CONTROL
const LEADS = 8
const OTHERS = 16
const STRONG = 32
const PASSWORD = newPassword('a-new-password')

/** IDs of users. */
const ID = { mona: 2, max: 4, vera: 8, olga: 16, sven: 32, ada: 64 }
let mona: Client

/**
 * Mona manages users, as does Max of the same group. Vera is a viewer, Olga in a group with fewer rights than Mona,
 * Sven in one with a right that Mona lacks, Ada an administrator besides Admin.
 */
test.before.each(() => {
  const { users, database } = hub.parts.store
  database.transaction(() => {
    users.addGroup(LEADS, 'Leads', MANAGER, GROUP_CUSTOM)
    users.addGroup(OTHERS, 'Others', DEVICE_VIEW, GROUP_CUSTOM)
    users.addGroup(STRONG, 'Strong', DEVICE_VIEW | SYSTEM_CONFIG_VIEW, GROUP_CUSTOM)
    users.add(ID.mona, 'mona', LEADS, '', false)
    users.add(ID.max, 'max', LEADS, '', false)
    users.add(ID.vera, 'vera', GROUP_VIEWER, '', false)
    users.add(ID.olga, 'olga', OTHERS, '', false)
    users.add(ID.sven, 'sven', STRONG, '', false)
    users.add(ID.ada, 'ada', GROUP_ADMIN, '', false)
  })
  mona = hub.clientAs('mona')
})

/** Deletes the group of Sven, who moves to User: a hub has six groups at most. */
function removeStrongGroup(): void {
  const { users, database } = hub.parts.store
  database.transaction(() => {
    users.moveToGroup(ID.sven, GROUP_USER)
    users.removeGroup(STRONG)
  })
}

const dump = () => {
  const { users } = hub.parts.store
  return JSON.stringify([users.all(), users.groups()])
}

/** Makes calls as Mona. Each must be refused with 31, and nothing may change. */
async function refusesAll(attempts: Readonly<Record<string, () => Promise<Envelope>>>): Promise<void> {
  for (const [what, attempt] of Object.entries(attempts)) {
    const before = dump()
    assert.equal((await attempt()).result, NOT_PERMITTED, what)
    assert.equal(dump(), before, what)
  }
}

const permissionOf = async (client: Client) => (await client.send(getSession, {})).user.permission

test('a forbidden permission is refused as such even if no further group can be added', async () => {
  await refusesAll({
    'a seventh group': () => mona.send(addGroup, { name: 'Seventh', permissions: DEVICE_VIEW | SYSTEM_CONFIG_EDIT })
  })
})

test('an administrator grants device security, device group control and user control; nobody else does', async () => {
  removeStrongGroup()
  for (const bit of [DEVICE_SECURITY, DEVICE_GROUP_CONTROL, USER_CONTROL]) {
    assert.equal((await admin.send(setGroup, { id: OTHERS, permissions: MANAGER | bit })).result, SUCCESS, String(bit))
    assert.ok(((await permissionOf(hub.clientAs('olga'))) & bit) !== 0)
  }
  await admin.send(setGroup, { id: OTHERS, permissions: DEVICE_VIEW })
  await admin.send(setGroup, { id: LEADS, permissions: MANAGER | ADMIN_GRANTED_PERMISSIONS })
  for (const bit of [DEVICE_SECURITY, DEVICE_GROUP_CONTROL, USER_CONTROL])
    await refusesAll({
      'adds a group with it': () => mona.send(addGroup, { name: 'x', permissions: DEVICE_VIEW | bit }),
      'gives it to a group': () => mona.send(setGroup, { id: OTHERS, permissions: DEVICE_VIEW | bit })
    })
})

test('a manager manages the users and groups below', async () => {
  const added = await mona.send(addUser, { name: 'nora', ...PASSWORD })
  assert.equal(added.result, SUCCESS)
  const replies = [
    await mona.send(setUser, { id: added.id, nick: 'N' }),
    await mona.send(changePassword, { name: 'nora', ...newPassword('another-password') }),
    await mona.send(moveUsers, { id: added.id, 'group-id': OTHERS }),
    await mona.send(setGroup, {
      id: OTHERS,
      name: 'Crew',
      permissions: DEVICE_VIEW | CHANNEL_VIEW,
      users: ['nora', 'vera']
    }),
    await mona.send(deleteUsers, { id: added.id }),
    await mona.send(deleteGroup, { id: OTHERS })
  ]
  assert.deepEqual(
    replies.map(({ result }) => result),
    replies.map(() => SUCCESS)
  )
  assert.equal(await permissionOf(hub.clientAs('olga')), VIEWER_PERMISSIONS)
  assert.equal(
    (await mona.send(addGroup, { name: 'New', permissions: INPUT_OUTPUT_VIEW, users: ['olga'] })).result,
    SUCCESS
  )
})

test('only the Admin group touches its members', async () => {
  removeStrongGroup()
  for (const [name, id] of [
    ['ada', ID.ada],
    ['Admin', ADMIN_USER_ID]
  ] as const)
    await refusesAll({
      [`sets the password of ${name}`]: () => mona.send(changePassword, { name, ...PASSWORD }),
      [`renames ${name}`]: () => mona.send(setUser, { id, name: 'nobody' }),
      [`sets the nickname of ${name}`]: () => mona.send(setUser, { id, nick: 'x' }),
      [`deletes ${name}`]: () => mona.send(deleteUsers, { id }),
      [`deletes ${name} among others`]: () => mona.send(deleteUsers, { id: [ID.vera, id] }),
      [`moves ${name}`]: () => mona.send(moveUsers, { id, 'group-id': GROUP_VIEWER }),
      [`moves ${name} through a group`]: () => mona.send(setGroup, { id: OTHERS, users: [name] }),
      [`moves ${name} into a new group`]: () =>
        mona.send(addGroup, { name: 'x', permissions: DEVICE_VIEW, users: [name] }),
      [`resets the second factor of ${name}`]: () => mona.send(resetSecondFactor, { id })
    })
  await refusesAll({
    'empties the Admin group': () => mona.send(setGroup, { id: GROUP_ADMIN, users: [] }),
    'demands a second factor of it': () => mona.send(setGroup, { id: GROUP_ADMIN, 'require-second-factor': true }),
    'renames it': () => mona.send(setGroup, { id: GROUP_ADMIN, name: 'x' }),
    'deletes it': () => mona.send(deleteGroup, { id: GROUP_ADMIN })
  })
})

test('sessions of administrators are neither listed nor ended', async () => {
  const ada = hub.clientAs('ada')
  const sven = hub.clientAs('sven')
  const vera = hub.clientAs('vera')
  const idOf = async (client: Client) => (await client.send(listSessions, {})).list.find(({ own }) => own)?.id ?? 0
  const { list } = await mona.send(listSessions, {})
  assert.deepEqual([...new Set(list.map(({ user }) => user))].sort(), ['mona', 'vera'])
  for (const client of [ada, sven]) {
    assert.notEqual((await mona.send(endSessions, { id: await idOf(client) })).result, SUCCESS)
    assert.equal((await client.send(getSession, {})).result, SUCCESS)
  }
  assert.equal((await mona.send(endSessions, { id: await idOf(vera) })).result, SUCCESS)
  assert.notEqual((await vera.send(getSession, {})).result, SUCCESS)
})

test('nobody comes into the Admin group', () =>
  refusesAll({
    'adds a user there': () => mona.send(addUser, { name: 'nora', 'group-id': GROUP_ADMIN, ...PASSWORD }),
    'moves a user there': () => mona.send(moveUsers, { id: ID.vera, 'group-id': GROUP_ADMIN }),
    'moves herself there': () => mona.send(moveUsers, { id: ID.mona, 'group-id': GROUP_ADMIN }),
    'lists a user as its member': () => mona.send(setGroup, { id: GROUP_ADMIN, users: ['ada', 'vera'] }),
    'lists herself as its member': () => mona.send(setGroup, { id: GROUP_ADMIN, users: ['ada', 'mona'] })
  }))

test('no right that the manager lacks is given to a new group', () => {
  removeStrongGroup()
  return refusesAll({
    'to a new group': () => mona.send(addGroup, { name: 'x', permissions: SYSTEM_CONFIG_VIEW }),
    'to a new group as one that another requires': () =>
      mona.send(addGroup, { name: 'x', permissions: SYSTEM_CONFIG_EDIT })
  })
})

test('no right that the manager lacks is given', () =>
  refusesAll({
    'to a group': () => mona.send(setGroup, { id: OTHERS, permissions: DEVICE_VIEW | SYSTEM_CONFIG_VIEW }),
    'to a new user': () => mona.send(addUser, { name: 'nora', 'group-id': STRONG, ...PASSWORD }),
    'to a new user of the default group User': () =>
      mona.send(addUser, { name: 'nora', 'group-id': GROUP_USER, ...PASSWORD }),
    'to a user who moves': () => mona.send(moveUsers, { id: ID.olga, 'group-id': STRONG }),
    'to a listed member': () => mona.send(setGroup, { id: STRONG, users: ['sven', 'olga'] })
  }))

test('a user with a right that the manager lacks is out of reach: the manager could sign in as that user', () =>
  refusesAll({
    'sets the password': () => mona.send(changePassword, { name: 'sven', ...PASSWORD }),
    'renames the user': () => mona.send(setUser, { id: ID.sven, name: 'nobody' }),
    'deletes the user': () => mona.send(deleteUsers, { id: ID.sven }),
    'resets the second factor': () => mona.send(resetSecondFactor, { id: ID.sven }),
    'moves the user': () => mona.send(moveUsers, { id: ID.sven, 'group-id': OTHERS }),
    'takes the user as a member': () => mona.send(setGroup, { id: OTHERS, users: ['sven'] }),
    'removes the user from its group': () => mona.send(setGroup, { id: STRONG, users: [] }),
    'lowers the rights of the group': () => mona.send(setGroup, { id: STRONG, permissions: DEVICE_VIEW }),
    'lifts the demand of a second factor': () => mona.send(setGroup, { id: STRONG, 'require-second-factor': false }),
    'deletes the group': () => mona.send(deleteGroup, { id: STRONG })
  }))

test('the own group and membership cannot be changed', () =>
  refusesAll({
    'moves herself': () => mona.send(moveUsers, { id: ID.mona, 'group-id': OTHERS }),
    'moves herself among others': () => mona.send(moveUsers, { id: [ID.vera, ID.mona], 'group-id': OTHERS }),
    'lists herself elsewhere': () => mona.send(setGroup, { id: OTHERS, users: ['mona'] }),
    'edits her group': () => mona.send(setGroup, { id: LEADS, permissions: MANAGER }),
    'renames her group': () => mona.send(setGroup, { id: LEADS, name: 'Bosses' }),
    'takes a member into her group': () => mona.send(setGroup, { id: LEADS, users: ['mona', 'max', 'olga'] }),
    'moves a user into her group': () => mona.send(moveUsers, { id: ID.olga, 'group-id': LEADS }),
    'adds a user to her group': () => mona.send(addUser, { name: 'nora', 'group-id': LEADS, ...PASSWORD }),
    'lifts the demand of a second factor': () => mona.send(setGroup, { id: LEADS, 'require-second-factor': false }),
    'deletes her group': () => mona.send(deleteGroup, { id: LEADS })
  }))

test('a manager cannot found a group with herself', () => {
  removeStrongGroup()
  return refusesAll({
    'founds a group with herself': () => mona.send(addGroup, { name: 'x', permissions: DEVICE_VIEW, users: ['mona'] })
  })
})

test('a deleted group moves nobody to a default group with more rights than the manager has', async () => {
  await admin.send(setGroup, { id: LEADS, permissions: DEVICE_VIEW | USER_CONTROL })
  await refusesAll({ 'deletes a group with a member': () => mona.send(deleteGroup, { id: OTHERS }) })
  await admin.send(moveUsers, { id: ID.olga, 'group-id': GROUP_VIEWER })
  assert.equal((await mona.send(deleteGroup, { id: OTHERS })).result, SUCCESS)
})

test('a right that is lost is gone for the next call, and between the two halves of a call', async () => {
  const pending = mona.send(changePassword, { name: 'vera', ...PASSWORD })
  hub.parts.store.database.transaction(() => hub.parts.store.users.moveToGroup(ID.mona, OTHERS))
  assert.equal((await pending).result, NOT_PERMITTED)
  assert.equal((await mona.send(addUser, { name: 'nora', ...PASSWORD })).result, NOT_PERMITTED)
})

test('a user who becomes an administrator while the password is hashed keeps the password', async () => {
  const pending = mona.send(changePassword, { name: 'vera', ...PASSWORD })
  hub.parts.store.database.transaction(() => hub.parts.store.users.moveToGroup(ID.vera, GROUP_ADMIN))
  assert.equal((await pending).result, NOT_PERMITTED)
  assert.equal(hub.parts.store.users.byId(ID.vera)?.password, '')
})

test('tokens, displays, global defaults and settings of administrators stay theirs, whatever rights a group has', async () => {
  await admin.send(setGroup, { id: LEADS, permissions: 0x3ffff })
  await refusesAll({
    'adds a token': () => mona.send(addToken, { 'expired-time': -1 }),
    'adds a token of an administrator': () => mona.send(addToken, { 'expired-time': -1, owner: 'ada' }),
    'lists tokens': () => mona.send(listTokens, {}),
    'revokes a token': () => mona.send(deleteTokens, { id: 1 }),
    'sets the default visibility': () =>
      mona.send(setGlobalDevice, { security: { 'group-mask': OTHERS, 'usr-mask': 0 } }),
    'keeps fewer log lines': () => mona.send(setSettings, { log: { 'max-lines': 1000, 'max-days': 90 } })
  })
})

test('a token of a manager manages nobody, whatever its scopes', async () => {
  const { token } = await admin.send(addToken, {
    ...{ 'expired-time': -1, owner: 'mona' },
    scopes: ['read', 'channels', 'devices', 'settings', 'metrics']
  })
  const program = Object.assign(hub.client(), { token })
  for (const send of [
    () => program.send(listUsers, {}),
    () => program.send(addUser, { name: 'nora', ...PASSWORD }),
    () => program.send(setGroup, { id: OTHERS, users: [] }),
    () => program.send(changePassword, { name: 'vera', ...PASSWORD }),
    () => program.send(setDeviceSecurity, { sn: 'X', security: { 'is-inherit': 1 } })
  ])
    assert.equal((await send()).result, NOT_PERMITTED)
})

test('unknown rights are refused to administrators, too', async () => {
  removeStrongGroup()
  for (const permissions of [2 ** 18, 2 ** 31, ALL_PERMISSIONS])
    assert.equal((await admin.send(addGroup, { name: 'x', permissions })).result, INVALID_ARG)
})

test('who sets visibility reads names, and nothing about the sign-in of users', async () => {
  await admin.send(setGroup, { id: OTHERS, permissions: DEVICE_SECURITY })
  hub.parts.store.database.run(
    'UPDATE user SET last_login = 5, second_factor_since = 5, is_default_password = 1 WHERE id = 1'
  )
  const fields = async (client: Client) => {
    const user = (await client.send(listUsers, {})).users?.find(({ name }) => name === 'Admin') ?? {}
    return ['last-login', 'default-password', 'second-factor'].filter((field) => field in user)
  }
  assert.deepEqual(await fields(hub.clientAs('olga')), [])
  assert.equal((await fields(mona)).length, 3)
  assert.equal((await hub.clientAs('sven').send(listUsers, {})).result, NOT_PERMITTED)
})

test('what others see is listed only as far as the manager sees it', async () => {
  const [seen = '', hidden = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [seen, hidden] })
  await admin.send(setDeviceSecurity, {
    sn: hidden,
    security: { 'is-inherit': 0, 'group-mask': OTHERS, 'usr-mask': 0 }
  })
  const list = async (client: Client) => {
    const reply = await client.send(listVisibleObjects, { usr: ID.olga, of: 'device' })
    return [reply['num-all'], ...reply.list.map(({ sn }) => sn).sort()]
  }
  assert.deepEqual(await list(admin), [2, ...[seen, hidden].sort()])
  assert.deepEqual(await list(mona), [1, seen])
  await admin.send(setGroup, { id: LEADS, permissions: USER_CONTROL })
  assert.deepEqual(await list(mona), [0])
})

test.run()
