import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { GROUP_VIEWER, VIEWER_PERMISSIONS } from '../../../../contract/access/permissions.ts'
import { changePassword, getSession, login, reauthenticate } from '../../../../contract/access/session.ts'
import { addToken, deleteTokens, NEVER_EXPIRES } from '../../../../contract/access/token.ts'
import { addGroup, addUser, listUsers, setUser } from '../../../../contract/access/user.ts'
import type { Call } from '../../../../contract/call.ts'
import {
  CA_LICENSE_ERROR,
  MISMATCH,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SUCCESS
} from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { getSettings, type SettingsRequest, setSettings } from '../../../../contract/settings.ts'
import { uploadCertificate, uploadCertificateKey } from '../../../../contract/web/certificate.ts'
import { listDeclaredCalls } from '../../../../make/wire/declared-calls.ts'
import { addSignedInUser, type Client, addUser as insertUser, md5, newPassword } from '../../../kit/hub/hub.ts'
import { hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('reauthenticate')

const MINUTE = 60_000
let now = Date.now()
hubForEach(test, { sessionClock: () => now })

let client: Client
test.before.each(async () => {
  now = Date.now()
  client = await hub.signIn()
})

const pass = md5('Admin')
let userCount = 0
const addSomeone = async (by = client) =>
  (await by.send(addUser, { name: `user${++userCount}`, ...newPassword('long-enough') })).result

test('a login permits changes of users for 10 minutes, and a new proof of the password for 10 more', async () => {
  now += 10 * MINUTE
  assert.equal(await addSomeone(), SUCCESS)
  now += 1
  assert.equal(await addSomeone(), REAUTHENTICATION_REQUIRED)
  assert.equal((await client.send(reauthenticate, { pass: md5('wrong') })).result, MISMATCH)
  assert.equal(await addSomeone(), REAUTHENTICATION_REQUIRED)
  assert.equal((await client.send(reauthenticate, { pass })).result, SUCCESS)
  now += 10 * MINUTE
  assert.equal(await addSomeone(), SUCCESS)
  now += 1
  assert.equal(await addSomeone(), REAUTHENTICATION_REQUIRED)
})

test('the proof counts for the session that gave it, not for the user’s others, and a clock set back does not extend it', async () => {
  const other = await hub.signIn()
  now += 11 * MINUTE
  await client.send(reauthenticate, { pass })
  assert.equal(await addSomeone(), SUCCESS)
  assert.equal(await addSomeone(other), REAUTHENTICATION_REQUIRED)
  now -= 25 * MINUTE
  assert.equal(await addSomeone(), REAUTHENTICATION_REQUIRED)
})

test('calls that read, and changes of other things, need no proof', async () => {
  now += 11 * MINUTE
  assert.equal((await client.send(listUsers, {})).result, SUCCESS)
  assert.equal((await client.send(setSettings, { previews: { 'data-saver': true } })).result, SUCCESS)
})

test('the calls that change users, second factors, groups, tokens, updates, backups, the cloud, certificates and the firewall, export or import settings, clear a log, or give the licence back, need a proof, and no others', () => {
  const paths = listDeclaredCalls().filter(({ reauthenticate }) => reauthenticate)
  assert.deepEqual(
    paths.map(({ path }) => path).sort(),
    [
      ...['/backup/del', '/backup/restore', '/backup/set'],
      ...['/cert/upload', '/cert/upload-key'],
      '/cloud/set',
      '/display/add',
      '/firewall/set',
      '/hardware-update/start',
      '/license/deactivate',
      '/log/clear',
      ...['/second-factor/codes', '/second-factor/enable', '/second-factor/start', '/usr/second-factor/reset'],
      ...['/system/export', '/system/import', '/system/import/apply', '/system/import/compare'],
      ...['/token/add', '/token/del', '/update/revert', '/update/start'],
      ...['/usr-group/add', '/usr-group/del', '/usr-group/set'],
      ...['/usr/add', '/usr/del', '/usr/set', '/usr/set-group']
    ].sort()
  )
})

test('each of these calls is refused without a proof before its request is read, and not to those who may not make it', async () => {
  const viewer = addSignedInUser(hub, 'viewer', VIEWER_PERMISSIONS, GROUP_VIEWER)
  now += 11 * MINUTE
  for (const call of listDeclaredCalls().filter(({ reauthenticate }) => reauthenticate)) {
    const sendTo = async (by: Client) => (await by.send(call as Call<object>, { 'not a request': true })).result
    assert.equal(await sendTo(client), REAUTHENTICATION_REQUIRED, call.path)
    if (call.access !== 'session') assert.equal(await sendTo(viewer), NOT_PERMITTED, call.path)
  }
  const { list } = await client.send(listLog, { type: 'operation' })
  assert.ok(!list.some(({ code }) => code === REAUTHENTICATION_REQUIRED), 'a question is no failure')
})

test('the password of another user needs a proof, the own one is proved by the request', async () => {
  await insertUser(hub, 'vera', 1)
  now += 11 * MINUTE
  const others = { name: 'vera', ...newPassword('their-password') }
  assert.equal((await client.send(changePassword, others)).result, REAUTHENTICATION_REQUIRED)
  const own = { 'old-passwd': pass, ...newPassword('my-password') }
  assert.equal((await client.send(changePassword, own)).result, SUCCESS)
  await client.send(reauthenticate, { pass: md5('my-password') })
  assert.equal((await client.send(changePassword, others)).result, SUCCESS)
})

test('settings that protect the hub need a proof, and nothing changes without it', async () => {
  now += 11 * MINUTE
  const requests: SettingsRequest[] = [
    { 'pwd-rule': { length: 12 } },
    { 'expired-time': -1 },
    { security: { 'enable-code': true, 'code-value': '0165' } },
    { streams: { 'forbid-private': true } },
    { log: { 'max-lines': 1000, 'max-days': 90 } },
    { syslog: { protocol: 'udp', host: '192.0.2.1', port: 514 } }
  ]
  const { settings: before } = await client.send(getSettings, {})
  for (const request of requests)
    assert.equal((await client.send(setSettings, request)).result, REAUTHENTICATION_REQUIRED, JSON.stringify(request))
  assert.deepEqual((await client.send(getSettings, {})).settings, before)
  await client.send(reauthenticate, { pass })
  for (const request of requests)
    assert.equal((await client.send(setSettings, request)).result, SUCCESS, JSON.stringify(request))
})

test('a certificate and its key need a proof, and no access token may replace them, nor switch HTTPS, its redirect or HSTS', async () => {
  await hub.listen(0, 0)
  const { token } = await client.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['settings'] })
  const program = hub.client()
  program.token = token
  now += 11 * MINUTE
  const own = { web: { 'cert-filename': '', 'cert-key-filename': '' } }
  const uploaded = { web: { 'cert-filename': 'cert-1.pem', 'cert-key-filename': 'key-1.pem' } }
  const switches = ['enable-https', 'redirect-http', 'hsts'].map((name) => ({ web: { [name]: false } }))
  for (const request of [own, uploaded, ...switches]) {
    assert.equal((await client.send(setSettings, request)).result, REAUTHENTICATION_REQUIRED)
    assert.equal((await program.send(setSettings, request)).result, NOT_PERMITTED)
  }
  for (const call of [uploadCertificate, uploadCertificateKey])
    assert.equal((await program.send(call, {})).result, NOT_PERMITTED, call.path)
  for (const by of [client, program])
    assert.equal((await by.send(setSettings, { previews: { 'data-saver': false } })).result, SUCCESS)
  const { list } = await client.send(listLog, { type: 'operation' })
  assert.ok(!list.some(({ code }) => code === REAUTHENTICATION_REQUIRED), 'a question is no failure')
  await client.send(reauthenticate, { pass })
  assert.equal((await client.send(setSettings, uploaded)).result, CA_LICENSE_ERROR)
  assert.equal((await client.send(setSettings, own)).result, SUCCESS)
})

test('an access token can neither make these calls nor prove a password', async () => {
  const { token } = await client.send(addToken, { 'expired-time': NEVER_EXPIRES })
  const program = hub.client()
  program.token = token
  assert.equal((await program.send(getSession, {})).result, SUCCESS)
  assert.equal((await program.send(reauthenticate, { pass })).result, NOT_PERMITTED)
  assert.equal((await program.send(addGroup, { name: 'Crew', permissions: 4 })).result, NOT_PERMITTED)
  assert.equal((await program.send(setUser, { id: 1, nick: 'x' })).result, NOT_PERMITTED)
  assert.equal((await program.send(deleteTokens, { id: 1 })).result, NOT_PERMITTED)
})

test('wrong passwords count towards the lock-out at sign-in, and are logged', async () => {
  for (let attempt = 0; attempt < 5; attempt++) await client.send(reauthenticate, { pass: md5(`${attempt}`) })
  const locked = await client.send(reauthenticate, { pass })
  assert.equal(locked.result, MISMATCH)
  assert.equal(locked['locked-s'], 10)
  assert.equal((await hub.client().send(login, { id: 'Admin', pass })).result, MISMATCH)
  now += 10_000
  assert.equal((await client.send(reauthenticate, { pass })).result, SUCCESS)
  const { list } = await client.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list
      .filter(({ event }) => event === '/session/reauthenticate')
      .map(({ code }) => code)
      .slice(0, 2),
    [SUCCESS, MISMATCH]
  )
})

test.run()
