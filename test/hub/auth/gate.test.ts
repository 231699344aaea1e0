import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REGISTRATION } from '../../../contract/device/device.ts'
import { ALL_PERMISSIONS, GROUP_ADMIN, GROUP_CUSTOM } from '../../../contract/permissions.ts'
import { cookieValue, createGate, hashOf, isLoopback } from '../../../hub/auth/gate.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { register } from '../../kit/device.ts'
import { md5, startHub } from '../../kit/hub.ts'

const test = suite('gate')

test('a front server on this machine says where a caller comes from and whether the line is secure', async () => {
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
    const ips = hub.hub.store.logs.list({ type: 'operation' }, 0, 3).list.map(({ ip }) => ip)
    assert.deepEqual(ips, ['127.0.0.1', '192.0.2.7', '127.0.0.1'])
  } finally {
    await hub.close()
  }
})

const withCookie = (cookie: string) => new Headers({ cookie })

/** A gate over an empty hub with one user, and a clock. */
function bare() {
  const store: Store = openStore(':memory:')
  store.database.transaction(() => {
    store.users.addGroup(1, 'Admin', ALL_PERMISSIONS, GROUP_ADMIN)
    store.users.addGroup(8, 'Crew', 0, GROUP_CUSTOM)
    store.users.add(1, 'Admin', 1, '', false)
    store.users.add(2, 'carl', 8, '', false)
  })
  const time = { now: 1_000_000_000_000 }
  return { store, time, gate: createGate(store, () => time.now) }
}

const MINUTE = 60_000

test('a session lasts the set minutes after its last use; looking at it without using it does not prolong it', () => {
  const { store, time, gate } = bare()
  store.settings.set('expired-time', 10)
  const { secret, hash } = gate.open(1, '10.0.0.1')
  const caller = () => gate.caller(withCookie(`mwcloud-sid=${secret}`), '10.0.0.1')
  time.now += 10 * MINUTE
  assert.ok(gate.session(hash))
  assert.equal(caller()?.user.name, 'Admin', 'to the last millisecond')
  time.now += 10 * MINUTE
  assert.ok(gate.session(hash), 'its use has put the end off')
  time.now += 1
  assert.equal(gate.session(hash), undefined)
  assert.equal(caller(), undefined)
  store.settings.set('expired-time', -1)
  time.now += 1e12
  assert.ok(caller(), 'never means never')
})

test('sessions that are over are forgotten when the next one begins', () => {
  const { store, time, gate } = bare()
  store.settings.set('expired-time', 10)
  const count = () => store.database.get<{ n: number }>('SELECT count(*) AS n FROM session')?.n
  for (let n = 0; n < 5; n++) gate.open(1, '10.0.0.1')
  time.now += 10 * MINUTE
  gate.open(1, '10.0.0.1')
  assert.equal(count(), 6, 'these could still be used')
  time.now += 1
  gate.open(1, '10.0.0.1')
  assert.equal(count(), 2)
  store.settings.set('expired-time', -1)
  time.now += 1e12
  gate.open(1, '10.0.0.1')
  assert.equal(count(), 3)
})

test('a session is worth nothing once its user is gone, and its secret is not what is stored', () => {
  const { store, gate } = bare()
  const { secret, hash } = gate.open(2, '10.0.0.1')
  assert.equal(hash, hashOf(secret))
  assert.equal(gate.caller(withCookie(`mwcloud-sid=${hash}`), '10.0.0.1'), undefined, 'the stored hash is no secret')
  assert.ok(gate.session(hash))
  store.database.run('DELETE FROM user WHERE id = 2')
  assert.equal(gate.session(hash), undefined)
})

test('the session is found among other cookies, by its whole name only', () => {
  assert.equal(cookieValue('a=1; mwcloud-sid=x; b=2', 'mwcloud-sid'), 'x')
  assert.equal(cookieValue('mwcloud-sid=x=y', 'mwcloud-sid'), 'x=y')
  assert.equal(cookieValue(';; =;mwcloud-sid = x ', 'mwcloud-sid'), 'x')
  for (const header of [
    null,
    '',
    'mwcloud-sid',
    'xmwcloud-sid=1',
    'mwcloud-sid2=1',
    'MWCLOUD-SID=1',
    'a=mwcloud-sid=1'
  ])
    assert.equal(cookieValue(header, 'mwcloud-sid'), undefined, String(header))
})

test('loopback is this machine, and nothing that looks like it', () => {
  for (const address of ['127.0.0.1', '127.255.0.3', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(address), address)
  for (const address of ['', '12.7.0.0', '1127.0.0.1', '10.127.0.1', '::2', '::ffff:10.0.0.1', 'localhost', '0.0.0.0'])
    assert.ok(!isLoopback(address), address)
})

test('an accepted device with masks of its own is seen by who is in one of them, every other by the default', async () => {
  const hub = await startHub()
  try {
    const { store, gate } = hub.hub
    const [sn = ''] = register(hub, 1)
    store.database.transaction(() => {
      store.users.addGroup(8, 'Crew', 0, GROUP_CUSTOM)
      store.users.add(2 ** 30, 'carl', 8, '', false)
    })
    const session = (id: number) => gate.session(store.database.transaction(() => gate.open(id, '::1')).hash)
    const [admin, carl] = [session(1), session(2 ** 30)]
    assert.ok(admin && carl)
    const sees = (own: number, groups: number, users: number, state: number = REGISTRATION.accepted) => {
      store.database.run('UPDATE device SET is_inherit = ?, group_mask = ?, usr_mask = ?', 1 - own, groups, users)
      store.database.run('UPDATE device SET reg_state = ?', state)
      const row = store.devices.bySerial(sn)
      assert.ok(row)
      assert.ok(gate.seesDevice(admin, row), 'admins see everything')
      return gate.seesDevice(carl, row)
    }
    assert.ok(sees(1, 8, 0))
    assert.ok(sees(1, 0, 2 ** 30))
    assert.ok(!sees(1, 4, 2 ** 29))
    assert.ok(sees(0, 0, 0), 'the default shows everything to every group')
    assert.ok(sees(1, 0, 0, REGISTRATION.pending), 'a pending one always goes by the default')
    store.settings.set('device-security', { 'group-mask': 4, 'usr-mask': 0 })
    assert.ok(!sees(0, 8, 2 ** 30))
    assert.ok(!sees(1, 8, 2 ** 30, REGISTRATION.rejected))
    assert.ok(sees(1, 8, 0))
  } finally {
    await hub.close()
  }
})

test.run()
