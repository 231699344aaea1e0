import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { LICENSE_LIMIT, SUCCESS, TIMEOUT } from '../../../contract/codes.ts'
import { acceptDevices } from '../../../contract/device/device.ts'
import { activateLicense, deactivateLicense, getLicense } from '../../../contract/license/calls.ts'
import { FREE_LIMITS, LICENSE_STATE, SERVER_AWAY_DAYS } from '../../../contract/license/license.ts'
import { addChannel, enableChannel } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import { Licenses, type SoldLicense } from '../../../license/server/licenses.ts'
import { createLicenseServer } from '../../../license/server/serve.ts'
import { signStatement } from '../../../license/statement.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'

const DAY = 24 * 60 * 60 * 1000
const HOUR = DAY / 24
const START = Date.parse('2026-11-22T12:00Z')
const MACHINE = 'a'.repeat(32)
const issuer = generateKeyPairSync('ed25519')
const LICENSE: SoldLicense = {
  title: 'Diocese',
  sn: 'A1B2C3D4',
  permissions: 0,
  limits: { ...FREE_LIMITS, 'max-live-count': 2, 'max-dev-count': 1 },
  expires: START + 60 * DAY,
  'support-end': START + 20 * DAY,
  disabled: false,
  machine: ''
}

const test = suite('license')
let now = START
let folder: string
let licenses: Licenses
let server: Server
let hub: TestHub
let admin: Client
test.before.each(async () => {
  now = START
  folder = mkdtempSync(join(tmpdir(), 'license-'))
  licenses = new Licenses(join(folder, 'licenses.json'), () => now)
  licenses.put(LICENSE)
  server = createLicenseServer(licenses, issuer.privateKey, () => now)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  hub = await startHub({ license: options() })
  admin = hub.clientAs()
})
test.after.each(async () => {
  await hub.close()
  server.close()
  rmSync(folder, { recursive: true })
})

const options = () => ({
  trusted: [issuer.publicKey],
  machine: MACHINE,
  now: () => now,
  server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
const state = async () => (await admin.send(getLicense, {}))['license-reg']
const activate = async (sn = LICENSE.sn) => (await admin.send(activateLicense, { 'user-name': 'Diocese', sn })).result
/** Lets the hub check its licence, as it does every hour. */
async function checkLicense() {
  hub.context.license.close()
  hub.context.license.start()
  await new Promise((resolve) => setTimeout(resolve, 200))
}

test('a hub without a licence has the built-in limits', async () => {
  const { 'license-reg': registration, 'cur-license': current, machine, online } = await admin.send(getLicense, {})
  assert.deepEqual(registration, { status: LICENSE_STATE.none })
  const { used, ...limits } = current
  assert.deepEqual(limits, FREE_LIMITS)
  assert.deepEqual(used, { ...FREE_LIMITS, ...Object.fromEntries(Object.keys(FREE_LIMITS).map((name) => [name, 0])) })
  assert.deepEqual([machine, online], [MACHINE, true])
})

test('an activated licence is shown as it is, and its limits are in force', async () => {
  assert.equal(await activate(), SUCCESS)
  const { status } = await admin.send(systemStatus, {})
  assert.deepEqual(status['license-reg'], {
    status: LICENSE_STATE.valid,
    'user-name': 'Diocese',
    sn: LICENSE.sn,
    license: LICENSE.limits,
    permissions: 0,
    machine: MACHINE,
    issued: START,
    checked: START
  })
  const { used, ...current } = status['cur-license'] ?? {}
  assert.equal(used?.['max-dev-count'], 0)
  assert.deepEqual(current, {
    ...LICENSE.limits,
    'expired-time': LICENSE.expires,
    'support-end': LICENSE['support-end']
  })
})

test('devices over the limit wait, and none is turned away', async () => {
  const serials = registerDevices(hub, 2)
  assert.equal(await activate(), SUCCESS)
  const { details } = await admin.send(acceptDevices, { sn: serials })
  assert.deepEqual(
    details.map(({ result }) => result),
    [SUCCESS, LICENSE_LIMIT]
  )
})

test('an expired licence stops no channel, but allows no more than the built-in limits', async () => {
  licenses.put({ ...LICENSE, limits: { ...FREE_LIMITS, 'max-live-count': 100, 'max-channel-count': 1000 } })
  assert.equal(await activate(), SUCCESS)
  const channels: number[] = []
  for (let number = 0; number <= FREE_LIMITS['max-live-count']; number++) {
    const { id } = await admin.send(addChannel, { name: `Channel ${number}` })
    assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
    channels.push(id)
  }
  now += 61 * DAY
  await checkLicense()
  assert.equal((await state()).status, LICENSE_STATE.expired)
  assert.ok(channels.every((id) => hub.context.store.channels.byId(id)?.enable))
  const { id } = await admin.send(addChannel, { name: 'One more' })
  const refused = await admin.send(enableChannel, { id, enable: true })
  assert.deepEqual([refused.result, refused.max], [LICENSE_LIMIT, FREE_LIMITS['max-live-count']])
})

test('a clock that is set back does not make a licence valid again', async () => {
  assert.equal(await activate(), SUCCESS)
  now += 61 * DAY
  await checkLicense()
  now = START
  assert.equal((await state()).status, LICENSE_STATE.expired)
  licenses.change(LICENSE.sn, { expires: 0 })
  assert.equal(await activate(), SUCCESS)
  assert.deepEqual([(await state()).status, (await state()).reason], [LICENSE_STATE.error, 'clock-set-back'])
  now = START + 60 * DAY + HOUR
  assert.equal(await activate(), SUCCESS)
  assert.equal((await state()).status, LICENSE_STATE.valid, 'within a day of the latest time')
})

test('a licence that was copied to another machine is not valid there', async () => {
  assert.equal(await activate(), SUCCESS)
  const stored = hub.context.store.settings.get('license')
  const other = await startHub({ license: { ...options(), machine: 'b'.repeat(32) } })
  try {
    other.context.store.settings.set('license', stored)
    const { 'license-reg': registration } = await other.clientAs().send(getLicense, {})
    assert.deepEqual([registration.status, registration.reason], [LICENSE_STATE.invalid, 'copied'])
    const occupied = await other.clientAs().send(activateLicense, { 'user-name': 'Diocese', sn: LICENSE.sn })
    assert.equal(occupied.result, LICENSE_STATE.occupied)
    assert.match(occupied.message ?? '', /activated by another user/)
  } finally {
    await other.close()
  }
})

test('a licence stays in force for 30 days without its server', async () => {
  licenses.change(LICENSE.sn, { expires: 0 })
  assert.equal(await activate(), SUCCESS)
  server.close()
  now += SERVER_AWAY_DAYS * DAY
  await checkLicense()
  assert.equal((await state()).status, LICENSE_STATE.valid)
  now += HOUR
  assert.deepEqual([(await state()).status, (await state()).reason], [LICENSE_STATE.error, 'server-away'])
  assert.equal(await activate(), TIMEOUT)
})

test('the hub learns within a day that its licence was disabled', async () => {
  assert.equal(await activate(), SUCCESS)
  licenses.change(LICENSE.sn, { disabled: true })
  now += HOUR
  await checkLicense()
  assert.equal((await state()).status, LICENSE_STATE.valid)
  now += DAY
  await checkLicense()
  assert.equal((await state()).status, LICENSE_STATE.disabled)
})

test('a server that lies changes nothing', async () => {
  const stranger = generateKeyPairSync('ed25519')
  const lies = createLicenseServer(licenses, stranger.privateKey, () => now)
  await new Promise<void>((resolve) => lies.listen(0, '127.0.0.1', resolve))
  const deceived = await startHub({
    license: { ...options(), server: `http://127.0.0.1:${(lies.address() as AddressInfo).port}` }
  })
  try {
    const client = deceived.clientAs()
    const { result } = await client.send(activateLicense, { 'user-name': 'Diocese', sn: LICENSE.sn })
    assert.equal(result, TIMEOUT)
    assert.equal((await client.send(getLicense, {}))['license-reg'].status, LICENSE_STATE.none)
  } finally {
    await deceived.close()
    lies.close()
  }
})

test('unknown serial numbers and titles are refused; a licence that was given back is free', async () => {
  assert.equal(await activate('FFFF'), LICENSE_STATE.notExist)
  assert.equal(await activate(), SUCCESS)
  assert.equal((await admin.send(deactivateLicense, { 'user-name': 'Someone' })).result, LICENSE_STATE.notExist)
  assert.equal((await admin.send(deactivateLicense, { 'user-name': 'Diocese' })).result, SUCCESS)
  assert.equal((await state()).status, LICENSE_STATE.none)
  assert.equal(licenses.all()[0]?.machine, '')
})

test('a licence file is accepted without a server, for its machine only', async () => {
  const { license } = hub.context
  const sign = (machine: string, key = issuer.privateKey) => signStatement(licenses.statementOf(LICENSE, machine), key)
  assert.equal(license.install(sign('b'.repeat(32))), LICENSE_STATE.invalid)
  assert.equal(license.install(sign(MACHINE, generateKeyPairSync('ed25519').privateKey)), LICENSE_STATE.caKeyError)
  assert.equal(license.install({}), LICENSE_STATE.invalid)
  assert.equal((await state()).status, LICENSE_STATE.none)
  assert.equal(license.install(sign(MACHINE)), LICENSE_STATE.valid)
  assert.deepEqual([(await state()).status, (await state()).checked], [LICENSE_STATE.valid, undefined])
})

test.run()
