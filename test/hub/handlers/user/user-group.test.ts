import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  addRequiredPermissions,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_VIEW,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  NDI_EDIT
} from '../../../../contract/access/permissions.ts'
import { getSession } from '../../../../contract/access/session.ts'
import {
  addGroup,
  deleteGroup,
  listUsers,
  moveUsers,
  setGroup,
  type UserGroupFields
} from '../../../../contract/access/user.ts'
import {
  ALREADY_EXISTS,
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  STATE_CHANGED,
  SUCCESS,
  TOO_MANY
} from '../../../../contract/codes.ts'
import {
  acceptDevices,
  getGlobalDevice,
  listDevices,
  setDeviceSecurity,
  setGlobalDevice
} from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import { channelDashboard } from '../../../../contract/stream/channel.ts'
import type { Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('user-group')
hubForEach(test)

const add = (name: string, permissions = DEVICE_VIEW, more: Partial<UserGroupFields> = {}) =>
  admin.send(addGroup, { name, permissions, ...more })
const currentGroup = async (id: number) => (await admin.send(listUsers, { type: 'group', id })).groups?.[0]
const membersOf = async (id: number) => (await currentGroup(id))?.users

function insertUser(name: string, id: number, group = GROUP_VIEWER): Client {
  const { users, database } = hub.parts.store
  database.transaction(() => users.add(id, name, group, '', false))
  return hub.clientAs(name)
}

test('a group gets the permissions that its permissions require', async () => {
  insertUser('vera', 2)
  const { id } = await add('编辑', CHANNEL_EDIT, { desc: 'Edit channels', users: ['vera'] })
  assert.equal(id, 8)
  assert.deepEqual(await currentGroup(8), {
    id: 8,
    name: '编辑',
    desc: 'Edit channels',
    permission: 0x1f00,
    type: 8,
    users: ['vera']
  })
  await admin.send(setGroup, { id: 8, permissions: NDI_EDIT })
  assert.equal((await currentGroup(8))?.permission, addRequiredPermissions(NDI_EDIT))
})

test('groups without permissions, or with unknown ones, are refused', async () => {
  const { id } = await add('Crew')
  const invalidPermissions = [0, 2 ** 18, DEVICE_VIEW + 2 ** 18, 2 ** 31, ALL_PERMISSIONS]
  for (const permissions of invalidPermissions) {
    const reply = await add('other', permissions)
    assert.deepEqual([reply.result, reply.field], [INVALID_ARG, 'permissions'], String(permissions))
    assert.equal((await admin.send(setGroup, { id, permissions })).field, 'permissions', String(permissions))
  }
  assert.equal((await add('other', 0)).fault, 'required')
  assert.equal((await add('other', 2 ** 18)).fault, 'invalid')
  assert.equal((await currentGroup(id))?.permission, DEVICE_VIEW)
  assert.equal((await admin.send(listUsers, { type: 'group' })).groups?.length, 4)
})

test('there are at most six groups, and a freed bit is used again', async () => {
  assert.deepEqual([(await add('a')).id, (await add('b')).id, (await add('c')).id], [8, 16, 32])
  assert.deepEqual(await add('d'), {
    ...{ result: TOO_MANY, max: 6, of: 'group' },
    message: 'Limit exceeded\nmax groups 6'
  })
  await admin.send(deleteGroup, { id: 16 })
  assert.equal((await add('d')).id, 16)
})

test('a name is unique ignoring case, except for the group’s own', async () => {
  const { id } = await add('Größe')
  for (const name of ['admin', 'VIEWER', 'größe', 'GRÖSSE'.replace('SS', 'ß')])
    assert.deepEqual(
      await add(name),
      { result: ALREADY_EXISTS, field: 'name', exists: 'group', message: 'Group already exists\nChoose another one.' },
      name
    )
  assert.equal((await admin.send(setGroup, { id, name: 'user' })).exists, 'group')
  assert.equal((await admin.send(setGroup, { id, name: 'GRÖßE' })).result, SUCCESS)
  assert.equal((await currentGroup(id))?.name, 'GRÖßE')
})

test('fields that a request leaves out are not changed', async () => {
  insertUser('vera', 2)
  const { id } = await add('Crew', CHANNEL_VIEW, { desc: 'x', users: ['vera'] })
  const before = await currentGroup(id)
  await admin.send(setGroup, { id })
  assert.deepEqual(await currentGroup(id), before)
  await admin.send(setGroup, { id, desc: '' })
  assert.deepEqual(await currentGroup(id), { ...before, desc: '' })
})

test('members are set by name, and former members move to Viewer', async () => {
  insertUser('vera', 2)
  insertUser('bob', 4, GROUP_USER)
  insertUser('eve', 8)
  const { id } = await add('Crew', DEVICE_VIEW, { users: ['vera', 'bob'] })
  assert.deepEqual(await membersOf(id), ['vera', 'bob'])
  await admin.send(setGroup, { id, users: ['eve', 'bob', 'eve'] })
  assert.deepEqual(await membersOf(id), ['bob', 'eve'])
  assert.deepEqual(await membersOf(GROUP_VIEWER), ['vera'])
  const missing = await admin.send(setGroup, { id, name: 'Other', users: ['vera', 'nobody'] })
  assert.deepEqual([missing.result, missing.field], [NOT_EXIST, 'users'])
  assert.equal((await currentGroup(id))?.name, 'Crew', 'all or nothing')
  assert.equal((await add('x', DEVICE_VIEW, { users: ['nobody'] })).result, NOT_EXIST)
  assert.equal((await admin.send(listUsers, { type: 'group' })).groups?.length, 4)
  await admin.send(setGroup, { id, users: [] })
  assert.deepEqual(await membersOf(id), [])
})

test('the user Admin stays in its group, named or not, and cannot join another', async () => {
  insertUser('root', 2, GROUP_ADMIN)
  assert.equal((await add('Crew', DEVICE_VIEW, { users: ['Admin'] })).result, NOT_PERMITTED)
  assert.equal((await admin.send(setGroup, { id: GROUP_USER, users: ['Admin'] })).result, NOT_PERMITTED)
  assert.equal((await admin.send(setGroup, { id: GROUP_ADMIN, users: [] })).result, SUCCESS)
  assert.deepEqual(await membersOf(GROUP_ADMIN), ['Admin'])
  assert.deepEqual(await membersOf(GROUP_VIEWER), ['root'])
  assert.equal((await admin.send(setGroup, { id: GROUP_ADMIN, users: ['Admin', 'root'] })).result, SUCCESS)
  assert.deepEqual(await membersOf(GROUP_ADMIN), ['Admin', 'root'])
})

test('the built-in groups keep their names and permissions, and cannot be deleted', async () => {
  const before = await admin.send(listUsers, { type: 'group' })
  for (const id of [GROUP_ADMIN, GROUP_USER, GROUP_VIEWER]) {
    for (const values of [{ name: 'x' }, { permissions: DEVICE_VIEW }, { desc: '' }])
      assert.equal((await admin.send(setGroup, { id, ...values })).result, NOT_PERMITTED)
    assert.equal((await admin.send(deleteGroup, { id })).result, NOT_PERMITTED)
  }
  for (const id of [0, 3, 8, 2 ** 40]) {
    assert.equal((await admin.send(setGroup, { id, desc: '' })).result, NOT_EXIST)
    assert.equal((await admin.send(deleteGroup, { id })).result, NOT_EXIST)
  }
  assert.deepEqual(await admin.send(listUsers, { type: 'group' }), before)
})

test('changed permissions of a group apply to open sessions of its members', async () => {
  const vera = insertUser('vera', 2)
  const { id } = await add('Crew', DEVICE_VIEW, { users: ['vera'] })
  assert.equal((await vera.send(listDevices, {})).result, SUCCESS)
  assert.equal((await vera.send(channelDashboard, {})).result, NOT_PERMITTED)
  const before = hub.parts.store.changes.revs().session
  await admin.send(setGroup, { id, permissions: CHANNEL_VIEW })
  assert.ok(hub.parts.store.changes.revs().session > before, 'consoles read their session again')
  assert.equal((await vera.send(listDevices, {})).result, NOT_PERMITTED)
  assert.equal((await vera.send(channelDashboard, {})).result, SUCCESS)
  assert.equal((await vera.send(getSession, {})).user.permission, addRequiredPermissions(CHANNEL_VIEW))
  await admin.send(moveUsers, { id: 2, 'group-id': GROUP_ADMIN })
  assert.equal((await vera.send(listUsers, {})).result, SUCCESS)
})

test('members of a deleted group move to Viewer, and a new group with its bit inherits no visibility', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const vera = insertUser('vera', 2)
  const { id } = await add('Crew', DEVICE_VIEW, { users: ['vera'] })
  const masks = { 'group-mask': GROUP_USER | id, 'usr-mask': 0 }
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, ...masks } })
  await admin.send(setGlobalDevice, { security: masks })
  assert.equal((await vera.send(listDevices, {})).total, 1)
  assert.equal((await admin.send(deleteGroup, { id })).result, SUCCESS)
  assert.equal((await vera.send(getSession, {})).user['group-name'], 'Viewer')
  assert.equal((await vera.send(listDevices, {})).total, 0)
  const newGroup = await add('Others', DEVICE_VIEW, { users: ['vera'] })
  assert.equal(newGroup.id, id)
  assert.equal((await vera.send(listDevices, {})).total, 0)
  assert.equal((await admin.send(getGlobalDevice, {})).security['group-mask'], GROUP_USER)
})

test('a mask of all groups still covers all groups after one is deleted', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const { id } = await add('Crew')
  await admin.send(deleteGroup, { id })
  assert.equal((await admin.send(getGlobalDevice, {})).security['group-mask'], 4294967295)
  assert.equal(hub.parts.store.devices.bySerial(sn)?.group_mask, 4294967295)
})

test('a change based on outdated values is refused, and the user who changed them is named', async () => {
  const { id = 0 } = await add('Crew', DEVICE_VIEW)
  const previous = { permissions: DEVICE_VIEW }
  insertUser('anna', 2, GROUP_ADMIN)
  await hub.clientAs('anna').send(setGroup, { id, permissions: CHANNEL_VIEW, was: previous })
  const reply = await admin.send(setGroup, { id, permissions: NDI_EDIT, was: previous })
  assert.equal(reply.result, STATE_CHANGED)
  assert.equal(reply.by?.name, 'anna')
  assert.equal((await currentGroup(id))?.permission, addRequiredPermissions(CHANNEL_VIEW))
  // Changes of other fields by other users do not matter.
  assert.equal((await admin.send(setGroup, { id, name: 'Staff', was: { name: 'Crew' } })).result, SUCCESS)
  assert.equal((await currentGroup(id))?.permission, addRequiredPermissions(CHANNEL_VIEW))
})

test('a group without members is logged by its name alone', async () => {
  const { id = 0 } = await add('Crew', DEVICE_VIEW, { users: [] })
  await admin.send(setGroup, { id, users: [] })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ detail }) => detail),
    ['Crew #none', 'Crew']
  )
})

test('each change is in the log', async () => {
  insertUser('vera', 2)
  const { id } = await add('Crew', DEVICE_VIEW, { users: ['vera'] })
  await admin.send(setGroup, { id, name: 'Staff' })
  await admin.send(deleteGroup, { id })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ event, detail, code }) => [event, detail, code]),
    [
      ['/usr-group/del', 'Staff', 0],
      ['/usr-group/set', 'Crew → Staff', 0],
      ['/usr-group/add', 'Crew: vera', 0]
    ]
  )
})

test.run()
