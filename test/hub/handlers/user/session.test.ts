import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { USER_PERMISSIONS } from '../../../../contract/access/permissions.ts'
import { changePassword, getSession, login, logout } from '../../../../contract/access/session.ts'
import { endSessions, listSessions } from '../../../../contract/access/user.ts'
import {
  INVALID_ARG,
  MISMATCH,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TRY_AGAIN
} from '../../../../contract/codes.ts'
import { listDevices } from '../../../../contract/device/device.ts'
import { LOG_UNKNOWN, listLog } from '../../../../contract/log.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { addSignedInUser, addUser, md5, newPassword, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('session')
/** Milliseconds. */
const DAY = 86_400_000
let hub: TestHub
test.before.each(async () => {
  hub = await startHub()
})
test.after.each(() => hub.close())

test('Admin signs in with the default password, and the response shows that it is still in use', async () => {
  const client = hub.client()
  const reply = await client.send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(reply.result, SUCCESS)
  assert.deepEqual(reply.user, { name: 'Admin', id: 1, 'group-name': 'Admin', permission: 4294967295, type: 1 })
  assert.equal(reply['default-password'], true)
  assert.equal(reply['must-change-password'], undefined)
  assert.equal((await client.send(getSession, {})).user.name, 'Admin')
})

test('the session cookie is hidden from scripts and other sites, and only its hash is stored', async () => {
  const client = hub.client()
  const response = await client.raw('POST', '/api/login', {
    body: JSON.stringify({ id: 'Admin', pass: md5('Admin') }),
    headers: { 'content-type': 'application/json;charset=utf-8' }
  })
  const [cookie = ''] = response.headers.getSetCookie()
  assert.match(cookie, /^mwcloud-sid=[\w-]{43}; Path=\/; SameSite=Strict; Max-Age=\d+; HttpOnly$/)
  const { token } = (await response.json()) as { token: string }
  assert.ok(cookie.includes(token))
  const rows = hub.parts.store.database.all<{ hash: string }>('SELECT * FROM session')
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(token))
})

test('the cookies of a session that has ended are deleted by the call that finds that out, and by no other', async () => {
  const client = await hub.signIn()
  await hub.client().send(getSession, {})
  const stale = client.cookie
  await client.send(logout, {})
  const cookiesAfter = async (path: string, cookie: string) => {
    client.cookie = cookie
    const response = await client.raw('GET', `/api${path}`)
    assert.equal((await response.json()).result, NOT_LOGGED_IN)
    return response.headers.getSetCookie().map((line) => line.replace(/; Path.*(Max-Age=\d+).*/, ' $1'))
  }
  assert.deepEqual(await cookiesAfter('/session', stale), ['mwcloud-sid= Max-Age=0', 'mwcloud-uid= Max-Age=0'])
  assert.deepEqual(await cookiesAfter('/device/list', stale), [], 'it may arrive after the next sign-in')
  assert.deepEqual(await cookiesAfter('/session', ''), [])
})

test('a secret that was in the browser before is not the session of the user who signs in', async () => {
  const [chosen, others] = ['A'.repeat(43), addSignedInUser(hub, 'mallory', USER_PERMISSIONS)]
  for (const planted of [`mwcloud-sid=${chosen}`, `${others.cookie}`]) {
    const victim = hub.client()
    victim.cookie = planted
    assert.equal((await victim.send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
    assert.notEqual(victim.cookie, planted)
    assert.equal((await victim.send(getSession, {})).user.name, 'Admin')
    const attacker = hub.client()
    attacker.cookie = planted
    const { result, user } = await attacker.send(getSession, {})
    assert.ok(result === NOT_LOGGED_IN || user.name === 'mallory')
  }
})

test('over TLS the cookie is marked Secure', async () => {
  const response = await hub.fetch(
    new Request('http://localhost/api/login', {
      method: 'POST',
      body: JSON.stringify({ id: 'Admin', pass: md5('Admin') }),
      headers: { 'content-type': 'application/json' }
    }),
    { address: '127.0.0.1', secure: true }
  )
  assert.match(response.headers.getSetCookie()[0] ?? '', /; Secure/)
})

test('unknown user names are not logged', async () => {
  const client = hub.client('192.0.2.77')
  for (let attempt = 0; attempt < 6; attempt++) await client.send(login, { id: 'MyS3cret!', pass: md5('x') })
  await client.send(login, { id: 'Admin', pass: md5('x') })
  const admin = hub.clientAs()
  const lines = await Promise.all(
    (['operation', 'system'] as const).map(async (type) => (await admin.send(listLog, { type })).list)
  )
  assert.ok(!JSON.stringify(lines).includes('MyS3cret!'))
  const [operations = [], events = []] = lines
  const [known, ...unknown] = operations.filter(({ ip }) => ip === '192.0.2.77')
  assert.deepEqual([known?.user, known?.detail], ['Admin', 'Admin'])
  assert.deepEqual([unknown.length, unknown[0]?.user, unknown[0]?.detail], [6, '', LOG_UNKNOWN])
  assert.ok(events.some(({ event, detail }) => event === 'login-locked' && detail === '192.0.2.77'))
})

test('a wrong password and an unknown name get the same response', async () => {
  const client = hub.client()
  const refusal = await client.send(login, { id: 'Admin', pass: md5('x') })
  const unknown = await client.send(login, { id: 'nobody', pass: md5('x') })
  assert.deepEqual(refusal, unknown)
  assert.equal(refusal.result, MISMATCH)
})

test('concurrent guesses are counted one by one, lock only the name at that address, and delay no other user', async () => {
  const guesses = Array.from({ length: 60 }, (_, i) =>
    hub.client('10.0.0.9').send(login, { id: 'Admin', pass: md5(`guess ${i}`) })
  )
  // This request is sent last, but gets its reply after one or two of the guesses, because the hub serves the addresses
  // in turn.
  const otherLogin = hub.client('10.0.0.8').send(login, { id: 'Admin', pass: md5('Admin') })
  const first = await Promise.race([otherLogin, Promise.all(guesses.slice(1, 20))])
  assert.ok(!Array.isArray(first), 'a login from elsewhere has to wait for all guesses')
  assert.equal(first.result, SUCCESS)
  const responses = await Promise.all(guesses)
  assert.equal(
    responses.filter(({ result }) => result === TRY_AGAIN).length,
    39,
    'one password is checked, twenty are queued'
  )
  const mismatches = responses.filter(({ result }) => result === MISMATCH)
  assert.equal(mismatches.filter((reply) => reply['locked-s'] === undefined).length, 4)
  const right = await hub.client('10.0.0.9').send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(right.result, MISMATCH)
  assert.ok((right['locked-s'] ?? 0) > 0)
  assert.equal((await hub.client('10.0.0.9').send(login, { id: 'other', pass: md5('x') }))['locked-s'], undefined)
  assert.equal((await hub.client('10.0.0.7').send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
})

test('without a session every call gets result 37, and a cookie is invalid after logout', async () => {
  assert.deepEqual(await hub.client().send(systemStatus, {}), { result: NOT_LOGGED_IN })
  const client = await hub.signIn()
  const { cookie } = client
  assert.equal((await client.send(logout, {})).result, SUCCESS)
  assert.ok(!client.cookie.includes('mwcloud-sid'))
  client.cookie = cookie
  assert.equal((await client.send(systemStatus, {})).result, NOT_LOGGED_IN)
})

test('with the default password a session from another machine can only change it; then everything is possible', async () => {
  const client = await hub.signIn('Admin', 'Admin', '192.0.2.7')
  assert.equal((await client.send(listDevices, {})).result, NOT_PERMITTED)
  assert.equal((await client.send(getSession, {}))['must-change-password'], true)
  const unchanged = await client.send(changePassword, { 'old-passwd': md5('Admin'), ...newPassword('Admin') })
  assert.equal(unchanged.result, INVALID_ARG, 'the default password is not accepted as a new one')
  const changed = await client.send(changePassword, { 'old-passwd': md5('Admin'), ...newPassword('harder-1') })
  assert.equal(changed.result, SUCCESS)
  assert.equal((await client.send(listDevices, {})).result, SUCCESS)
  assert.equal((await client.send(getSession, {}))['must-change-password'], undefined)
})

test('changing a password ends the other sessions and needs the old password; only administrators set other users’', async () => {
  const secondSession = await hub.signIn()
  const client = await hub.signIn()
  const refusal = await client.send(changePassword, { 'old-passwd': md5('no'), ...newPassword('new-password') })
  assert.equal(refusal.result, MISMATCH)
  assert.equal((await client.send(changePassword, { ...newPassword('new-password') })).field, 'old-passwd')
  assert.equal(
    (await client.send(changePassword, { 'old-passwd': md5('Admin'), ...newPassword('new-password') })).result,
    0
  )
  assert.equal((await secondSession.send(getSession, {})).result, NOT_LOGGED_IN)
  const user = await addUser(hub, 'ursula', USER_PERMISSIONS)
  assert.equal(
    (await user.send(changePassword, { name: 'Admin', ...newPassword('my-password') })).result,
    NOT_PERMITTED
  )
  assert.equal(
    (await client.send(changePassword, { name: 'ursula', ...newPassword('their-password') })).result,
    SUCCESS
  )
  assert.equal((await user.send(getSession, {})).result, NOT_LOGGED_IN)
})

test('the cookies live as long as a session can: 30 days, or a year if sessions never expire', async () => {
  const client = await hub.signIn()
  const days = async () => {
    const response = await hub.client().raw('POST', '/api/login', {
      body: JSON.stringify({ id: 'Admin', pass: md5('Admin') }),
      headers: { 'content-type': 'application/json' }
    })
    return response.headers.getSetCookie().map((cookie) => Number(/Max-Age=(\d+)/.exec(cookie)?.[1]) / 86_400)
  }
  assert.deepEqual(await days(), [30, 30])
  await client.send(setSettings, { 'expired-time': -1 })
  assert.deepEqual(await days(), [365, 365])
})

test('the empty password is refused', async () => {
  const client = await hub.signIn()
  assert.equal((await client.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('') })).field, 'passwd')
})

test('a session expires after the configured minutes without use, and use extends it', async () => {
  const client = await hub.signIn()
  assert.equal((await client.send(setSettings, { 'expired-time': 10 })).result, SUCCESS)
  const age = (minutes: number) =>
    hub.parts.store.database.run('UPDATE session SET seen = ?', Date.now() - minutes * 60_000)
  age(9)
  assert.equal((await client.send(getSession, {})).result, SUCCESS)
  const { seen } = hub.parts.store.database.get<{ seen: number }>('SELECT seen FROM session') ?? { seen: 0 }
  assert.ok(Date.now() - seen < 5000, 'use extends the expiry')
  age(11)
  assert.equal((await client.send(getSession, {})).result, NOT_LOGGED_IN)
})

test('a session that is in use ends 30 days after the sign-in, unless sessions never expire', async () => {
  const started = Date.now()
  let now = started
  const timed = await startHub({ sessionClock: () => now })
  try {
    // The limit of administrators has tests of its own (test/hub/auth/gate.test.ts).
    timed.parts.store.settings.set('admin-session', -1)
    const client = await timed.signIn()
    const result = async () => (await client.send(getSession, {})).result
    assert.equal((await client.send(setSettings, { 'expired-time': 1440 })).result, SUCCESS)
    for (let day = 1; day <= 30; day++) {
      now = started + day * DAY
      assert.equal(await result(), 0, `day ${day}`)
    }
    now += 1
    assert.equal(await result(), NOT_LOGGED_IN)
    const other = await timed.signIn()
    assert.equal((await other.send(listSessions, {})).list.length, 1)
    await other.send(setSettings, { 'expired-time': -1 })
    now += 400 * DAY
    assert.equal((await other.send(getSession, {})).result, SUCCESS)
  } finally {
    await timed.close()
  }
})

test('login, failed login and logout are in the operation log, without passwords', async () => {
  await hub.client().send(login, { id: 'Admin', pass: md5('x') })
  const client = await hub.signIn()
  const { list } = await client.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ event, user, code, ip }) => [event, user, code, ip]),
    [
      ['/login', 'Admin', 0, '127.0.0.1'],
      ['/login', 'Admin', MISMATCH, '127.0.0.1']
    ]
  )
  assert.ok(!JSON.stringify(list).includes(md5('x')))
})

test('users see their own sessions, administrators all, most recently used first, and no secrets', async () => {
  const remoteClient = hub.clientAs('Admin', '10.0.0.5')
  const client = hub.clientAs()
  const user = addSignedInUser(hub, 'ursula', USER_PERMISSIONS)
  const rows = hub.parts.store.database
  rows.run("UPDATE session SET seen = seen - 60000, agent = 'Old browser' WHERE address = '10.0.0.5'")
  const { list } = await client.send(listSessions, {})
  assert.deepEqual(
    list.map((session) => [session.user, session.ip, session.own, session.agent]),
    [
      ['ursula', '127.0.0.1', undefined, undefined],
      ['Admin', '127.0.0.1', true, undefined],
      ['Admin', '10.0.0.5', undefined, 'Old browser']
    ]
  )
  assert.deepEqual(
    (await user.send(listSessions, {})).list.map((session) => [session.user, session.own]),
    [['ursula', true]]
  )
  const text = JSON.stringify(list)
  for (const { hash } of rows.all<{ hash: string }>('SELECT hash FROM session')) assert.ok(!text.includes(hash))
  assert.ok(!text.includes(remoteClient.cookie.split('=')[1] ?? ''))
})

test('an expired session is not listed', async () => {
  const client = hub.clientAs()
  hub.clientAs('Admin', '10.0.0.5')
  hub.parts.store.database.run('UPDATE session SET seen = ? WHERE address = ?', Date.now() - 31 * 60_000, '10.0.0.5')
  assert.equal((await client.send(listSessions, {})).list.length, 1)
})

test('above the limit of sessions per user, the least recently used one ends', async () => {
  const [first, second] = [hub.clientAs(), hub.clientAs()]
  const user = addSignedInUser(hub, 'ursula', USER_PERMISSIONS)
  hub.parts.store.database.run('UPDATE session SET seen = seen - id * 1000 WHERE user_id = 1')
  for (let i = 0; i < 99; i++) hub.clientAs()
  assert.equal((await first.send(listSessions, {})).list.length, 101)
  assert.equal((await second.send(getSession, {})).result, NOT_LOGGED_IN)
  assert.equal((await user.send(getSession, {})).result, SUCCESS)
})

test('a session has the address of its last use, up to 30 s late', async () => {
  const client = hub.clientAs()
  const remoteClient = hub.client('10.0.0.6')
  remoteClient.cookie = client.cookie
  hub.parts.store.database.run('UPDATE session SET seen = seen - 31000')
  await remoteClient.send(getSession, {})
  assert.equal((await client.send(listSessions, {})).list[0]?.ip, '10.0.0.6')
})

test('sessions end immediately, one’s own or, for administrators, any; of several all or none', async () => {
  const client = hub.clientAs()
  const user = addSignedInUser(hub, 'ursula', USER_PERMISSIONS)
  const second = hub.clientAs('ursula')
  const idOf = async (sessionClient: typeof client) =>
    (await sessionClient.send(listSessions, {})).list.find(({ own }) => own)?.id ?? Number.NaN
  const [admins, first, other] = [await idOf(client), await idOf(user), await idOf(second)]
  assert.equal((await user.send(endSessions, { id: [other, admins] })).result, NOT_EXIST, 'no hidden device is listed')
  assert.equal((await second.send(getSession, {})).result, SUCCESS)
  assert.equal((await user.send(endSessions, { id: other })).result, SUCCESS)
  assert.equal((await second.send(getSession, {})).result, NOT_LOGGED_IN)
  assert.equal((await client.send(endSessions, { id: other })).result, NOT_EXIST)
  assert.equal((await client.send(endSessions, { id: [first, admins, first] })).result, SUCCESS)
  for (const sessionClient of [client, user])
    assert.equal((await sessionClient.send(getSession, {})).result, NOT_LOGGED_IN)
})

test('a browser is identified by its User-Agent, shortened and without control characters', async () => {
  const agent = `Mozilla/5.0\t${'x'.repeat(200)}`
  for (const headers of [{ 'user-agent': agent }, {}]) {
    const client = hub.client()
    await client.raw('POST', '/api/login', {
      body: JSON.stringify({ id: 'Admin', pass: md5('Admin') }),
      headers: { 'content-type': 'application/json', origin: 'http://localhost', ...headers } as Record<string, string>
    })
    const ownSession = (await client.send(listSessions, {})).list.find((session) => session.own)
    assert.equal(ownSession?.agent, 'user-agent' in headers ? `Mozilla/5.0${'x'.repeat(117)}` : undefined)
  }
})

test('an administrator sets another user’s password without the old one, which ends all sessions of that user', async () => {
  const client = hub.clientAs()
  const user = addSignedInUser(hub, 'ursula', USER_PERMISSIONS)
  const second = hub.clientAs('ursula')
  assert.equal(
    (await client.send(changePassword, { name: 'nobody', ...newPassword('new-password') })).result,
    NOT_EXIST
  )
  assert.equal((await client.send(changePassword, { name: 'ursula', ...newPassword('new-password') })).result, SUCCESS)
  for (const sessionClient of [user, second])
    assert.equal((await sessionClient.send(getSession, {})).result, NOT_LOGGED_IN)
  assert.equal((await client.send(getSession, {})).result, SUCCESS)
  await hub.signIn('ursula', 'new-password')
})

test('of two concurrent changes of a password only the first succeeds', async () => {
  const client = hub.clientAs()
  const change = (to: string) => client.send(changePassword, { 'old-passwd': md5('Admin'), ...newPassword(to) })
  const responses = await Promise.all([change('first-password'), change('second-password')])
  assert.deepEqual(responses.map(({ result }) => result).sort(), [0, MISMATCH])
})

test('a wrong old password counts as a failed login for this name and address', async () => {
  const client = hub.clientAs()
  for (let i = 0; i < 5; i++)
    await client.send(changePassword, { 'old-passwd': md5(`guess ${i}`), ...newPassword('my-password') })
  const locked = await hub.client().send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(locked.result, MISMATCH)
  assert.ok((locked['locked-s'] ?? 0) > 0)
  await hub.signIn('Admin', 'Admin', '10.0.0.9')
})

test('guesses of many names from an address where Admin signed in before do not delay Admin', async () => {
  await hub.signIn()
  const guesses = Array.from({ length: 25 }, (_, i) => hub.client().send(login, { id: `user ${i}`, pass: md5('x') }))
  const admin = hub.client().send(login, { id: 'Admin', pass: md5('Admin') })
  const first = await Promise.race([admin, Promise.all(guesses.slice(2, 20))])
  assert.ok(!Array.isArray(first) && first.result === SUCCESS, 'it has a turn of its own')
  await Promise.all(guesses)
  assert.ok(hub.parts.lockOut.secondsToWait('somebody', '127.0.0.1') > 0, 'the address is locked for other names, too')
  await hub.signIn()
})

test.run()
