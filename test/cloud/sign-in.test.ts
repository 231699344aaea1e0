import assert from 'node:assert/strict'
import { md5Of } from '../../accounts/passwords.ts'
import { createOrganisation, FIRST_USER_ID } from '../../cloud/auth/first-users.ts'
import { SESSIONS_MAX } from '../../cloud/auth/sessions.ts'
import { GROUP_VIEWER } from '../../contract/access/permissions.ts'
import {
  addUser,
  changePassword,
  deleteUser,
  getInvitation,
  getSession,
  listLog,
  listUsers,
  login,
  logout
} from '../../contract/cloud/calls.ts'
import {
  INVALID_ARG,
  MISMATCH,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY
} from '../../contract/codes.ts'
import { SESSION_EXPIRY, USERS_MAX } from '../../contract/limits.ts'
import { startCloud, type TestCloud } from '../kit/cloud/cloud.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('cloud sign-in')

const SECRET = md5Of('Secret-1')

type WithCloud = (run: (cloud: TestCloud) => Promise<void>, now?: () => number) => Promise<void>

const cloudsOf =
  (stores: Stores): WithCloud =>
  async (run, now) => {
    const cloud = await startCloud({ databaseUrl: await stores.databaseUrl(), ...(now && { now }) })
    try {
      await run(cloud)
    } finally {
      await cloud.close()
    }
  }

const linesOf = (cloud: TestCloud, organisation = 'headend') =>
  cloud.store.within(organisation, async (scope) => {
    const rows = await scope.select('log_entries').selectAll().orderBy('id').execute()
    return rows.map(({ user_name, event, detail, result }) => `${user_name} ${event} ${detail} ${result}`)
  })

function testSessions({ test }: Stores, withCloud: WithCloud): void {
  test('the first user signs in, changes the password, and signs out', () =>
    withCloud(async (cloud) => {
      const client = await cloud.signIn()
      const session = await client.send(getSession, {})
      assert.equal(session['default-password'], true)
      assert.deepEqual([session.user.name, session.user.organisation], ['Admin', 'headend'])
      const other = await cloud.signIn()
      const change = { 'old-passwd': md5Of('Admin'), passwd: SECRET }
      assert.equal((await client.send(changePassword, change)).result, SUCCESS)
      assert.equal((await other.send(getSession, {})).result, NOT_LOGGED_IN)
      assert.equal((await client.send(getSession, {}))['default-password'], undefined)
      await assert.rejects(cloud.signIn(), new RegExp(`result ${MISMATCH}`))
      const again = await cloud.signIn('Admin', 'Secret-1')
      const { cookie } = again
      assert.equal((await again.send(logout, {})).result, SUCCESS)
      again.cookie = cookie
      assert.equal((await again.send(getSession, {})).result, NOT_LOGGED_IN)
      assert.deepEqual(await linesOf(cloud), [
        'Admin /login  0',
        'Admin /login  0',
        'Admin /usr/update  0',
        ' /login  39',
        'Admin /login  0',
        'Admin /logout  0'
      ])
    }))

  test('from another machine the default password can only be changed', () =>
    withCloud(async (cloud) => {
      const client = cloud.client('192.0.2.1')
      const session = await client.send(login, { id: 'Admin', pass: md5Of('Admin') })
      assert.equal(session['must-change-password'], true)
      assert.equal((await client.send(getInvitation, {})).result, NOT_PERMITTED)
      for (const passwd of [md5Of(''), md5Of('Admin')])
        assert.equal((await client.send(changePassword, { 'old-passwd': md5Of('Admin'), passwd })).result, INVALID_ARG)
      await client.send(changePassword, { 'old-passwd': md5Of('Admin'), passwd: SECRET })
      assert.equal((await client.send(getInvitation, {})).result, SUCCESS)
    }))

  test('a session ends when it is not used', () => {
    let time = 1e12
    return withCloud(
      async (cloud) => {
        const client = await cloud.signIn()
        time += SESSION_EXPIRY * 60_000
        assert.equal((await client.send(getSession, {})).result, SUCCESS)
        time += SESSION_EXPIRY * 60_000
        assert.equal((await client.send(getSession, {})).result, SUCCESS)
        time += SESSION_EXPIRY * 60_000 + 1
        assert.equal((await client.send(getSession, {})).result, NOT_LOGGED_IN)
      },
      () => time
    )
  })

  test('of too many sessions of a user, those that were unused for the longest time end', () =>
    withCloud(async (cloud) => {
      const first = await cloud.signIn()
      await cloud.store.within('headend', async (scope) => {
        const row = { user_id: FIRST_USER_ID, created: Date.now(), last_used: Date.now() + 1000 }
        for (let index = 1; index < SESSIONS_MAX; index++)
          await scope.insert('sessions', { ...row, hash: `stored ${index}` }).execute()
      })
      assert.equal((await first.send(getSession, {})).result, SUCCESS)
      const last = await cloud.signIn()
      assert.equal((await first.send(getSession, {})).result, NOT_LOGGED_IN)
      assert.equal((await last.send(getSession, {})).result, SUCCESS)
      const sessions = await cloud.store.within('headend', (scope) => scope.select('sessions').select('hash').execute())
      assert.equal(sessions.length, SESSIONS_MAX)
    }))

  test('guesses of a password are locked out, in one organisation only', () =>
    withCloud(async (cloud) => {
      await createOrganisation(cloud.store, 'other')
      const client = cloud.client()
      const guess = () => client.send(login, { id: 'Admin', pass: md5Of('wrong') })
      for (let count = 0; count < 5; count++) assert.equal((await guess()).result, MISMATCH)
      const locked = await client.send(login, { id: 'Admin', pass: md5Of('Admin') })
      assert.equal(locked.result, MISMATCH)
      assert.ok((locked['locked-s'] ?? 0) > 0)
      await cloud.signIn('Admin', 'Admin', 'other')
    }))
}

function testAccess({ test }: Stores, withCloud: WithCloud): void {
  test('a session counts in its own organisation only, whatever its cookie says', () =>
    withCloud(async (cloud) => {
      await createOrganisation(cloud.store, 'evil')
      const client = await cloud.signIn('Admin', 'Admin', 'evil')
      const { invitation } = await client.send(getInvitation, {})
      assert.match(invitation, /^evil:/)
      client.cookie = client.cookie.replace('evil.', 'headend.')
      assert.equal((await client.send(getInvitation, {})).result, NOT_LOGGED_IN)
      for (const cookie of ['mwcloud-sid=', 'mwcloud-sid=headend', "mwcloud-sid=headend'.x", 'mwcloud-sid=nobody.x']) {
        client.cookie = cookie
        assert.equal((await client.send(getInvitation, {})).result, NOT_LOGGED_IN)
      }
    }))

  test('users are added up to the limit, also at the same time, and deleted with their sessions', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.signIn()
      const add = (name: string) => admin.send(addUser, { name, passwd: SECRET, group: 'Viewer' })
      await cloud.store.within('headend', async (scope) => {
        const row = { group_id: GROUP_VIEWER, password_hash: '', default_password: 0 }
        for (let id = 2; id < USERS_MAX; id++)
          await scope.insert('users', { ...row, id, name: `stored_${id}` }).execute()
      })
      const results = await Promise.all(['user_1', 'user_2', 'user_3'].map(add))
      assert.deepEqual(results.map(({ result }) => result).sort(), [SUCCESS, TOO_MANY, TOO_MANY])
      const { list } = await admin.send(listUsers, {})
      assert.equal(list.length, USERS_MAX)
      const name = list.at(-1)?.name ?? ''
      const user = await cloud.signIn(name, 'Secret-1')
      assert.equal((await admin.send(deleteUser, { name })).result, SUCCESS)
      assert.equal((await user.send(getSession, {})).result, NOT_LOGGED_IN)
      assert.equal((await admin.send(deleteUser, { name })).result, NOT_EXIST)
      assert.equal((await admin.send(deleteUser, { name: 'Admin' })).result, NOT_EXIST)
      assert.equal((await add(list[1]?.name ?? '')).result, NAME_EXISTS)
    }))

  test('the log of the own organisation is read in pages by administrators', () =>
    withCloud(async (cloud) => {
      await createOrganisation(cloud.store, 'evil')
      const evil = await cloud.signIn('Admin', 'Admin', 'evil')
      const admin = await cloud.signIn()
      await admin.send(deleteUser, { name: 'nobody' })
      const pageOf = async (query: string) => {
        const response = await admin.raw('GET', `/api/log/list${query}`)
        return ((await response.json()) as { list: { id: number; event: string; result: number }[] }).list
      }
      const [newest] = await pageOf('?count=1')
      assert.deepEqual([newest?.event, newest?.result], ['/user/delete', NOT_EXIST])
      const older = await pageOf(`?before=${newest?.id}`)
      assert.deepEqual(
        older.map(({ event }) => event),
        ['/login']
      )
      assert.equal((await evil.send(listLog, {})).list.length, 1)
      assert.equal((await (await cloud.signInAs('Viewer')).send(listLog, {})).result, NOT_PERMITTED)
    }))

  test('a Viewer neither manages users nor sees the invitation', () =>
    withCloud(async (cloud) => {
      const viewer = await cloud.signInAs('Viewer')
      assert.equal((await viewer.send(listUsers, {})).result, NOT_PERMITTED)
      assert.equal((await viewer.send(addUser, { name: 'abc', passwd: SECRET, group: 'Admin' })).result, NOT_PERMITTED)
      assert.equal((await viewer.send(getInvitation, {})).result, NOT_PERMITTED)
      assert.ok((await linesOf(cloud)).some((line) => /^u_\w+ \/user\/add {2}31$/.test(line)))
    }))
}

for (const stores of bothDatabases(test)) {
  testSessions(stores, cloudsOf(stores))
  testAccess(stores, cloudsOf(stores))
}

test.run()
