import assert from 'node:assert/strict'
import { md5Of } from '../../accounts/passwords.ts'
import { createOrganisation } from '../../cloud/auth/first-users.ts'
import {
  ALL_PERMISSIONS,
  CHANNEL_VIEW,
  DEVICE_CONTROL,
  DEVICE_VIEW,
  FIRMWARE_VIEW,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  hasAnyBit,
  INPUT_OUTPUT_VIEW,
  USER_CONTROL
} from '../../contract/access/permissions.ts'
import { setProfile } from '../../contract/access/profile.ts'
import { changePassword, reauthenticate } from '../../contract/access/session.ts'
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
} from '../../contract/access/user.ts'
import { getInvitation, getSession, login } from '../../contract/cloud/calls.ts'
import {
  ACCOUNT_EXPIRED,
  ALREADY_EXISTS,
  GROUP_MISSING,
  INVALID_ARG,
  MISMATCH,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  STATE_CHANGED,
  SUCCESS,
  TOO_MANY
} from '../../contract/codes.ts'
import { GROUPS_MAX, REAUTHENTICATE_AFTER, USERS_MAX } from '../../contract/limits.ts'
import { listLog } from '../../contract/log.ts'
import { getSettings, setSettings } from '../../contract/settings.ts'
import type { CloudClient, TestCloud } from '../kit/cloud/cloud.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { cloudsOf, linesOf, type WithCloud } from '../kit/cloud/with-cloud.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('cloud users')

const SECRET = md5Of('Secret-1')

async function addTo(admin: CloudClient, name: string, groupId: number): Promise<number> {
  const { result, id } = await admin.send(addUser, { name, passwd: SECRET, 'group-id': groupId })
  assert.equal(result, SUCCESS)
  return id
}

const usersOf = async (client: CloudClient) => (await client.send(listUsers, {})).users ?? []

/** A user of a group with these permissions. */
async function signInWith(cloud: TestCloud, permissions: number) {
  const admin = await cloud.clientAs()
  const { id: groupId } = await admin.send(addGroup, { name: 'Crew', permissions })
  const id = await addTo(admin, 'crew_1', groupId)
  return { admin, groupId, id, client: await cloud.clientAs('crew_1') }
}

function testUsers({ test }: Stores, withCloud: WithCloud): void {
  test('users are added up to the limit, also at the same time, and deleted with their sessions', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const add = (name: string) => admin.send(addUser, { name, passwd: SECRET })
      await cloud.store.within('headend', async (scope) => {
        const row = { group_id: GROUP_VIEWER, password_hash: '', default_password: 0 }
        for (let bit = 1; bit < USERS_MAX - 1; bit++)
          await scope.insert('users', { ...row, id: 2 ** bit, name: `stored_${bit}` }).execute()
      })
      const results = await Promise.all(['user_1', 'user_2', 'user_3'].map(add))
      assert.deepEqual(results.map(({ result }) => result).sort(), [SUCCESS, TOO_MANY, TOO_MANY])
      const list = await usersOf(admin)
      assert.equal(list.length, USERS_MAX)
      const { id = 0, name = '' } = list.find((user) => user.name.startsWith('user_')) ?? {}
      assert.equal(id, 2 ** (USERS_MAX - 1))
      const user = await cloud.signIn(name, 'Secret-1')
      assert.equal((await admin.send(deleteUsers, { id, names: ['other'] })).result, STATE_CHANGED)
      assert.equal((await admin.send(deleteUsers, { id, names: [name] })).result, SUCCESS)
      assert.equal((await user.send(getSession, {})).result, NOT_LOGGED_IN)
      assert.equal((await admin.send(deleteUsers, { id })).result, NOT_EXIST)
      assert.equal((await admin.send(deleteUsers, { id: ADMIN_USER_ID })).result, NOT_PERMITTED)
      assert.equal((await add('Stored_1')).result, ALREADY_EXISTS)
    }))

  test('a user is renamed and gets a nickname, and an account that has ended signs in no more', () => {
    let time = Date.now()
    return withCloud(
      async (cloud) => {
        const admin = await cloud.clientAs()
        const id = await addTo(admin, 'vera', GROUP_USER)
        assert.equal((await admin.send(setUser, { id, was: { name: 'other' } })).result, STATE_CHANGED)
        assert.equal((await admin.send(setUser, { id, name: 'admin' })).result, ALREADY_EXISTS)
        const expires = time + 60_000
        assert.equal((await admin.send(setUser, { id, name: 'veronica', nick: 'V', expires })).result, SUCCESS)
        const user = await cloud.clientAs('veronica')
        assert.equal((await user.send(setProfile, { nick: '演播室' })).result, SUCCESS)
        assert.equal((await user.send(getSession, {})).user.nick, '演播室')
        assert.equal((await user.send(setProfile, { nick: ' x' })).result, INVALID_ARG)
        time = expires
        assert.equal((await user.send(getSession, {})).result, NOT_LOGGED_IN)
        const sign = (pass: string) => cloud.client().send(login, { id: 'veronica', pass: md5Of(pass) })
        assert.equal((await sign('Secret-1')).result, ACCOUNT_EXPIRED)
        assert.equal((await sign('wrong')).result, MISMATCH)
        assert.equal((await admin.send(setUser, { id, expires: time - 1 })).result, INVALID_ARG)
      },
      () => time
    )
  })

  test('a manager neither gains nor grants a permission that the manager lacks', () =>
    withCloud(async (cloud) => {
      const { admin, groupId, client } = await signInWith(cloud, USER_CONTROL | DEVICE_VIEW)
      const other = await addTo(admin, 'other', GROUP_USER)
      const add = (group: number) => client.send(addUser, { name: 'new_user', passwd: SECRET, 'group-id': group })
      for (const group of [GROUP_ADMIN, GROUP_USER, groupId]) assert.equal((await add(group)).result, NOT_PERMITTED)
      assert.equal((await add(32)).result, GROUP_MISSING)
      const refused = [
        client.send(addGroup, { name: 'Mine', permissions: DEVICE_CONTROL }),
        client.send(setGroup, { id: groupId, permissions: ALL_PERMISSIONS >>> 14 }),
        client.send(setGroup, { id: GROUP_ADMIN, users: ['crew_1'] }),
        client.send(deleteUsers, { id: other }),
        client.send(moveUsers, { id: other, 'group-id': GROUP_VIEWER }),
        client.send(changePassword, { name: 'Admin', passwd: SECRET }),
        client.send(setUser, { id: ADMIN_USER_ID, nick: 'x' })
      ]
      for (const reply of refused) assert.equal((await reply).result, NOT_PERMITTED)
      assert.equal((await client.send(addGroup, { name: 'Mine', permissions: DEVICE_VIEW })).result, SUCCESS)
    }))
}

function testGroups({ test }: Stores, withCloud: WithCloud): void {
  test('groups have permissions without those about firmware, members, and a limit', () =>
    withCloud(async (cloud) => {
      const { admin, groupId, client } = await signInWith(cloud, DEVICE_CONTROL)
      const { permission } = (await client.send(getSession, {})).user
      assert.equal(permission, DEVICE_CONTROL | DEVICE_VIEW)
      assert.equal((await admin.send(addGroup, { name: 'x', permissions: FIRMWARE_VIEW })).result, INVALID_ARG)
      assert.equal((await admin.send(addGroup, { name: 'CREW', permissions: DEVICE_VIEW })).result, ALREADY_EXISTS)
      const change = { id: groupId, permissions: CHANNEL_VIEW, desc: 'Night shift' }
      assert.equal((await admin.send(setGroup, { ...change, was: { name: 'x' } })).result, STATE_CHANGED)
      assert.equal((await admin.send(setGroup, change)).result, SUCCESS)
      assert.equal((await client.send(getSession, {})).user.permission, CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
      assert.equal((await admin.send(setGroup, { id: GROUP_USER, permissions: 4 })).result, NOT_PERMITTED)
      assert.equal((await admin.send(setGroup, { id: groupId, users: ['Admin'] })).result, NOT_PERMITTED)
      const added = await Promise.all([1, 2, 3].map((n) => admin.send(addGroup, { name: `g${n}`, permissions: 4 })))
      assert.deepEqual(added.map(({ result }) => result).sort(), [SUCCESS, SUCCESS, TOO_MANY])
      assert.equal((await admin.send(listUsers, { type: 'group' })).groups?.length, GROUPS_MAX)
      assert.equal((await admin.send(deleteGroup, { id: groupId })).result, SUCCESS)
      assert.equal((await client.send(getSession, {})).user['group-name'], 'Viewer')
      assert.equal((await admin.send(deleteGroup, { id: GROUP_VIEWER })).result, NOT_PERMITTED)
    }))

  test('a Viewer neither manages users nor sees the invitation', () =>
    withCloud(async (cloud) => {
      const viewer = await cloud.signInAs('Viewer')
      assert.equal((await viewer.send(listUsers, {})).result, NOT_PERMITTED)
      assert.equal((await viewer.send(addUser, { name: 'abc', passwd: SECRET })).result, NOT_PERMITTED)
      assert.equal((await viewer.send(getInvitation, {})).result, NOT_PERMITTED)
      assert.equal((await viewer.send(listLog, { type: 'operation' })).result, NOT_PERMITTED)
      assert.ok((await linesOf(cloud)).some((line) => /^u_\w+ \/usr\/add {2}31$/.test(line)))
      const { permission } = (await viewer.send(getSession, {})).user
      assert.ok(!hasAnyBit(permission, FIRMWARE_VIEW))
    }))
}

function testSessions({ test }: Stores, withCloud: WithCloud): void {
  test('the password is proved again before access is changed', () => {
    let time = Date.now()
    return withCloud(
      async (cloud) => {
        const admin = await cloud.clientAs()
        time += REAUTHENTICATE_AFTER * 60_000 + 1
        const calls = [
          admin.send(addUser, { name: 'vera', passwd: SECRET }),
          admin.send(addGroup, { name: 'Crew', permissions: 4 }),
          admin.send(setSettings, { 'expired-time': 60 })
        ]
        for (const call of calls) assert.equal((await call).result, REAUTHENTICATION_REQUIRED)
        assert.equal((await admin.send(reauthenticate, { pass: md5Of('wrong') })).result, MISMATCH)
        assert.equal((await admin.send(reauthenticate, { pass: md5Of('Admin') })).result, SUCCESS)
        await addTo(admin, 'vera', GROUP_VIEWER)
        const vera = { name: 'vera', passwd: md5Of('Secret-2') }
        assert.equal((await admin.send(changePassword, vera)).result, SUCCESS)
        await cloud.signIn('vera', 'Secret-2')
        time += REAUTHENTICATE_AFTER * 60_000 + 1
        assert.equal((await admin.send(changePassword, vera)).result, REAUTHENTICATION_REQUIRED)
      },
      () => time
    )
  })

  test('sessions are listed and ended by their user and by a manager', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const viewer = await cloud.signInAs('Viewer')
      const own = (await viewer.send(listSessions, {})).list
      assert.deepEqual([own.length, own[0]?.own], [1, true])
      const all = (await admin.send(listSessions, {})).list
      const others = all.filter((session) => !session.own).map(({ id }) => id)
      assert.equal((await viewer.send(endSessions, { id: others })).result, NOT_EXIST)
      const theirs = all.find(({ user }) => user !== 'Admin')?.id ?? 0
      assert.equal((await admin.send(endSessions, { id: [theirs, 1] })).result, NOT_EXIST)
      assert.equal((await viewer.send(getSession, {})).result, SUCCESS)
      assert.equal((await admin.send(endSessions, { id: theirs })).result, SUCCESS)
      assert.equal((await viewer.send(getSession, {})).result, NOT_LOGGED_IN)
    }))

  test('the rules for passwords and sessions are settings of the organisation', () => {
    let time = Date.now()
    return withCloud(
      async (cloud) => {
        await createOrganisation(cloud.store, 'other')
        const admin = await cloud.clientAs()
        const user = await cloud.signInAs('User')
        const rules = { length: 12, number: 1 }
        assert.equal((await admin.send(setSettings, { 'pwd-rule': rules } as never)).result, SUCCESS)
        const add = (password: string) => admin.send(addUser, { name: 'vera', passwd: md5Of(password), password })
        assert.equal((await add('Secret-1')).result, INVALID_ARG)
        assert.equal((await admin.send(addUser, { name: 'vera', passwd: SECRET })).field, 'password')
        assert.equal((await add('Secret-phrase-1')).result, SUCCESS)
        assert.equal((await admin.send(getSession, {}))['pwd-rule']?.length, 12)
        const other = await cloud.clientAs('Admin', 'other')
        assert.notEqual((await other.send(getSettings, {})).settings['pwd-rule']?.length, 12)
        assert.equal((await user.send(setSettings, { 'expired-time': 60 })).result, NOT_PERMITTED)
        assert.equal((await admin.send(setSettings, { 'expired-time': 1 })).result, SUCCESS)
        assert.equal((await admin.send(setSettings, { 'admin-session': -1 })).result, INVALID_ARG)
        time += 60_001
        assert.equal((await admin.send(getSession, {})).result, NOT_LOGGED_IN)
        assert.equal((await other.send(getSession, {})).result, SUCCESS)
      },
      () => time
    )
  })
}

function testLog({ test }: Stores, withCloud: WithCloud): void {
  test('the log of the own organisation is read in pages, and filtered', () =>
    withCloud(async (cloud) => {
      await createOrganisation(cloud.store, 'evil')
      const evil = await cloud.signIn('Admin', 'Admin', 'evil')
      const admin = await cloud.signIn()
      await admin.send(deleteUsers, { id: 2 })
      await addTo(admin, 'vera_100%', GROUP_VIEWER)
      const read = async (filter: object, type = 'operation' as const) => {
        const { list, total } = await admin.send(listLog, { type, ...filter })
        return { total, events: list.map(({ event, code }) => `${event} ${code}`) }
      }
      const all = ['/usr/add 0', '/usr/del 16', '/login 0']
      assert.deepEqual(await read({}), { total: 3, events: all })
      assert.deepEqual(await read({ start: 1, count: 1 }), { total: 3, events: [all[1]] })
      assert.deepEqual((await read({ outcome: 'failed' })).events, [all[1]])
      assert.deepEqual((await read({ level: 1 })).events, [all[0], all[2]])
      assert.deepEqual((await read({ level: 2 })).events, [])
      assert.deepEqual((await read({ key: 'VERA_100%' })).events, [all[0]])
      assert.deepEqual((await read({ key: 'vera%' })).events, [])
      assert.deepEqual((await read({ key: 'ADD user' })).events, [all[0]])
      const chinese = await admin.raw('GET', '/api/log/list?type=operation&count=1', {
        headers: { 'accept-language': 'zh' }
      })
      assert.equal((await chinese.json()).list[0].text, '添加用户：vera_100%')
      assert.deepEqual((await read({ user: 'Admin', from: 0, to: 1 })).events, [])
      assert.deepEqual((await read({ user: 'Admin' })).total, 3)
      assert.equal((await evil.send(listLog, { type: 'operation' })).total, 1)
      assert.equal((await evil.send(listLog, { type: 'operation', key: 'vera' })).total, 0)
      assert.equal((await admin.send(listLog, { type: 'device' })).total, 0)
      assert.equal((await admin.send(listLog, { type: 'system' })).total, 0)
    }))
}

for (const stores of bothDatabases(test)) {
  testUsers(stores, cloudsOf(stores))
  testGroups(stores, cloudsOf(stores))
  testSessions(stores, cloudsOf(stores))
  testLog(stores, cloudsOf(stores))
}

test.run()
