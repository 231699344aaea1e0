// Limits for devices that nobody has approved: guessing of the invitation code, the rate of registrations, and the
// number of pending devices.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import { setSettings } from '../../../contract/settings.ts'
import {
  GUESSES_MAX,
  GUESSES_PER_NETWORK,
  KNOWN_NETWORK_INTERVAL,
  REGISTRATION_BURST,
  REGISTRATIONS_PER_SECOND
} from '../../../device-link/registration-limits.ts'
import { DISPLACED_AT_ONCE, PENDING_MAX, PENDING_PER_NETWORK } from '../../../hub/devices/pending-devices.ts'
import { Registry } from '../../../hub/devices/registry.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { helloHeader, openLink } from '../../kit/fleet/link-device.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'

const test = suite('registrations')

const PENDING = { state: REGISTRATION_STATE.pending }
const WRONG = { refuse: REFUSAL_STATE.wrongCode }
const LATER = { retryAfter: 30 }
const CODE = '7301'
const HOUR = 3_600_000

let store: Store
let displaced: string[]
let time: number
test.before.each(() => {
  store = openStore(':memory:')
  displaced = []
  time = 0
})
test.after.each(() => store.close())

function create(): Registry {
  const registry = new Registry(store, Date.now, () => time)
  registry.displaced.on((sn) => displaced.push(sn))
  return registry
}

const requireCode = (code = CODE) => store.settings.set('security', { 'enable-code': true, 'code-value': code })
const systemLog = () =>
  store.logs.list({ type: 'system' }, 0, 100).list.map(({ event, detail }) => `${event} ${detail}`)

/** Stores pending devices, oldest first, that are all offline. @returns their serial numbers */
function addPending(count: number, address: (n: number) => string, prefix = 'X'): string[] {
  return store.database.transaction(() =>
    Array.from({ length: count }, (_, n) => {
      const hello = helloOf(n, { sn: `${prefix}${n}` })
      store.devices.add(hello, 'x', REGISTRATION_STATE.pending, address(n), n)
      return hello.sn
    })
  )
}

test('a network that has sent five different wrong codes is blocked for an hour, also with the right code', () => {
  requireCode()
  const registry = create()
  const guess = (n: number, code: string, address = '192.0.2.9') => registry.register(helloOf(n, { code }), address)
  for (let n = 0; n < GUESSES_PER_NETWORK; n++) assert.deepEqual(guess(n, `000${n}`), WRONG)
  assert.deepEqual(guess(90, CODE), LATER)
  assert.deepEqual(guess(91, '0001'), LATER)
  assert.deepEqual(systemLog(), ['code-guessing 192.0.2.9'])
  assert.deepEqual(guess(92, CODE, '192.0.2.10'), PENDING, 'another address')
  time = HOUR - 1
  assert.deepEqual(guess(90, CODE), LATER)
  time = HOUR
  assert.deepEqual(guess(90, CODE), PENDING)
})

test('a network with accepted devices that has sent wrong codes registers further devices, and guesses slowly', () => {
  const registry = create()
  for (let n = 0; n < 20; n++) {
    registry.register(helloOf(n), '192.0.2.9')
    store.devices.setRegistrationState(helloOf(n).sn, REGISTRATION_STATE.accepted)
  }
  requireCode()
  const guess = (n: number, code: string) => registry.register(helloOf(n, { code }), '192.0.2.9')
  for (let n = 0; n < GUESSES_PER_NETWORK; n++) assert.deepEqual(guess(100 + n, `000${n}`), WRONG)
  assert.deepEqual(guess(200, CODE), PENDING)
  assert.deepEqual(registry.register(helloOf(3), '192.0.2.9'), { state: REGISTRATION_STATE.accepted })
  let checked = 0
  for (const end = HOUR; time < end; time += 1000) if ('refuse' in guess(300, String(1000 + (time % 8000)))) checked++
  assert.equal(checked, HOUR / KNOWN_NETWORK_INTERVAL - 1)
})

test('a wrong code that is repeated counts once, and a missing or malformed one not at all', () => {
  requireCode()
  const registry = create()
  for (let n = 0; n < 100; n++) {
    assert.deepEqual(registry.register(helloOf(1, { code: '1234' }), '192.0.2.9'), WRONG)
    assert.deepEqual(registry.register(helloOf(2), '192.0.2.9'), WRONG)
    assert.deepEqual(registry.register(helloOf(3, { code: `guess ${n}` }), '192.0.2.9'), WRONG)
  }
  assert.deepEqual(registry.register(helloOf(4, { code: CODE }), '192.0.2.9'), PENDING)
})

test('after a hundred wrong codes of all networks only those with accepted devices register new ones', () => {
  const registry = create()
  registry.register(helloOf(1), '198.51.100.1')
  store.devices.setRegistrationState(helloOf(1).sn, REGISTRATION_STATE.accepted)
  requireCode()
  for (let n = 0; n < GUESSES_MAX; n++)
    assert.deepEqual(registry.register(helloOf(100 + n, { code: String(1000 + n) }), `10.0.0.${n}`), WRONG)
  assert.deepEqual(registry.register(helloOf(300, { code: CODE }), '10.9.9.9'), LATER)
  assert.deepEqual(registry.register(helloOf(301, { code: CODE }), '198.51.100.1'), PENDING)
  assert.deepEqual(registry.register(helloOf(1), '10.0.0.1'), { state: REGISTRATION_STATE.accepted })
  assert.deepEqual(systemLog(), [`code-guessing-everywhere 10.0.0.${GUESSES_MAX - 1}`])
})

test('addresses of one IPv6 network are one network, and a new code resets the counters', () => {
  requireCode()
  const registry = create()
  for (let n = 0; n < GUESSES_PER_NETWORK; n++)
    registry.register(helloOf(n, { code: `000${n}` }), `2001:db8:0:1::${n + 1}`)
  assert.deepEqual(registry.register(helloOf(90, { code: CODE }), '2001:db8:0:1:9::9'), LATER)
  assert.deepEqual(registry.register(helloOf(91, { code: CODE }), '2001:db8:0:2::1'), PENDING)
  requireCode('9999')
  assert.deepEqual(registry.register(helloOf(92, { code: '9999' }), '2001:db8:0:1::1'), PENDING)
})

test('one network registers new devices at a limited rate; known devices and other networks are not affected', () => {
  const registry = create()
  for (let n = 0; n < REGISTRATION_BURST; n++) assert.deepEqual(registry.register(helloOf(n), '192.0.2.9'), PENDING)
  for (let n = 0; n < 200; n++) assert.deepEqual(registry.register(helloOf(5000 + n), '192.0.2.9'), LATER)
  assert.deepEqual(systemLog(), ['registrations-limited 192.0.2.9'])
  assert.deepEqual(registry.register(helloOf(3), '192.0.2.9'), PENDING)
  assert.deepEqual(registry.register(helloOf(6000), '192.0.2.10'), PENDING)
  time += 1000
  const results = Array.from({ length: 100 }, (_, n) => registry.register(helloOf(7000 + n), '192.0.2.9'))
  assert.equal(results.filter((result) => 'state' in result).length, REGISTRATIONS_PER_SECOND)
})

test('when one network has too many pending devices, its own oldest give way, offline ones first', () => {
  const registry = create()
  addPending(PENDING_PER_NETWORK, () => '192.0.2.9')
  addPending(2, () => '198.51.100.1', 'Y')
  registry.setOnline('X0')
  store.devices.setRegistrationState('X1', REGISTRATION_STATE.accepted)
  store.devices.setRegistrationState('X2', REGISTRATION_STATE.rejected)
  for (const n of [1, 2, 3]) assert.deepEqual(registry.register(helloOf(n), '192.0.2.9'), PENDING)
  const expected = Array.from({ length: DISPLACED_AT_ONCE }, (_, n) => `X${n + 3}`)
  assert.deepEqual(displaced, expected, 'two places were free')
  assert.equal(store.devices.bySerial('X3'), undefined)
  for (const sn of ['X0', 'X1', 'X2', 'Y0', helloOf(3).sn]) assert.ok(store.devices.bySerial(sn), sn)
  assert.deepEqual(systemLog(), ['pending-displaced 192.0.2.9'])
})

test('when all pending devices of a network are online, the oldest one gives way', () => {
  const registry = create()
  for (const sn of addPending(PENDING_PER_NETWORK, () => '192.0.2.9')) registry.setOnline(sn)
  assert.deepEqual(registry.register(helloOf(1), '192.0.2.9'), PENDING)
  assert.deepEqual(displaced, ['X0'])
  assert.equal(registry.isOnline('X0'), false)
})

test('when the list of pending devices is full, the network with the most gives way, so no other is kept out', () => {
  const registry = create()
  addPending(PENDING_PER_NETWORK - 1, () => '192.0.2.9')
  const spread = addPending(PENDING_MAX - PENDING_PER_NETWORK + 1, (n) => `10.0.${n >> 8}.${n & 255}`, 'Y')
  assert.deepEqual(registry.register(helloOf(1), '198.51.100.7'), PENDING)
  assert.deepEqual([displaced.length, displaced[0]], [DISPLACED_AT_ONCE, 'X0'])
  assert.ok(spread.every((sn) => store.devices.bySerial(sn)))
  assert.equal(store.devices.countByState(REGISTRATION_STATE.pending), PENDING_MAX - DISPLACED_AT_ONCE + 1)
})

test('a device that has to ask again is registering, which is another state than refused', async () => {
  const hub = await startHub()
  try {
    const { linkPort } = await hub.listen(0, 0)
    await hub.clientAs().send(setSettings, { security: { 'enable-code': true, 'code-value': CODE } })
    const register = async (n: number) => {
      const reply = await openLink(linkPort, { header: helloHeader(helloOf(n, { code: `000${n}` })) })
      assert.ok('status' in reply)
      return [reply.status, JSON.parse(reply.body)]
    }
    for (let n = 0; n < GUESSES_PER_NETWORK; n++)
      assert.deepEqual(await register(n), [403, { state: REFUSAL_STATE.wrongCode }])
    assert.deepEqual(await register(9), [503, { state: REGISTRATION_STATE.registering }])
  } finally {
    await hub.close()
  }
})

/** Registers over the network. @returns the HTTP status of the response */
async function registerOver(port: number, hello: object): Promise<number> {
  const reply = await openLink(port, { header: helloHeader(hello) })
  if ('status' in reply) return reply.status
  reply.socket.destroy()
  return 101
}

test('over the network 300 guesses get five answers, and 1,000 registrations add as many devices as the rate allows', async () => {
  const hub = await startHub()
  try {
    const { linkPort } = await hub.listen(0, 0)
    await hub.clientAs().send(setSettings, { security: { 'enable-code': true, 'code-value': CODE } })
    const answers: number[] = []
    for (let n = 0; n < 300; n++)
      answers.push(await registerOver(linkPort, helloOf(n, { code: String(n).padStart(4, '0') })))
    assert.equal(answers.filter((status) => status === 403).length, GUESSES_PER_NETWORK)
    assert.equal(answers.filter((status) => status === 503).length, 300 - GUESSES_PER_NETWORK)
    await hub.clientAs().send(setSettings, { security: { 'enable-code': false } })
    const startedAt = performance.now()
    for (let n = 0; n < 1000; n++) await registerOver(linkPort, helloOf(n))
    const added = hub.parts.store.devices.all().length
    const seconds = (performance.now() - startedAt) / 1000
    assert.ok(
      added >= REGISTRATION_BURST && added <= REGISTRATION_BURST + REGISTRATIONS_PER_SECOND * seconds + 1,
      String(added)
    )
  } finally {
    await hub.close()
  }
})

test.run()
