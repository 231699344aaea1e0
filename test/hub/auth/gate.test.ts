import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS, GROUP_ADMIN, GROUP_CUSTOM } from '../../../contract/access/permissions.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { Gate } from '../../../hub/auth/gate.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { hashSecret, readCookie } from '../../../web-server/credentials.ts'
import { isLoopback } from '../../../web-server/host-header.ts'
import { md5, startHub } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'

const test = suite('gate')

test('a reverse proxy on this machine declares the caller’s address and whether TLS is used', async () => {
  const hub = await startHub()
  try {
    const { port } = await hub.listen(0, 0)
    const signIn = async (headers: Record<string, string>) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ id: 'Admin', pass: md5('Admin') })
      })
      const reply = (await response.json()) as Record<string, unknown>
      return { must: reply['must-change-password'], secure: /; Secure/.test(response.headers.getSetCookie().join()) }
    }
    assert.deepEqual(await signIn({}), { must: undefined, secure: false })
    assert.deepEqual(await signIn({ 'x-forwarded-for': '127.0.0.1, 192.0.2.7' }), { must: true, secure: false })
    assert.deepEqual(await signIn({ 'x-forwarded-for': '192.0.2.7, 127.0.0.1', 'x-forwarded-proto': 'https' }), {
      must: undefined,
      secure: true
    })
    const ips = hub.parts.store.logs.list({ type: 'operation' }, 0, 3).list.map(({ ip }) => ip)
    assert.deepEqual(ips, ['127.0.0.1', '192.0.2.7', '127.0.0.1'])
  } finally {
    await hub.close()
  }
})

const withCookie = (cookie: string) => new Headers({ cookie })

/** A gate with an empty store, two users, and a manual clock. */
function createTestGate() {
  const store: Store = openStore(':memory:')
  store.database.transaction(() => {
    store.users.addGroup(1, 'Admin', ALL_PERMISSIONS, GROUP_ADMIN)
    store.users.addGroup(8, 'Crew', 0, GROUP_CUSTOM)
    store.users.add(1, 'Admin', 1, '', false)
    store.users.add(2, 'carl', 8, '', false)
  })
  const time = { now: 1_000_000_000_000 }
  return { store, time, gate: new Gate(store, () => time.now) }
}

const MINUTE = 60_000

test('a session lasts the configured minutes after its last use, and callerOfSession does not extend it', () => {
  const { store, time, gate } = createTestGate()
  store.settings.set('expired-time', 10)
  const { secret, hash } = gate.openSession(1, '10.0.0.1')
  const caller = () => gate.caller(withCookie(`mwcloud-sid=${secret}`), '10.0.0.1')
  time.now += 10 * MINUTE
  assert.ok(gate.callerOfSession(hash))
  assert.equal(caller()?.user.name, 'Admin', 'until the last millisecond')
  time.now += 10 * MINUTE
  assert.ok(gate.callerOfSession(hash), 'its use extended the session')
  time.now += 1
  assert.equal(gate.callerOfSession(hash), undefined)
  assert.equal(caller(), undefined)
  store.settings.set('expired-time', -1)
  time.now += 1e12
  assert.ok(caller(), '-1 = sessions never expire')
})

test('sessions of the Admin group end some hours after the sign-in, those of others do not', () => {
  const { store, time, gate } = createTestGate()
  store.settings.set('expired-time', -1)
  const open = (user: number) => {
    const { secret, hash } = gate.openSession(user, '10.0.0.1')
    return () => gate.caller(withCookie(`mwcloud-sid=${secret}`), '10.0.0.1') && gate.callerOfSession(hash)
  }
  const [admin, carl] = [open(1), open(2)]
  time.now += 1000 * 60 * MINUTE
  assert.ok(admin(), 'a hub that an earlier version has set up keeps its sessions')
  store.settings.set('admin-session', 4)
  assert.equal(admin(), undefined)
  assert.ok(carl())
  const next = open(1)
  time.now += 4 * 60 * MINUTE
  assert.ok(next(), 'until the last millisecond')
  time.now += 1
  assert.equal(next(), undefined)
})

test('a request in the background does not extend a session', () => {
  const { store, time, gate } = createTestGate()
  store.settings.set('expired-time', 10)
  const { secret } = gate.openSession(1, '10.0.0.1')
  const cookie = `mwcloud-sid=${secret}`
  const background = new Headers({ cookie, 'headend-background': '1' })
  for (let minute = 0; minute < 10; minute++) {
    time.now += MINUTE
    assert.ok(gate.caller(background, '10.0.0.1'), `after ${minute + 1} min`)
  }
  time.now += 1
  assert.equal(gate.caller(background, '10.0.0.1'), undefined)
  assert.equal(gate.caller(withCookie(cookie), '10.0.0.1'), undefined, 'it has ended for all requests')
})

test('expired sessions are removed when the next one is created', () => {
  const { store, time, gate } = createTestGate()
  store.settings.set('expired-time', 10)
  const count = () => store.database.get<{ n: number }>('SELECT count(*) AS n FROM session')?.n
  for (let n = 0; n < 5; n++) gate.openSession(1, '10.0.0.1')
  time.now += 10 * MINUTE
  gate.openSession(1, '10.0.0.1')
  assert.equal(count(), 6, 'none has expired')
  time.now += 1
  gate.openSession(1, '10.0.0.1')
  assert.equal(count(), 2)
  store.settings.set('expired-time', -1)
  time.now += 1e12
  gate.openSession(1, '10.0.0.1')
  assert.equal(count(), 3)
})

test('a session ends when its user is removed, and the stored hash is not a valid cookie', () => {
  const { store, gate } = createTestGate()
  const { secret, hash } = gate.openSession(2, '10.0.0.1')
  assert.equal(hash, hashSecret(secret))
  assert.equal(
    gate.caller(withCookie(`mwcloud-sid=${hash}`), '10.0.0.1'),
    undefined,
    'the stored hash does not authenticate'
  )
  assert.ok(gate.callerOfSession(hash))
  store.database.run('DELETE FROM user WHERE id = 2')
  assert.equal(gate.callerOfSession(hash), undefined)
})

test('the session cookie is found among others by its exact name', () => {
  assert.equal(readCookie('a=1; mwcloud-sid=x; b=2', 'mwcloud-sid'), 'x')
  assert.equal(readCookie('mwcloud-sid=x=y', 'mwcloud-sid'), 'x=y')
  assert.equal(readCookie(';; =;mwcloud-sid = x ', 'mwcloud-sid'), 'x')
  for (const header of [
    null,
    '',
    'mwcloud-sid',
    'xmwcloud-sid=1',
    'mwcloud-sid2=1',
    'MWCLOUD-SID=1',
    'a=mwcloud-sid=1'
  ])
    assert.equal(readCookie(header, 'mwcloud-sid'), undefined, String(header))
})

test('isLoopback accepts loopback addresses, and none that look similar', () => {
  for (const address of ['127.0.0.1', '127.255.0.3', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(address), address)
  for (const address of ['', '12.7.0.0', '1127.0.0.1', '10.127.0.1', '::2', '::ffff:10.0.0.1', 'localhost', '0.0.0.0'])
    assert.ok(!isLoopback(address), address)
})

test('an accepted device with its own masks is visible to users and groups in them, any other device by the global default', async () => {
  const hub = await startHub()
  try {
    const { store, gate } = hub.parts
    const [sn = ''] = registerDevices(hub, 1)
    store.database.transaction(() => {
      store.users.addGroup(8, 'Crew', 0, GROUP_CUSTOM)
      store.users.add(2 ** 30, 'carl', 8, '', false)
    })
    const session = (id: number) =>
      gate.callerOfSession(store.database.transaction(() => gate.openSession(id, '::1')).hash)
    const [admin, carl] = [session(1), session(2 ** 30)]
    assert.ok(admin && carl)
    const isVisible = (own: number, groups: number, users: number, state: number = REGISTRATION_STATE.accepted) => {
      store.database.run('UPDATE device SET is_inherit = ?, group_mask = ?, usr_mask = ?', 1 - own, groups, users)
      store.database.run('UPDATE device SET reg_state = ?', state)
      const row = store.devices.bySerial(sn)
      assert.ok(row)
      assert.ok(gate.canSeeDevice(admin, row), 'administrators see all devices')
      return gate.canSeeDevice(carl, row)
    }
    assert.ok(isVisible(1, 8, 0))
    assert.ok(isVisible(1, 0, 2 ** 30))
    assert.ok(!isVisible(1, 4, 2 ** 29))
    assert.ok(isVisible(0, 0, 0), 'by default all groups see all devices')
    assert.ok(isVisible(1, 0, 0, REGISTRATION_STATE.pending), 'the default decides for pending devices')
    store.settings.set('device-security', { 'group-mask': 4, 'usr-mask': 0 })
    assert.ok(!isVisible(0, 8, 2 ** 30))
    assert.ok(!isVisible(1, 8, 2 ** 30, REGISTRATION_STATE.rejected))
    assert.ok(isVisible(1, 8, 0))
  } finally {
    await hub.close()
  }
})

test.run()
