import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { MISMATCH, NOT_EXIST, NOT_LOGGED_IN, NOT_PERMITTED, TRY_AGAIN } from '../../../../contract/codes.ts'
import { listDevices } from '../../../../contract/device/device.ts'
import { LOG_UNKNOWN, listLog } from '../../../../contract/log.ts'
import { USER_PERMISSIONS } from '../../../../contract/permissions.ts'
import { changePassword, login, logout, whoAmI } from '../../../../contract/session.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { endSessions, listSessions } from '../../../../contract/user.ts'
import { addUser, join, md5, startHub, type TestHub } from '../../../kit/hub.ts'

const test = suite('session')
let hub: TestHub
test.before.each(async () => {
  hub = await startHub()
})
test.after.each(() => hub.close())

test('Admin signs in with the first password and is told that it still stands', async () => {
  const client = hub.client()
  const answer = await client.send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(answer.result, 0)
  assert.deepEqual(answer.user, { name: 'Admin', id: 1, 'group-name': 'Admin', permission: 4294967295, type: 1 })
  assert.equal(answer['default-password'], true)
  assert.equal(answer['must-change-password'], undefined)
  assert.equal((await client.send(whoAmI, {})).user.name, 'Admin')
})

test('the session cookie cannot be read by scripts nor sent from other sites, and only its hash is stored', async () => {
  const client = hub.client()
  const response = await client.raw('POST', '/api/login', {
    body: JSON.stringify({ id: 'Admin', pass: md5('Admin') }),
    headers: { 'content-type': 'application/json;charset=utf-8' }
  })
  const [cookie = ''] = response.headers.getSetCookie()
  assert.match(cookie, /^mwcloud-sid=[\w-]{43}; Path=\/; SameSite=Strict; Max-Age=\d+; HttpOnly$/)
  const { token } = (await response.json()) as { token: string }
  assert.ok(cookie.includes(token))
  const rows = hub.hub.store.database.all<{ hash: string }>('SELECT * FROM session')
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(token))
})

test('over TLS the cookie is marked Secure', async () => {
  const response = await hub.fetch(
    new Request('http://hub.test/api/login', {
      method: 'POST',
      body: JSON.stringify({ id: 'Admin', pass: md5('Admin') }),
      headers: { 'content-type': 'application/json' }
    }),
    { address: '127.0.0.1', secure: true }
  )
  assert.match(response.headers.getSetCookie()[0] ?? '', /; Secure/)
})

test('what was typed in the place of a user name is in no log, unless it is one', async () => {
  const client = hub.client('192.0.2.77')
  for (let attempt = 0; attempt < 6; attempt++) await client.send(login, { id: 'MyS3cret!', pass: md5('x') })
  await client.send(login, { id: 'Admin', pass: md5('x') })
  const admin = hub.enter()
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

test('a wrong password and an unknown name are answered alike', async () => {
  const client = hub.client()
  const wrong = await client.send(login, { id: 'Admin', pass: md5('x') })
  const unknown = await client.send(login, { id: 'nobody', pass: md5('x') })
  assert.deepEqual(wrong, unknown)
  assert.equal(wrong.result, MISMATCH)
})

test('guesses made at once count one by one, lock the name at that address alone, and hold up nobody else', async () => {
  const guesses = Array.from({ length: 60 }, (_, i) =>
    hub.client('10.0.0.9').send(login, { id: 'Admin', pass: md5(`guess ${i}`) })
  )
  // It asks after all of them, and is answered after one or two: addresses take turns.
  const elsewhere = hub.client('10.0.0.8').send(login, { id: 'Admin', pass: md5('Admin') })
  const first = await Promise.race([elsewhere, Promise.all(guesses.slice(1, 20))])
  assert.ok(!Array.isArray(first), 'whoever asks from elsewhere waits for all the guesses')
  assert.equal(first.result, 0)
  const answers = await Promise.all(guesses)
  assert.equal(answers.filter(({ result }) => result === TRY_AGAIN).length, 39, 'one is checked, twenty wait')
  const wrong = answers.filter(({ result }) => result === MISMATCH)
  assert.equal(wrong.filter((answer) => answer['locked-s'] === undefined).length, 4)
  const right = await hub.client('10.0.0.9').send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(right.result, MISMATCH)
  assert.ok((right['locked-s'] ?? 0) > 0)
  assert.equal((await hub.client('10.0.0.9').send(login, { id: 'other', pass: md5('x') }))['locked-s'], undefined)
  assert.equal((await hub.client('10.0.0.7').send(login, { id: 'Admin', pass: md5('Admin') })).result, 0)
})

test('nobody gets anything but 37, and after signing out the cookie is worth nothing', async () => {
  assert.deepEqual(await hub.client().send(systemStatus, {}), { result: NOT_LOGGED_IN })
  const client = await hub.signIn()
  const { cookie } = client
  assert.equal((await client.send(logout, {})).result, 0)
  assert.ok(!client.cookie.includes('mwcloud-sid'))
  client.cookie = cookie
  assert.equal((await client.send(systemStatus, {})).result, NOT_LOGGED_IN)
})

test('with the first password a session from another machine can only change it, and then everything', async () => {
  const client = await hub.signIn('Admin', 'Admin', '192.0.2.7')
  assert.equal((await client.send(listDevices, {})).result, NOT_PERMITTED)
  assert.equal((await client.send(whoAmI, {}))['must-change-password'], true)
  const kept = await client.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('Admin') })
  assert.equal(kept.result, 7, 'the first password is no new one')
  const changed = await client.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('harder-1') })
  assert.equal(changed.result, 0)
  assert.equal((await client.send(listDevices, {})).result, 0)
  assert.equal((await client.send(whoAmI, {}))['must-change-password'], undefined)
})

test('a changed password ends the other sessions, wants the old one, and lets only admins set others’', async () => {
  const elsewhere = await hub.signIn()
  const client = await hub.signIn()
  const wrong = await client.send(changePassword, { 'old-passwd': md5('no'), passwd: md5('new') })
  assert.equal(wrong.result, MISMATCH)
  assert.equal((await client.send(changePassword, { passwd: md5('new') })).field, 'old-passwd')
  assert.equal((await client.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('new') })).result, 0)
  assert.equal((await elsewhere.send(whoAmI, {})).result, NOT_LOGGED_IN)
  const user = await addUser(hub, 'ursula', USER_PERMISSIONS)
  assert.equal((await user.send(changePassword, { name: 'Admin', passwd: md5('mine') })).result, NOT_PERMITTED)
  assert.equal((await client.send(changePassword, { name: 'ursula', passwd: md5('theirs') })).result, 0)
  assert.equal((await user.send(whoAmI, {})).result, NOT_LOGGED_IN)
})

test('the empty password is refused', async () => {
  const client = await hub.signIn()
  assert.equal((await client.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('') })).field, 'passwd')
})

test('a session ends after the set minutes without use, and use puts it off', async () => {
  const client = await hub.signIn()
  assert.equal((await client.send(setSettings, { 'expired-time': 10 })).result, 0)
  const age = (minutes: number) =>
    hub.hub.store.database.run('UPDATE session SET seen = ?', Date.now() - minutes * 60_000)
  age(9)
  assert.equal((await client.send(whoAmI, {})).result, 0)
  const { seen } = hub.hub.store.database.get<{ seen: number }>('SELECT seen FROM session') ?? { seen: 0 }
  assert.ok(Date.now() - seen < 5000, 'use slides the expiry')
  age(11)
  assert.equal((await client.send(whoAmI, {})).result, NOT_LOGGED_IN)
})

test('signing in, failing to, and signing out stand in the operation log, without passwords', async () => {
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

test('everybody sees the own sessions, an administrator all, the last used first, and nobody their secrets', async () => {
  const elsewhere = hub.enter('Admin', '10.0.0.5')
  const client = hub.enter()
  const user = join(hub, 'ursula', USER_PERMISSIONS)
  const rows = hub.hub.store.database
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
  assert.ok(!text.includes(elsewhere.cookie.split('=')[1] ?? ''))
})

test('a session that has expired is not listed', async () => {
  const client = hub.enter()
  hub.enter('Admin', '10.0.0.5')
  hub.hub.store.database.run('UPDATE session SET seen = ? WHERE address = ?', Date.now() - 31 * 60_000, '10.0.0.5')
  assert.equal((await client.send(listSessions, {})).list.length, 1)
})

test('of too many sessions of one user the one that was not used for the longest time ends', async () => {
  const [first, second] = [hub.enter(), hub.enter()]
  const user = join(hub, 'ursula', USER_PERMISSIONS)
  hub.hub.store.database.run('UPDATE session SET seen = seen - id * 1000 WHERE user_id = 1')
  for (let i = 0; i < 99; i++) hub.enter()
  assert.equal((await first.send(listSessions, {})).list.length, 101)
  assert.equal((await second.send(whoAmI, {})).result, NOT_LOGGED_IN)
  assert.equal((await user.send(whoAmI, {})).result, 0)
})

test('a session tells where it was used last, up to 30 s late', async () => {
  const client = hub.enter()
  const moved = hub.client('10.0.0.6')
  moved.cookie = client.cookie
  hub.hub.store.database.run('UPDATE session SET seen = seen - 31000')
  await moved.send(whoAmI, {})
  assert.equal((await client.send(listSessions, {})).list[0]?.ip, '10.0.0.6')
})

test('sessions are ended at once, one’s own or, by an administrator, anybody’s; of several all or none', async () => {
  const client = hub.enter()
  const user = join(hub, 'ursula', USER_PERMISSIONS)
  const second = hub.enter('ursula')
  const idOf = async (one: typeof client) =>
    (await one.send(listSessions, {})).list.find(({ own }) => own)?.id ?? Number.NaN
  const [admins, first, other] = [await idOf(client), await idOf(user), await idOf(second)]
  assert.equal((await user.send(endSessions, { id: [other, admins] })).result, NOT_EXIST, 'not one that is not seen')
  assert.equal((await second.send(whoAmI, {})).result, 0)
  assert.equal((await user.send(endSessions, { id: other })).result, 0)
  assert.equal((await second.send(whoAmI, {})).result, NOT_LOGGED_IN)
  assert.equal((await client.send(endSessions, { id: other })).result, NOT_EXIST)
  assert.equal((await client.send(endSessions, { id: [first, admins, first] })).result, 0)
  for (const one of [client, user]) assert.equal((await one.send(whoAmI, {})).result, NOT_LOGGED_IN)
})

test('a browser is known by what it calls itself, shortened and without what cannot be shown', async () => {
  const agent = `Mozilla/5.0\t${'x'.repeat(200)}`
  for (const headers of [{ 'user-agent': agent }, {}]) {
    const client = hub.client()
    await client.raw('POST', '/api/login', {
      body: JSON.stringify({ id: 'Admin', pass: md5('Admin') }),
      headers: { 'content-type': 'application/json', origin: 'http://hub.test', ...headers } as Record<string, string>
    })
    const own = (await client.send(listSessions, {})).list.find((session) => session.own)
    assert.equal(own?.agent, 'user-agent' in headers ? `Mozilla/5.0${'x'.repeat(117)}` : undefined)
  }
})

test('an administrator sets another’s password without the old one, which ends all that one’s sessions', async () => {
  const client = hub.enter()
  const user = join(hub, 'ursula', USER_PERMISSIONS)
  const second = hub.enter('ursula')
  assert.equal((await client.send(changePassword, { name: 'nobody', passwd: md5('new') })).result, NOT_EXIST)
  assert.equal((await client.send(changePassword, { name: 'ursula', passwd: md5('new') })).result, 0)
  for (const one of [user, second]) assert.equal((await one.send(whoAmI, {})).result, NOT_LOGGED_IN)
  assert.equal((await client.send(whoAmI, {})).result, 0)
  await hub.signIn('ursula', 'new')
})

test('of two changes of one password at once only the first is made', async () => {
  const client = hub.enter()
  const change = (to: string) => client.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5(to) })
  const answers = await Promise.all([change('first'), change('second')])
  assert.deepEqual(answers.map(({ result }) => result).sort(), [0, MISMATCH])
})

test('a wrong old password counts like a wrong one at the door, for this name at this address', async () => {
  const client = hub.enter()
  for (let i = 0; i < 5; i++)
    await client.send(changePassword, { 'old-passwd': md5(`guess ${i}`), passwd: md5('mine') })
  const locked = await hub.client().send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(locked.result, MISMATCH)
  assert.ok((locked['locked-s'] ?? 0) > 0)
  await hub.signIn('Admin', 'Admin', '10.0.0.9')
})

test('where Admin signed in before, guessing at many names from there does not slow it', async () => {
  await hub.signIn()
  const guesses = Array.from({ length: 25 }, (_, i) => hub.client().send(login, { id: `user ${i}`, pass: md5('x') }))
  const admin = hub.client().send(login, { id: 'Admin', pass: md5('Admin') })
  const first = await Promise.race([admin, Promise.all(guesses.slice(2, 20))])
  assert.ok(!Array.isArray(first) && first.result === 0, 'its own turn comes at once')
  await Promise.all(guesses)
  assert.ok(hub.hub.lockOut.wait('somebody', '127.0.0.1') > 0, 'the address waits for other names')
  await hub.signIn()
})

test.run()
