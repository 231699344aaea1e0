import assert from 'node:assert/strict'
import { createOrganisation } from '../../cloud/auth/first-users.ts'
import { addToken, deleteTokens, isScopePermitted, listTokens, NEVER_EXPIRES } from '../../contract/access/token.ts'
import { deleteUsers, listSessions, listUsers } from '../../contract/access/user.ts'
import { cloudSchemaOf } from '../../contract/cloud/calls.schema.ts'
import { CLOUD_CALLS, getInvitation, getSession, listHubs, openHub } from '../../contract/cloud/calls.ts'
import {
  ALREADY_EXISTS,
  INVALID_ARG,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY
} from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { TOKEN_LENGTH, TOKENS_MAX } from '../../contract/limits.ts'
import { listLog } from '../../contract/log.ts'
import { setSettings } from '../../contract/settings.ts'
import type { TestCloud } from '../kit/cloud/cloud.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { cloudsOf, type WithCloud } from '../kit/cloud/with-cloud.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('access tokens of the cloud')

/** A program with an access token. */
const programWith = (cloud: TestCloud, token: string) => cloud.client('127.0.0.1', { authorization: `Bearer ${token}` })

function testTokens({ test }: Stores, withCloud: WithCloud): void {
  test('a token is shown once, calls as its owner, and is revoked at once', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const { id, token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, name: 'CI' })
      assert.equal(token.length, TOKEN_LENGTH)
      const program = programWith(cloud, token)
      assert.equal((await program.send(getSession, {})).user.name, 'Admin')
      const { list } = await admin.send(listTokens, {})
      const [entry] = list
      assert.deepEqual(
        [entry?.name, entry?.owner, entry?.scopes, entry?.['used-ip']],
        ['CI', 'Admin', ['read'], '127.0.0.1']
      )
      assert.ok(!JSON.stringify(list).includes(token))
      const text = await cloud.store.within('headend', async (scope) =>
        JSON.stringify([
          await scope.select('tokens').selectAll().execute(),
          await scope.select('log_entries').selectAll().execute()
        ])
      )
      assert.ok(!text.includes(token))
      assert.equal((await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, token })).result, ALREADY_EXISTS)
      assert.equal((await admin.send(deleteTokens, { id: [id, 99] })).result, NOT_EXIST)
      assert.equal((await program.send(listHubs, {})).result, SUCCESS)
      assert.equal((await admin.send(deleteTokens, { id })).result, SUCCESS)
      assert.equal((await program.send(listHubs, {})).result, NOT_LOGGED_IN)
      assert.equal((await admin.send(listTokens, {})).total, 0)
    }))

  test('a token makes no call beyond its scopes, and none about sessions or access', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const { token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['read'] })
      const program = programWith(cloud, token)
      let refused = 0
      for (const call of CLOUD_CALLS) {
        if (call.access === 'public') continue
        const [example = {}] = cloudSchemaOf(call)?.examples ?? []
        const { result } = (await program.send(call, example)) as { result: number }
        if (isScopePermitted(call.access, ['read']) && call.method === 'GET' && call.path !== '/logout') continue
        if (call.path === '/session/end' || result === NOT_PERMITTED) refused++
        if (!isScopePermitted(call.access, ['read']) || call.reauthenticate)
          assert.equal(result, NOT_PERMITTED, call.path)
      }
      assert.ok(refused > 20)
      assert.equal((await program.send(listSessions, {})).result, NOT_PERMITTED)
      assert.equal((await program.send(listUsers, {})).result, NOT_PERMITTED)
      assert.equal((await program.send(getInvitation, {})).result, NOT_PERMITTED)
      await cloud.store.within('headend', async (scope) => {
        const row = { name: 'Hub', version: '1.0.0', key_hash: '', address: '', registered: 1 }
        await scope.insert('hubs', { ...row, sn: 'HUB1', state: REGISTRATION_STATE.accepted }).execute()
      })
      assert.equal((await admin.send(openHub, { sn: 'HUB1' })).result, SUCCESS)
      assert.equal((await program.send(openHub, { sn: 'HUB1' })).result, NOT_PERMITTED)
      const settings = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['settings'] })
      const other = programWith(cloud, settings.token)
      assert.equal((await other.send(setSettings, { 'expired-time': 60 })).result, NOT_PERMITTED)
      const log = await admin.send(listLog, { type: 'operation', outcome: 'failed' })
      assert.ok(log.list.every((line) => line.user === 'Admin' && line.token !== undefined))
    }))
}

function testEnds({ test }: Stores, withCloud: WithCloud): void {
  test('a token ends with its time and with its owner', () => {
    let time = Date.now()
    return withCloud(
      async (cloud) => {
        const admin = await cloud.clientAs()
        const user = await cloud.signInAs('User')
        const { name, id } = (await user.send(getSession, {})).user
        const expires = time + 60_000
        assert.equal((await admin.send(addToken, { 'expired-time': time })).result, INVALID_ARG)
        assert.equal((await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, owner: 'nobody' })).result, NOT_EXIST)
        const short = programWith(cloud, (await admin.send(addToken, { 'expired-time': expires })).token)
        const theirs = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, owner: name })
        const program = programWith(cloud, theirs.token)
        for (const each of [short, program]) assert.equal((await each.send(listHubs, {})).result, SUCCESS)
        time = expires
        assert.equal((await short.send(listHubs, {})).result, NOT_LOGGED_IN)
        assert.equal((await program.send(listHubs, {})).result, SUCCESS)
        await admin.send(deleteUsers, { id })
        assert.equal((await program.send(listHubs, {})).result, NOT_LOGGED_IN)
      },
      () => time
    )
  })

  test('a token belongs to one organisation, whatever cookie comes with it', () =>
    withCloud(async (cloud) => {
      await createOrganisation(cloud.store, 'evil')
      const evil = await cloud.clientAs('Admin', 'evil')
      const admin = await cloud.clientAs()
      const { token } = await evil.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['read', 'devices'] })
      const program = programWith(cloud, token)
      program.cookie = admin.cookie
      assert.match((await program.send(getInvitation, {})).invitation, /^evil:/)
      assert.equal((await admin.send(listTokens, {})).total, 0)
      assert.equal((await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, token })).result, ALREADY_EXISTS)
      for (const wrong of ['', 'x', 'x'.repeat(TOKEN_LENGTH)]) {
        const stranger = programWith(cloud, wrong)
        stranger.cookie = admin.cookie
        assert.equal((await stranger.send(listHubs, {})).result, NOT_LOGGED_IN)
      }
    }))

  test('an organisation has a limited number of tokens', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      await cloud.store.within('headend', async (scope) => {
        const row = { begin: '', name: '', user_id: 1, scopes: 'read', created: 1, expires: NEVER_EXPIRES }
        for (let id = 1; id < TOKENS_MAX; id++)
          await scope.insert('tokens', { ...row, id, hash: `stored ${id}` }).execute()
      })
      const add = () => admin.send(addToken, { 'expired-time': NEVER_EXPIRES })
      const results = await Promise.all([add(), add()])
      assert.deepEqual(results.map(({ result }) => result).sort(), [SUCCESS, TOO_MANY])
    }))
}

for (const stores of bothDatabases(test)) {
  testTokens(stores, cloudsOf(stores))
  testEnds(stores, cloudsOf(stores))
}

test.run()
