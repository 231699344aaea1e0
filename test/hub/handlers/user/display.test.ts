import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDisplay, DISPLAY_CODE_MINUTES, DISPLAYS_MAX, openDisplay } from '../../../../contract/access/display.ts'
import { GROUP_VIEWER } from '../../../../contract/access/permissions.ts'
import { changePassword, getSession, login, logout } from '../../../../contract/access/session.ts'
import { addUser as addUserCall, deleteUsers, endSessions, listSessions } from '../../../../contract/access/user.ts'
import {
  MISMATCH,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SUCCESS,
  TOO_MANY
} from '../../../../contract/codes.ts'
import { acceptDevices, listDevices, setDeviceSecurity } from '../../../../contract/device/device.ts'
import { REAUTHENTICATE_AFTER, SESSION_DAYS_MAX } from '../../../../contract/limits.ts'
import { listLog } from '../../../../contract/log.ts'
import { addChannel, channelDashboard, enableChannel } from '../../../../contract/stream/channel.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { takeDisplayCode } from '../../../../hub/auth/displays.ts'
import { Gate } from '../../../../hub/auth/gate.ts'
import { addUser, type Client, md5, newPassword, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('display')

const MINUTE = 60_000
const DAY = 86_400_000
const YEAR_SECONDS = 31_536_000

let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
  database().run('UPDATE user SET is_default_password = 0')
})
test.after.each(() => hub.close())

const database = () => hub.parts.store.database

async function createCode(client = admin, name = 'Control room'): Promise<string> {
  const reply = await client.send(addDisplay, { name })
  assert.equal(reply.result, SUCCESS)
  return reply.code
}

/** A display of the client's user. */
async function openNewDisplay(client = admin, address = '192.0.2.50'): Promise<Client> {
  const display = hub.client(address)
  assert.equal((await display.send(openDisplay, { code: await createCode(client) })).result, SUCCESS)
  return display
}

test('a code opens one display, which sees channels and devices, and is a viewer to the console', async () => {
  await admin.send(addChannel, { name: 'News' })
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const code = await createCode()
  assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  const display = hub.client('192.0.2.50')
  const reply = await display.send(openDisplay, { code: ` ${code.toLowerCase().replaceAll('-', ' ')}` })
  assert.equal(reply.result, SUCCESS)
  assert.equal(reply.display, 'Control room')
  assert.equal(reply.user.type, GROUP_VIEWER)
  assert.deepEqual(
    (await display.send(channelDashboard, {})).list.map(({ name }) => name),
    ['News']
  )
  assert.equal((await display.send(listDevices, {})).total, 1)
  const session = await display.send(getSession, {})
  assert.deepEqual([session.display, session.user.permission], ['Control room', reply.user.permission])
})

test('a code works once', async () => {
  const code = await createCode()
  assert.equal((await hub.client().send(openDisplay, { code })).result, SUCCESS)
  const second = hub.client()
  assert.equal((await second.send(openDisplay, { code })).result, MISMATCH)
  assert.equal((await second.send(channelDashboard, {})).result, NOT_LOGGED_IN)
})

test('a code works for 15 minutes, and only its hash is stored', async () => {
  assert.equal(DISPLAY_CODE_MINUTES, 15)
  const { store } = hub.parts
  const { code, expires } = await admin.send(addDisplay, { name: 'Foyer' })
  assert.ok(Math.abs(expires - Date.now() - 15 * MINUTE) < 5000)
  assert.ok(!JSON.stringify(database().all('SELECT * FROM display_code')).includes(code.slice(0, 4)))
  assert.equal(
    database().transaction(() => takeDisplayCode(store, code, expires)),
    undefined
  )
  const later = await admin.send(addDisplay, { name: 'Foyer' })
  const taken = database().transaction(() => takeDisplayCode(store, later.code, later.expires - 1))
  assert.deepEqual(taken, { userId: 1, name: 'Foyer' })
})

test('only the Admin group creates displays, with a recent proof of the password', async () => {
  await addUser(hub, 'crew', 2 ** 18 - 1)
  assert.equal((await hub.clientAs('crew').send(addDisplay, { name: 'x' })).result, NOT_PERMITTED)
  database().run('UPDATE session SET authenticated = ?', Date.now() - (REAUTHENTICATE_AFTER + 1) * MINUTE)
  assert.equal((await admin.send(addDisplay, { name: 'x' })).result, REAUTHENTICATION_REQUIRED)
})

test('a display writes nothing, and gets no keys, users, sessions or logs', async () => {
  const { id } = await admin.send(addChannel, { name: 'News', config: { 'push-key': 'secret-key-1' } })
  const display = await openNewDisplay()
  for (const refused of [
    display.send(enableChannel, { id, enable: true }),
    display.send(addChannel, { name: 'x' }),
    display.send(addDisplay, { name: 'x' }),
    display.send(listSessions, {}),
    display.send(listLog, { type: 'operation' }),
    display.send(changePassword, { 'old-passwd': md5('Admin'), ...newPassword('Longer-1234') })
  ])
    assert.equal((await refused).result, NOT_PERMITTED)
  const response = await display.raw('GET', '/api/channel/dashboard')
  assert.ok(!(await response.text()).includes('secret-key-1'))
  const { status } = await display.send(systemStatus, {})
  assert.equal(status.system.info['host-name'], undefined)
  assert.equal((await display.raw('GET', '/metrics')).status, 403)
  const relayed = await display.raw('GET', '/socket/usapi?method=get-info&sc-client-id=x')
  assert.equal(((await relayed.json()) as { result: number }).result, NOT_PERMITTED)
})

test('a display has no end of its own, and its cookie is renewed', async () => {
  const display = hub.client()
  const response = await display.post('/api/display/open', JSON.stringify({ code: await createCode() }), {
    'content-type': 'application/json'
  })
  const [cookie = ''] = response.headers.getSetCookie()
  assert.match(
    cookie,
    new RegExp(`^mwcloud-sid=[\\w-]{43}; Path=/; SameSite=Strict; Max-Age=${YEAR_SECONDS}; HttpOnly$`)
  )
  display.cookie = cookie.split(';')[0] ?? ''
  const { store } = hub.parts
  const row = () => database().get<{ hash: string }>("SELECT hash FROM session WHERE display <> ''")
  const { hash = '' } = row() ?? {}
  // Far beyond the longest idle time and the lifetime of the sessions of users.
  const lateGate = new Gate(store, () => Date.now() + 10 * SESSION_DAYS_MAX * DAY)
  assert.equal(lateGate.callerOfSession(hash)?.display, 'Control room')
  database().transaction(() => lateGate.openSession(1, '127.0.0.1'))
  for (let index = 0; index < 101; index++) database().transaction(() => hub.parts.gate.openSession(1, '127.0.0.1'))
  assert.ok(row())
  assert.equal((await display.send(systemStatus, {})).status.system.info['expired-time'], -1)
  const renewed = (await display.raw('GET', '/api/session')).headers.getSetCookie()
  assert.deepEqual(renewed, [cookie])
})

test('a display is listed as such and ends when it is ended there', async () => {
  const display = await openNewDisplay()
  const { list } = await admin.send(listSessions, {})
  const session = list.find((each) => each.display)
  assert.deepEqual([session?.display, session?.user, session?.ip], ['Control room', 'Admin', '192.0.2.50'])
  assert.equal((await admin.send(endSessions, { id: session?.id ?? 0 })).result, SUCCESS)
  assert.equal((await display.send(channelDashboard, {})).result, NOT_LOGGED_IN)
  const other = await openNewDisplay()
  await other.send(logout, {})
  assert.ok(!(await admin.send(listSessions, {})).list.some((each) => each.display))
})

test('a display and its code end with their creator, and not with the creator’s password', async () => {
  await admin.send(addUserCall, { name: 'chief', ...newPassword('Longer-1234'), 'group-id': 1 })
  const chief = await hub.signIn('chief', 'Longer-1234')
  const display = await openNewDisplay(chief)
  const unused = await createCode(chief)
  await chief.send(changePassword, { 'old-passwd': md5('Longer-1234'), ...newPassword('Longer-5678') })
  assert.equal((await display.send(channelDashboard, {})).result, SUCCESS)
  const { id } = (await chief.send(getSession, {})).user
  assert.equal((await admin.send(deleteUsers, { id })).result, SUCCESS)
  assert.equal((await display.send(channelDashboard, {})).result, NOT_LOGGED_IN)
  assert.equal((await hub.client().send(openDisplay, { code: unused })).result, MISMATCH)
})

test('a display sees no more than its creator sees now', async () => {
  await admin.send(addUserCall, { name: 'chief', ...newPassword('Longer-1234'), 'group-id': 1 })
  const chief = await hub.signIn('chief', 'Longer-1234')
  const display = await openNewDisplay(chief)
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 } })
  assert.equal((await display.send(listDevices, {})).total, 1)
  const { id } = (await chief.send(getSession, {})).user
  database().run('UPDATE user SET group_id = ? WHERE id = ?', GROUP_VIEWER, id)
  assert.equal((await display.send(listDevices, {})).total, 0)
  database().run('UPDATE user_group SET permission = 0 WHERE id = ?', GROUP_VIEWER)
  assert.equal((await display.send(listDevices, {})).result, NOT_PERMITTED)
})

test('wrong codes are refused alike and locked out like wrong passwords, without locking users out elsewhere', async () => {
  const stranger = hub.client('198.51.100.9')
  const attempts = []
  for (let attempt = 0; attempt < 5; attempt++)
    attempts.push(await stranger.send(openDisplay, { code: `WRNG-0000-0000-000${attempt}` }))
  assert.deepEqual(
    attempts.map(({ result }) => result),
    Array(5).fill(MISMATCH)
  )
  assert.equal(attempts.at(-1)?.['locked-s'], 10)
  const code = await createCode()
  assert.equal((await stranger.send(openDisplay, { code })).result, MISMATCH)
  assert.equal((await hub.client('203.0.113.4').send(openDisplay, { code })).result, SUCCESS)
  assert.equal((await stranger.send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
})

test('no log has a code', async () => {
  const code = await createCode()
  await hub.client().send(openDisplay, { code })
  const wrong = 'ZZZZ-9999-ZZZZ-9999'
  for (let attempt = 0; attempt < 6; attempt++) await hub.client('198.51.100.9').send(openDisplay, { code: wrong })
  const logs = await Promise.all(
    (['operation', 'system'] as const).map(async (type) => JSON.stringify(await admin.send(listLog, { type })))
  )
  for (const part of [code, code.slice(0, 4), wrong, wrong.slice(0, 4)]) assert.ok(!logs.join().includes(`"${part}`))
  for (const text of logs) for (const secret of [code, wrong]) assert.ok(!text.includes(secret))
  const operations = (await admin.send(listLog, { type: 'operation' })).list
  const opened = operations.find(({ event, code: result }) => event === '/display/open' && result === SUCCESS)
  assert.deepEqual([opened?.user, opened?.detail], ['Admin', 'Control room'])
})

test('while its creator has the default password, a display on another machine shows nothing', async () => {
  const display = await openNewDisplay()
  database().run('UPDATE user SET is_default_password = 1')
  const session = await display.send(getSession, {})
  assert.deepEqual([session.result, session['must-change-password']], [SUCCESS, true])
  assert.equal((await display.send(channelDashboard, {})).result, NOT_PERMITTED)
})

test('codes and displays together are limited to 32', async () => {
  for (let index = 0; index < DISPLAYS_MAX; index++) await createCode(admin, `Wall ${index}`)
  const refusal = await admin.send(addDisplay, { name: 'one more' })
  assert.deepEqual([refusal.result, refusal.max], [TOO_MANY, 32])
})

test.run()
