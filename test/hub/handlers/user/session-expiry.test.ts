// Sessions end after the set time without use, by a clock that the test advances.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getSession } from '../../../../contract/access/session.ts'
import { listSessions } from '../../../../contract/access/user.ts'
import { INVALID_ARG, NOT_LOGGED_IN, SUCCESS } from '../../../../contract/codes.ts'
import { SESSION_EXPIRY } from '../../../../contract/limits.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('session expiry')

const MINUTE = 60_000
let hub: TestHub
let admin: Client
let now: number

test.before.each(async () => {
  now = Date.UTC(2026, 0, 1)
  hub = await startHub({ sessionClock: () => now })
  // The limit of administrators has tests of its own (test/hub/auth/gate.test.ts).
  hub.parts.store.settings.set('admin-session', -1)
  admin = hub.clientAs()
})
test.after.each(() => hub.close())

const setExpiry = async (minutes: number) => (await admin.send(setSettings, { 'expired-time': minutes })).result
const use = async (client: Client) => (await client.send(getSession, {})).result

test('a session ends when it was not used for the set time, and not before', async () => {
  for (const minutes of [SESSION_EXPIRY, 1, 77, 1440]) {
    assert.equal(await setExpiry(minutes), SUCCESS)
    assert.equal((await admin.send(systemStatus, {})).status.system.info['expired-time'], minutes)
    const client = hub.clientAs()
    now += minutes * MINUTE
    assert.equal(await use(client), SUCCESS, `used in minute ${minutes}`)
    now += minutes * MINUTE
    assert.equal(await use(client), SUCCESS, 'the use has extended it')
    now += minutes * MINUTE + 1
    assert.equal(await use(client), NOT_LOGGED_IN, `not used for more than ${minutes} minutes`)
    admin = hub.clientAs()
    assert.equal((await admin.send(listSessions, {})).list.length, 1, 'it is not listed either')
  }
})

test('a shorter time ends sessions that were not used for it, at once', async () => {
  const idle = hub.clientAs()
  now += 10 * MINUTE
  await use(admin)
  assert.equal(await setExpiry(5), SUCCESS)
  assert.equal(await use(idle), NOT_LOGGED_IN)
  assert.equal(await use(admin), SUCCESS)
})

test('-1 ends no session', async () => {
  assert.equal(await setExpiry(-1), SUCCESS)
  now += 400 * 1440 * MINUTE
  assert.equal(await use(admin), SUCCESS)
})

test('a time outside of the range changes nothing', async () => {
  for (const minutes of [0, -2, 1441, 1.5, Number.NaN])
    assert.equal(await setExpiry(minutes), INVALID_ARG, String(minutes))
  assert.equal((await admin.send(getSettings, {})).settings['expired-time'], SESSION_EXPIRY)
})

test.run()
