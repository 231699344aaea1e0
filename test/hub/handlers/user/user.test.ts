import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ADMIN_GRANTED_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { changePassword, getSession, login } from '../../../../contract/access/session.ts'
import { addToken } from '../../../../contract/access/token.ts'
import {
  type AddUserRequest,
  addUser,
  deleteUsers,
  listUsers,
  moveUsers,
  setUser
} from '../../../../contract/access/user.ts'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import {
  ALREADY_EXISTS,
  GROUP_MISSING,
  INVALID_ARG,
  MISMATCH,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY,
  UNKNOWN_ERROR
} from '../../../../contract/codes.ts'
import {
  acceptDevices,
  getGlobalDevice,
  setDeviceSecurity,
  setFavorite,
  setGlobalDevice
} from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { openFeed } from '../../../kit/hub/feed-listener.ts'
import { addSignedInUser, type Client, md5 } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { recordProcessLog } from '../../../kit/hub/process-log.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('user')
hubForEach(test)

const password = 'secret-1'
const passwd = md5(password)
const add = (name: string, more: Partial<AddUserRequest> = {}) =>
  admin.send(addUser, { name, passwd, password, ...more })
const currentUsers = async () => (await admin.send(listUsers, {})).users ?? []
const names = async () => (await currentUsers()).map(({ name }) => name)

/** Adds a user without a valid password, which saves the time for hashing. */
function insertUser(name: string, id: number, group = GROUP_VIEWER): Client {
  const { users, database } = hub.parts.store
  database.transaction(() => users.add(id, name, group, `no hash, but ${name}'s own`, false))
  return hub.clientAs(name)
}

test('a new hub has the user Admin and three groups, which can be requested separately', async () => {
  const { users, groups } = await admin.send(listUsers, {})
  assert.deepEqual(users, [
    {
      id: 1,
      name: 'Admin',
      'group-id': 1,
      'group-name': 'Admin',
      permission: 4294967295,
      nick: '',
      'default-password': true
    }
  ])
  assert.deepEqual(groups, [
    { id: 1, name: 'Admin', desc: '', permission: 4294967295, type: 1, users: ['Admin'] },
    { id: 2, name: 'User', desc: '', permission: USER_PERMISSIONS, type: 2, users: [] },
    { id: 4, name: 'Viewer', desc: '', permission: VIEWER_PERMISSIONS, type: 4, users: [] }
  ])
  assert.deepEqual(Object.keys(await admin.send(listUsers, { type: 'usr' })), ['result', 'users'])
  assert.deepEqual(Object.keys(await admin.send(listUsers, { type: 'group' })), ['result', 'groups'])
  const groupReply = await admin.send(listUsers, { type: 'group', id: 1, more: 1 })
  assert.deepEqual(
    groupReply.groups?.map((group) => group.users),
    [[{ name: 'Admin', id: 1 }]]
  )
  assert.equal((await admin.send(listUsers, { type: 'group', id: 8 })).result, NOT_EXIST)
})

test('a new user signs in with that password, and is a viewer if no group is given', async () => {
  const viewer = await add('vera', { nick: '薇拉' })
  const user = await add('ursula', { 'group-id': GROUP_USER })
  assert.deepEqual([viewer.id, user.id], [2, 4])
  const client = await hub.signIn('vera', 'secret-1')
  const { user: who } = await client.send(getSession, {})
  const group = { 'group-name': 'Viewer', permission: VIEWER_PERMISSIONS, type: 4 }
  assert.deepEqual(who, { name: 'vera', nick: '薇拉', id: 2, ...group })
  const [, vera, ursula] = await currentUsers()
  assert.ok(Date.now() - (vera?.['last-login'] ?? 0) < 10_000)
  assert.equal(vera?.nick, '薇拉')
  assert.ok(ursula && !('last-login' in ursula) && !('default-password' in ursula))
  assert.equal((await client.send(listUsers, {})).result, NOT_PERMITTED)
})

test('a name is unique ignoring case, also by Unicode case folding', async () => {
  insertUser('Jörg', 2)
  for (const name of ['admin', 'ADMIN', 'Admin', 'JÖRG', 'jo\u0308rg', 'Ａdmin', 'Admin\u200b'])
    assert.deepEqual(
      await add(name),
      { result: ALREADY_EXISTS, field: 'name', exists: 'user', message: 'User already exists\nChoose another one.' },
      name
    )
  assert.deepEqual(await names(), ['Admin', 'Jörg'])
})

test('of two concurrent additions of the same name the second is refused', async () => {
  const responses = await Promise.all([add('twin'), add('twin'), add('Twin')])
  assert.deepEqual(responses.map(({ result }) => result).sort(), [SUCCESS, ALREADY_EXISTS, ALREADY_EXISTS])
  assert.equal((await names()).length, 2)
})

test('the 32nd user has the highest bit, a 33rd is refused, and a freed bit is used again', async () => {
  for (let bit = 1; bit < 31; bit++) insertUser(`user${bit}`, 2 ** bit)
  const last = await Promise.all([add('last'), add('one-more')])
  assert.deepEqual(last.map(({ result }) => result).sort(), [SUCCESS, TOO_MANY])
  assert.equal(last.find(({ result }) => result === SUCCESS)?.id, 2147483648)
  assert.deepEqual(await add('late'), {
    ...{ result: TOO_MANY, max: 32, of: 'user' },
    message: 'Limit exceeded\nmax users 32'
  })
  assert.equal((await admin.send(deleteUsers, { id: [2 ** 7, 2147483648] })).result, SUCCESS)
  assert.equal((await add('again')).id, 2 ** 7)
  assert.equal((await add('and again')).id, 2147483648)
})

test('an unknown group, a missing name and a missing password are refused, and nothing changes', async () => {
  assert.deepEqual(await add('vera', { 'group-id': 8 }), { result: GROUP_MISSING, field: 'group-id' })
  assert.equal((await add('')).field, 'name')
  assert.equal((await add('x'.repeat(33))).field, 'name')
  assert.equal((await add('a\0b')).field, 'name')
  assert.equal((await add('vera', { passwd: md5('') })).field, 'passwd')
  assert.equal((await add('vera', { nick: 'x'.repeat(33) })).field, 'nick')
  assert.deepEqual(await names(), ['Admin'])
})

test('a user can be renamed and get another display name while signed in', async () => {
  const client = insertUser('vera', 2)
  insertUser('bob', 4)
  assert.equal((await admin.send(setUser, { id: 2, name: 'Vera', nick: 'V' })).result, SUCCESS)
  assert.equal((await client.send(getSession, {})).user.name, 'Vera')
  assert.equal((await admin.send(setUser, { id: 2, nick: '' })).result, SUCCESS)
  assert.deepEqual(
    (await currentUsers()).map(({ name, nick }) => [name, nick]),
    [
      ['Admin', ''],
      ['Vera', ''],
      ['bob', '']
    ]
  )
  assert.equal((await admin.send(setUser, { id: 2, name: 'BOB' })).exists, 'user')
  assert.equal((await admin.send(setUser, { id: 2, name: 'aDMIN' })).result, ALREADY_EXISTS)
  assert.equal((await admin.send(setUser, { id: 8, name: 'x' })).result, NOT_EXIST)
})

test('the user Admin can be neither deleted, moved nor renamed, by anybody', async () => {
  const other = insertUser('root', 2, GROUP_ADMIN)
  for (const client of [admin, other]) {
    assert.equal((await client.send(deleteUsers, { id: 1 })).result, NOT_PERMITTED)
    assert.equal((await client.send(deleteUsers, { id: [2, 1] })).result, NOT_PERMITTED)
    for (const group of [GROUP_ADMIN, GROUP_VIEWER])
      assert.equal((await client.send(moveUsers, { id: 1, 'group-id': group })).result, NOT_PERMITTED)
    assert.equal((await client.send(setUser, { id: 1, name: 'admin' })).result, NOT_PERMITTED)
  }
  assert.equal((await admin.send(setUser, { id: 1, name: 'Admin', nick: 'The boss' })).result, SUCCESS)
  assert.deepEqual(await names(), ['Admin', 'root'])
})

test('another administrator can leave the Admin group, and loses the permissions at once', async () => {
  const root = insertUser('root', 2, GROUP_ADMIN)
  assert.equal((await root.send(moveUsers, { id: 2, 'group-id': GROUP_VIEWER })).result, SUCCESS)
  assert.equal((await root.send(listUsers, {})).result, NOT_PERMITTED)
  const administrator = insertUser('boss', 4, GROUP_ADMIN)
  assert.equal((await administrator.send(deleteUsers, { id: 4 })).result, SUCCESS)
  assert.equal((await administrator.send(getSession, {})).result, NOT_LOGGED_IN)
})

test('several users are moved or deleted all or none', async () => {
  insertUser('vera', 2)
  insertUser('bob', 4)
  assert.equal((await admin.send(deleteUsers, { id: [2, 4, 8] })).result, NOT_EXIST)
  assert.equal((await admin.send(moveUsers, { id: [2, 8], 'group-id': GROUP_USER })).result, NOT_EXIST)
  assert.equal((await admin.send(moveUsers, { id: [2, 4], 'group-id': 32 })).result, GROUP_MISSING)
  assert.deepEqual(
    (await currentUsers()).map((user) => user['group-id']),
    [1, 4, 4]
  )
  assert.equal((await admin.send(moveUsers, { id: [2, 4, 2], 'group-id': GROUP_USER })).result, SUCCESS)
  assert.deepEqual(
    (await currentUsers()).map((user) => user['group-name']),
    ['Admin', 'User', 'User']
  )
  assert.equal((await admin.send(deleteUsers, { id: [2, 4] })).result, SUCCESS)
  assert.deepEqual(await names(), ['Admin'])
})

test('deleting a user ends its sessions, sockets and tokens', async () => {
  const { port } = await hub.listen(0, 0)
  const client = insertUser('vera', 2)
  const { token } = await admin.send(addToken, { owner: 'vera', 'expired-time': -1 })
  const program = hub.client()
  program.token = token
  assert.equal((await program.send(getSession, {})).user.name, 'vera')
  const listener = await openFeed(port, { cookie: client.cookie })
  await admin.send(deleteUsers, { id: 2 })
  assert.equal(await listener.closed, 4001)
  for (const loggedOutClient of [client, program])
    assert.equal((await loggedOutClient.send(getSession, {})).result, NOT_LOGGED_IN)
})

test('a new user with the bit of a deleted one inherits nothing', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const vera = insertUser('vera', 2147483648)
  const masks = { 'group-mask': 4294967295, 'usr-mask': 2147483649 }
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, ...masks } })
  await admin.send(setGlobalDevice, { security: masks })
  const { id } = await admin.send(addCatalog, { 'parent-id': 0, name: 'Hall' })
  await admin.send(setCatalog, { id, security: { 'is-inherit': 0, ...masks } })
  await vera.send(setFavorite, { sn: [sn], favorite: true })
  const { devices, catalogs } = hub.parts.store
  assert.equal(devices.bySerial(sn)?.is_favorite, 2147483648)
  await admin.send(deleteUsers, { id: 2147483648 })
  const { is_favorite: favorite, usr_mask: users, group_mask: groups } = devices.bySerial(sn) ?? {}
  assert.deepEqual([favorite, users, groups], [0, 1, 4294967295])
  assert.deepEqual((await admin.send(getGlobalDevice, {})).security, { ...masks, 'usr-mask': 1 })
  assert.equal(catalogs.byId(id)?.usr_mask, 1)
})

test('a deletion that fails half-way changes nothing', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  insertUser('vera', 2)
  const bob = insertUser('bob', 4)
  const masks = { 'group-mask': 1, 'usr-mask': 6 }
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, ...masks } })
  const { database, devices } = hub.parts.store
  database.run(`CREATE TRIGGER stop BEFORE DELETE ON user WHEN old.id = 4 BEGIN SELECT RAISE(ABORT, 'no'); END`)
  await recordProcessLog(async () => {
    assert.equal((await admin.send(deleteUsers, { id: [2, 4] })).result, UNKNOWN_ERROR)
  })
  assert.deepEqual(await names(), ['Admin', 'vera', 'bob'])
  assert.equal(devices.bySerial(sn)?.usr_mask, 6)
  assert.equal((await bob.send(getSession, {})).result, SUCCESS)
})

test('a call whose caller loses the permission while it runs changes nothing', async () => {
  const root = insertUser('root', 2, GROUP_ADMIN)
  // The caller loses the permission while the password is hashed.
  const adding = root.send(addUser, { name: 'crony', passwd, password, 'group-id': GROUP_ADMIN })
  const pending = root.send(changePassword, { name: 'Admin', passwd, password })
  const reply = await admin.send(moveUsers, { id: 2, 'group-id': GROUP_VIEWER })
  assert.equal(reply.result, SUCCESS)
  assert.equal((await adding).result, NOT_PERMITTED)
  // The declaration permits the call for every session, so the handler itself must check again.
  assert.equal((await pending).result, NOT_PERMITTED)
  assert.deepEqual(await names(), ['Admin', 'root'])
  assert.equal((await hub.client().send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
})

test('a user deleted while its password is being set is reported as missing, even if its bit is in use again', async () => {
  insertUser('vera', 2)
  const setting = admin.send(changePassword, { name: 'vera', passwd, password })
  await admin.send(deleteUsers, { id: 2 })
  insertUser('bob', 2)
  assert.notEqual((await setting).result, SUCCESS)
  assert.equal(hub.parts.store.users.byName('bob')?.password, "no hash, but bob's own")
})

test('each change is in the log, with names and without passwords', async () => {
  await add('vera', { password: 'secret-1' })
  await admin.send(setUser, { id: 2, name: 'wera' })
  await admin.send(moveUsers, { id: 2, 'group-id': GROUP_USER })
  await admin.send(deleteUsers, { id: [2, 4] })
  await admin.send(deleteUsers, { id: 2 })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ event, detail, code }) => [event, detail, code]),
    [
      ['/usr/del', 'wera', 0],
      ['/usr/del', 'wera', NOT_EXIST],
      ['/usr/set-group', 'wera → User', 0],
      ['/usr/set', 'vera → wera', 0],
      ['/usr/add', 'vera', 0]
    ]
  )
  const rows = JSON.stringify(hub.parts.store.database.all('SELECT * FROM operation_log'))
  assert.ok(!rows.includes('secret-1') && !rows.includes(passwd))
  const { by } = await admin.send(setUser, { id: 2, nick: 'x' })
  assert.deepEqual([by?.name, by?.event, by?.what], ['Admin', '/usr/del', 'Delete users'])
})

test('listeners are notified of each change of users, so that lists can follow', async () => {
  const { changes } = hub.parts.store
  let before = 0
  const isRevisionChanged = () => {
    const now = changes.revs().user
    const more = now > before
    before = now
    return more
  }
  isRevisionChanged()
  await add('vera')
  assert.ok(isRevisionChanged())
  const client = await hub.signIn('vera', 'secret-1')
  assert.ok(isRevisionChanged(), 'a login changes the revision')
  await admin.send(setUser, { id: 2, nick: 'V' })
  assert.ok(isRevisionChanged())
  await client.send(systemStatus, {})
  assert.ok(!isRevisionChanged())
  const session = changes.revs().session
  await admin.send(moveUsers, { id: 2, 'group-id': GROUP_USER })
  assert.ok(isRevisionChanged())
  assert.ok(changes.revs().session > session, 'consoles read their session again')
  await admin.send(deleteUsers, { id: 2 })
  assert.ok(isRevisionChanged())
})

test('without user control nobody manages users, whatever the other permissions', async () => {
  const client = addSignedInUser(hub, 'mighty', (2 ** 18 - 1) & ~ADMIN_GRANTED_PERMISSIONS)
  for (const response of [
    await client.send(addUser, { name: 'x', passwd }),
    await client.send(setUser, { id: 1, nick: 'x' }),
    await client.send(deleteUsers, { id: 1 }),
    await client.send(moveUsers, { id: 2, 'group-id': 1 }),
    await client.send(listUsers, {})
  ])
    assert.deepEqual(response, { result: NOT_PERMITTED })
})

test('invalid names and ids are refused', async () => {
  const post = async (path: string, body: object) => {
    const response = await admin.raw('POST', `/api${path}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' }
    })
    return ((await response.json()) as { result: number }).result
  }
  for (const id of [-1, 1.5, '2', null, [], {}, 2 ** 60])
    assert.equal(await post('/usr/del', { id }), INVALID_ARG, String(id))
  assert.equal(await post('/usr/add', { name: 'x', passwd: 'plain' }), INVALID_ARG)
  assert.equal(await post('/usr/add', { name: ['x'], passwd }), INVALID_ARG)
  assert.equal((await hub.client().send(login, { id: 'x', pass: passwd })).result, MISMATCH)
})

test.run()
