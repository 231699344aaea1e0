import assert from 'node:assert/strict'
import { md5Of } from '../../accounts/passwords.ts'
import { GROUP_ADMIN, GROUP_USER } from '../../contract/access/permissions.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor
} from '../../contract/access/second-factor.ts'
import { reauthenticate } from '../../contract/access/session.ts'
import { addUser, setGroup } from '../../contract/access/user.ts'
import { getInvitation, getSession, login } from '../../contract/cloud/calls.ts'
import {
  MISMATCH,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SECOND_FACTOR_REQUIRED,
  SUCCESS,
  WRONG_STATE
} from '../../contract/codes.ts'
import type { CloudClient, TestCloud } from '../kit/cloud/cloud.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { cloudsOf, type WithCloud } from '../kit/cloud/with-cloud.ts'
import { appCode } from '../kit/hub/app-code.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('second factor in the cloud')

const STEP = 30_000
const SECRET = md5Of('Secret-1')

/** A user with a second factor whose code is computed at a time. */
async function enroll(client: CloudClient, now: number) {
  const { secret, uri } = await client.send(startSecondFactor, {})
  assert.match(uri, /^otpauth:\/\/totp\//)
  const { codes, result } = await client.send(enableSecondFactor, { secret, code: appCode(secret, now) })
  assert.equal(result, SUCCESS)
  return { secret, codes }
}

async function signInNew(cloud: TestCloud): Promise<{ admin: CloudClient; client: CloudClient; id: number }> {
  const admin = await cloud.clientAs()
  const { id } = await admin.send(addUser, { name: 'vera', passwd: SECRET, 'group-id': GROUP_USER })
  return { admin, id, client: await cloud.clientAs('vera') }
}

function testCodes({ test }: Stores, withCloud: WithCloud): void {
  test('sign-in and proof of the password take a code, each of which is accepted once', () => {
    let time = 1_800_000_000_000
    return withCloud(
      async (cloud) => {
        const { client } = await signInNew(cloud)
        const other = await cloud.clientAs('vera')
        const { secret, codes } = await enroll(client, time)
        assert.equal((await other.send(getSession, {})).result, NOT_LOGGED_IN)
        assert.deepEqual((await client.send(getSession, {}))['second-factor'], { since: time, 'recovery-codes': 10 })
        const sign = (code?: string) =>
          cloud.client().send(login, { id: 'vera', pass: SECRET, ...(code !== undefined && { code }) })
        assert.equal((await sign()).result, SECOND_FACTOR_REQUIRED)
        assert.equal((await sign(appCode(secret, time))).result, MISMATCH)
        time += STEP
        const code = appCode(secret, time)
        const results = await Promise.all([sign(code), sign(code), sign(code)])
        assert.deepEqual(results.map(({ result }) => result).sort(), [SUCCESS, MISMATCH, MISMATCH])
        assert.equal((await sign(codes[0])).result, SUCCESS)
        assert.equal((await sign(codes[0])).result, MISMATCH)
        assert.equal((await client.send(reauthenticate, { pass: SECRET })).result, SECOND_FACTOR_REQUIRED)
        time += STEP
        const proof = { pass: SECRET, code: appCode(secret, time) }
        assert.equal((await client.send(reauthenticate, proof)).result, SUCCESS)
        const renewed = (await client.send(renewRecoveryCodes, {})).codes
        assert.equal((await sign(codes[1])).result, MISMATCH)
        assert.equal((await client.send(disableSecondFactor, { pass: SECRET, code: renewed[0] ?? '' })).result, SUCCESS)
        assert.equal((await client.send(renewRecoveryCodes, {})).result, WRONG_STATE)
        assert.equal((await sign()).result, SUCCESS)
      },
      () => time
    )
  })

  test('guesses of a code are locked out, also those that are sent at once', () =>
    withCloud(async (cloud) => {
      const { client } = await signInNew(cloud)
      await enroll(client, Date.now())
      const guess = (code: string) => cloud.client('192.0.2.7').send(login, { id: 'vera', pass: SECRET, code })
      const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => guess(`00000${index % 10}`)))
      for (const { result } of replies) assert.equal(result, MISMATCH)
      assert.ok(replies.some((reply) => (reply['locked-s'] ?? 0) > 0))
      const right = await cloud.client('192.0.2.7').send(login, { id: 'vera', pass: SECRET, code: '123456' })
      assert.ok((right['locked-s'] ?? 0) > 0)
    }))

  test('a group demands a second factor, and a manager switches that of a user off', () =>
    withCloud(async (cloud) => {
      const { admin, client, id } = await signInNew(cloud)
      const demand = await admin.send(setGroup, { id: GROUP_USER, 'require-second-factor': true })
      assert.equal(demand.result, SUCCESS)
      assert.equal((await client.send(getSession, {}))['must-enroll'], true)
      assert.equal((await client.send(getInvitation, {})).result, NOT_PERMITTED)
      assert.equal((await admin.send(resetSecondFactor, { id })).result, WRONG_STATE)
      await enroll(client, Date.now())
      assert.equal((await client.send(getSession, {}))['must-enroll'], undefined)
      assert.equal((await client.send(getInvitation, {})).result, SUCCESS)
      assert.equal((await client.send(resetSecondFactor, { id })).result, NOT_PERMITTED)
      assert.equal((await admin.send(resetSecondFactor, { id })).result, SUCCESS)
      assert.equal((await client.send(getSession, {})).result, NOT_LOGGED_IN)
      assert.equal((await admin.send(resetSecondFactor, { id: GROUP_ADMIN })).result, NOT_PERMITTED)
      const stored = await cloud.store.within('headend', (scope) =>
        scope.select('recovery_codes').selectAll().execute()
      )
      assert.deepEqual(stored, [])
    }))

  test('the database has neither the secret nor a code', () =>
    withCloud(async (cloud) => {
      const { client } = await signInNew(cloud)
      const { secret, codes } = await enroll(client, Date.now())
      const text = await cloud.store.within('headend', async (scope) =>
        JSON.stringify([
          await scope.select('users').selectAll().execute(),
          await scope.select('recovery_codes').selectAll().execute(),
          await scope.select('log_entries').selectAll().execute()
        ])
      )
      for (const each of [secret, ...codes]) assert.ok(!text.includes(each))
    }))
}

for (const stores of bothDatabases(test)) testCodes(stores, cloudsOf(stores))

test.run()
