import assert from 'node:assert/strict'
import { md5Of } from '../../accounts/passwords.ts'
import { SESSIONS_MAX } from '../../accounts/session-times.ts'
import { createOrganisation, FIRST_USER_ID } from '../../cloud/auth/first-users.ts'
import { changePassword, logout } from '../../contract/access/session.ts'
import { getInvitation, getSession, login } from '../../contract/cloud/calls.ts'
import { INVALID_ARG, MISMATCH, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { SESSION_EXPIRY } from '../../contract/limits.ts'
import { LOG_MORE, LOG_UNKNOWN } from '../../contract/log.ts'
import { ANONYMOUS_RATE } from '../../web-server/anonymous-rate.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { cloudsOf, linesOf, type WithCloud } from '../kit/cloud/with-cloud.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('cloud sign-in')

const SECRET = md5Of('Secret-1')

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
        'Admin /login Admin 0',
        'Admin /login Admin 0',
        'Admin /usr/update Admin 0',
        'Admin /login Admin 39',
        'Admin /login Admin 0',
        'Admin /logout  0'
      ])
    }))

  test('from another machine the default password can only be changed', () =>
    withCloud(async (cloud) => {
      const client = cloud.client('192.0.2.1')
      const session = await client.send(login, { id: 'Admin', pass: md5Of('Admin') })
      assert.equal(session['must-change-password'], true)
      assert.equal((await client.send(getSession, {}))['must-change-password'], true)
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
        const times = { created: Date.now(), last_used: Date.now() + 1000, authenticated: Date.now() }
        const row = { user_id: FIRST_USER_ID, address: '', agent: '', ...times }
        for (let index = 1; index < SESSIONS_MAX; index++)
          await scope.insert('sessions', { ...row, id: index, hash: `stored ${index}` }).execute()
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

function testFlood({ test }: Stores, withCloud: WithCloud): void {
  test('failed sign-ins of one network add a limited number of lines to the log', () =>
    withCloud(
      async (cloud) => {
        const guess = (address: string) => cloud.client(address).send(login, { id: 'nobody', pass: md5Of('wrong') })
        for (let count = 0; count < ANONYMOUS_RATE.each + 20; count++) await guess('192.0.2.1')
        const lines = await linesOf(cloud)
        assert.equal(lines.length, ANONYMOUS_RATE.each)
        assert.equal(lines.at(-1), ` /login ${LOG_UNKNOWN} ${LOG_MORE} ${MISMATCH}`)
        await guess('198.51.100.1')
        assert.equal((await linesOf(cloud)).length, ANONYMOUS_RATE.each + 1)
      },
      () => 1e12
    ))
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
}

for (const stores of bothDatabases(test)) {
  testSessions(stores, cloudsOf(stores))
  testFlood(stores, cloudsOf(stores))
  testAccess(stores, cloudsOf(stores))
}

test.run()
