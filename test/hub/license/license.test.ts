import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import {
  CHANNEL_CONTROL,
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_VIEW,
  SYSTEM_CONFIG_VIEW
} from '../../../contract/access/permissions.ts'
import { LICENSE_LIMIT, SUCCESS, TIMEOUT } from '../../../contract/codes.ts'
import { acceptDevices, REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { activateLicense, deactivateLicense, getLicense } from '../../../contract/license/calls.ts'
import { FREE_LIMITS, LICENSE_PERMISSION, LICENSE_STATE, SERVER_AWAY_DAYS } from '../../../contract/license/license.ts'
import { addChannel, enableChannel } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import { Licenses, type SoldLicense } from '../../../license/server/licenses.ts'
import { createLicenseServer } from '../../../license/server/serve.ts'
import { signStatement } from '../../../license/statement.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const DAY = 24 * 60 * 60 * 1000
const HOUR = DAY / 24
const START = Date.parse('2026-11-22T12:00Z')
const MACHINE = 'a'.repeat(32)
const issuer = generateKeyPairSync('ed25519')
const LICENSE: SoldLicense = {
  title: 'Diocese',
  sn: 'A1B2C3D4',
  permissions: LICENSE_PERMISSION.file | LICENSE_PERMISSION.transfer,
  limits: { ...FREE_LIMITS, 'max-live-count': 2, 'max-dev-count': 1 },
  expires: START + 60 * DAY,
  'support-end': START + 20 * DAY,
  disabled: false,
  machine: ''
}

const test = suite('license')
/** The clocks of the hub and of the server. */
let now = START
let serverNow: number | undefined
let folder: string
let licenses: Licenses
let server: Server
let address: string
let hub: TestHub
let admin: Client
test.before.each(async () => {
  now = START
  serverNow = undefined
  folder = mkdtempSync(join(tmpdir(), 'license-'))
  licenses = new Licenses(join(folder, 'licenses.json'), () => serverNow ?? now)
  licenses.put(LICENSE)
  server = createLicenseServer(licenses, issuer.privateKey, () => serverNow ?? now)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
  server: address
})
const state = async () => (await admin.send(getLicense, {}))['license-reg']
const activate = async (sn = LICENSE.sn) => (await admin.send(activateLicense, { 'user-name': 'Diocese', sn })).result
/** Lets the hub check its licence, as it does every hour. */
async function checkLicense() {
  hub.parts.license.close()
  hub.parts.license.start()
  await until(() => !hub.parts.license.isAsking, 'the check has ended')
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
    permissions: LICENSE.permissions,
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
  const refused = await admin.send(acceptDevices, { sn: serials.slice(1) })
  const [detail] = refused.details
  assert.deepEqual([refused.result, detail?.of, detail?.max, detail?.used], [LICENSE_LIMIT, 'max-dev-count', 1, 1])
  assert.match(JSON.stringify(detail), /The license allows 1 devices, 1 are accepted/)
  const registered = (sn: string) => hub.parts.store.devices.bySerial(sn)?.reg_state
  const { accepted, pending } = REGISTRATION_STATE
  assert.deepEqual(serials.map(registered), [accepted, pending])
})

test('devices that are accepted already stay when the licence allows fewer', async () => {
  const serials = registerDevices(hub, 3)
  assert.equal((await admin.send(acceptDevices, { sn: serials })).result, SUCCESS)
  assert.equal(await activate(), SUCCESS)
  for (const sn of serials) assert.equal(hub.parts.store.devices.bySerial(sn)?.reg_state, REGISTRATION_STATE.accepted)
  const { 'cur-license': current } = await admin.send(getLicense, {})
  assert.deepEqual([current.used?.['max-dev-count'], current['max-dev-count']], [3, 1])
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
  assert.ok(channels.every((id) => hub.parts.store.channels.byId(id)?.enable))
  const { id } = await admin.send(addChannel, { name: 'One more' })
  const refused = await admin.send(enableChannel, { id, enable: true })
  assert.deepEqual([refused.result, refused.max], [LICENSE_LIMIT, FREE_LIMITS['max-live-count']])
})

test('a clock that is set back does not make a licence valid again', async () => {
  assert.equal(await activate(), SUCCESS)
  now += 61 * DAY
  await checkLicense()
  serverNow = now
  now = START
  assert.equal((await state()).status, LICENSE_STATE.expired)
  licenses.change(LICENSE.sn, { expires: 0 })
  assert.equal(await activate(), SUCCESS)
  assert.deepEqual([(await state()).status, (await state()).reason], [LICENSE_STATE.error, 'clock-set-back'])
  now = START + 60 * DAY + HOUR
  await checkLicense()
  assert.equal((await state()).status, LICENSE_STATE.valid, 'within a day of the latest time')
})

test('a clock that was years ahead once does not end a licence: the licence server corrects it', async () => {
  assert.equal(await activate(), SUCCESS)
  serverNow = START
  now = START + 9000 * DAY
  hub.parts.license.close()
  server.close()
  hub.parts.license.start()
  await until(() => !hub.parts.license.isAsking, 'the daily check has failed')
  now = START + HOUR
  assert.equal((await state()).status, LICENSE_STATE.expired)
  await new Promise<void>((resolve) => server.listen(Number(new URL(address).port), '127.0.0.1', resolve))
  assert.equal(await activate(), SUCCESS)
  assert.equal((await state()).status, LICENSE_STATE.valid)
})

test('a clock that was years ahead once does not end a licence from a file: a newer file corrects it', async () => {
  const { license } = hub.parts
  const sign = () => signStatement(licenses.statementOf(LICENSE, MACHINE), issuer.privateKey)
  const first = sign()
  assert.deepEqual(license.install(first), { state: LICENSE_STATE.valid })
  now = START + 9000 * DAY
  await checkLicense()
  now = START + HOUR
  assert.equal((await state()).status, LICENSE_STATE.expired)
  assert.equal(license.install(first).state, LICENSE_STATE.expired)
  assert.deepEqual(license.install(sign()), { state: LICENSE_STATE.valid })
  assert.equal((await state()).status, LICENSE_STATE.valid)
})

test('the raised limits of a licence end with it, without waiting for the next hour; the lowered ones stay', async () => {
  await hub.close()
  hub = await startHub({ license: { ...options(), now: Date.now } })
  const { store, license } = hub.parts
  license.start()
  const limits = { ...FREE_LIMITS, 'max-live-count': 100, 'max-channel-count': 5, 'max-dev-count': 1 }
  const ending = { ...LICENSE, limits, expires: Date.now() + 1500 }
  const statement = { ...licenses.statementOf(ending, MACHINE), issued: Date.now() - HOUR }
  assert.deepEqual(license.install(signStatement(statement, issuer.privateKey)), { state: LICENSE_STATE.valid })
  assert.equal(store.settings.get('license-limits')['max-live-count'], 100)
  await until(() => store.settings.get('license-limits')['max-live-count'] === FREE_LIMITS['max-live-count'], 'ended')
  assert.deepEqual(store.settings.get('license-limits'), { ...limits, 'max-live-count': FREE_LIMITS['max-live-count'] })
  license.store(undefined)
  assert.deepEqual(store.settings.get('license-limits'), FREE_LIMITS)
})

test('a licence that was copied to another machine is not valid there', async () => {
  assert.equal(await activate(), SUCCESS)
  const stored = hub.parts.store.settings.get('license')
  const other = await startHub({ license: { ...options(), machine: 'b'.repeat(32) } })
  try {
    other.parts.store.settings.set('license', stored)
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

test('a refused activation of the stored licence takes effect at once, that of another one changes nothing', async () => {
  assert.equal(await activate(), SUCCESS)
  licenses.change(LICENSE.sn, { disabled: true })
  assert.equal(await activate('AAAA'), LICENSE_STATE.notExist)
  const wrongTitle = await admin.send(activateLicense, { 'user-name': 'Parish', sn: LICENSE.sn })
  assert.notEqual(wrongTitle.result, SUCCESS)
  assert.equal((await state()).status, LICENSE_STATE.valid)
  assert.equal(await activate(), LICENSE_STATE.disabled)
  assert.equal((await state()).status, LICENSE_STATE.disabled)
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
  const { license } = hub.parts
  const sign = (machine: string, key = issuer.privateKey) => signStatement(licenses.statementOf(LICENSE, machine), key)
  assert.deepEqual(license.install(sign('b'.repeat(32))), { state: LICENSE_STATE.invalid, reason: 'copied' })
  const stranger = generateKeyPairSync('ed25519').privateKey
  assert.deepEqual(license.install(sign(MACHINE, stranger)), { state: LICENSE_STATE.caKeyError })
  assert.deepEqual(license.install({}), { state: LICENSE_STATE.invalid })
  assert.equal((await state()).status, LICENSE_STATE.none)
  assert.deepEqual(license.install(sign(MACHINE)), { state: LICENSE_STATE.valid })
  assert.deepEqual([(await state()).status, (await state()).checked], [LICENSE_STATE.valid, undefined])
})

test('a file that is older than the newest one is refused, also after the licence was removed', async () => {
  const { license } = hub.parts
  const sign = (more: object = {}) =>
    signStatement(licenses.statementOf({ ...LICENSE, ...more }, MACHINE), issuer.privateKey)
  const generous = sign({ limits: FREE_LIMITS })
  now += HOUR
  assert.deepEqual(license.install(sign()), { state: LICENSE_STATE.valid })
  assert.deepEqual(license.install(generous), { state: LICENSE_STATE.invalid, reason: 'older' })
  assert.equal((await admin.send(deactivateLicense, { 'user-name': 'Diocese' })).result, SUCCESS)
  assert.deepEqual(license.install(generous), { state: LICENSE_STATE.invalid, reason: 'older' })
})

test('permissions: a licence for the server only is refused as a file, and one machine keeps its licence', async () => {
  licenses.change(LICENSE.sn, { permissions: 0 })
  assert.throws(() => licenses.issue(LICENSE.sn, MACHINE), /may not be installed from a file/)
  assert.equal(await activate(), SUCCESS)
  const { signed } = hub.parts.store.settings.get('license') ?? {}
  assert.deepEqual(hub.parts.license.install(signed), { state: LICENSE_STATE.invalid, reason: 'server-only' })
  assert.equal((await admin.send(deactivateLicense, { 'user-name': 'Diocese' })).result, SUCCESS)
  assert.equal(licenses.all()[0]?.machine, MACHINE)
  licenses.change(LICENSE.sn, { permissions: LICENSE_PERMISSION.transfer })
  assert.equal(await activate(), SUCCESS)
  assert.equal((await admin.send(deactivateLicense, { 'user-name': 'Diocese' })).result, SUCCESS)
  assert.equal(licenses.all()[0]?.machine, '')
})

test('a licence that is not in force can be removed: disabled, without its server, or unreadable', async () => {
  const remove = async (title = 'Diocese') => (await admin.send(deactivateLicense, { 'user-name': title })).result
  assert.equal(await activate(), SUCCESS)
  licenses.change(LICENSE.sn, { disabled: true })
  now += DAY
  await checkLicense()
  assert.equal((await state()).status, LICENSE_STATE.disabled)
  assert.equal(await remove(), SUCCESS)
  assert.equal((await state()).status, LICENSE_STATE.none)

  licenses.change(LICENSE.sn, { disabled: false })
  assert.equal(await activate(), SUCCESS)
  server.close()
  assert.equal(await remove(), TIMEOUT, 'in force')
  now += (SERVER_AWAY_DAYS + 1) * DAY
  assert.equal((await state()).reason, 'server-away')
  assert.equal(await remove(), SUCCESS)

  const stranger = generateKeyPairSync('ed25519').privateKey
  hub.parts.license.store({ signed: signStatement(licenses.statementOf(LICENSE, MACHINE), stranger) })
  assert.equal((await state()).status, LICENSE_STATE.caKeyError)
  assert.equal(await remove('Diocese'), LICENSE_STATE.notExist)
  assert.equal(await remove(''), SUCCESS)
  assert.equal((await state()).status, LICENSE_STATE.none)
  assert.equal(await remove(''), LICENSE_STATE.notExist)
})

test('users get the usage of the limits that they may exhaust', async () => {
  registerDevices(hub, 1)
  const used = async (rights: number) =>
    Object.keys(
      (await addSignedInUser(hub, `user${rights}`, rights).send(systemStatus, {})).status['cur-license']?.used ?? {}
    )
  const [all, devices] = [Object.keys(FREE_LIMITS), ['max-dev-count']]
  const channels = all.filter((name) => !devices.includes(name))
  assert.deepEqual((await used(SYSTEM_CONFIG_VIEW)).toSorted(), all.toSorted())
  assert.deepEqual((await used(CHANNEL_VIEW | CHANNEL_CONTROL)).toSorted(), channels.toSorted())
  assert.deepEqual(await used(DEVICE_VIEW | DEVICE_ADV_CONTROL), devices)
  assert.deepEqual(await used(CHANNEL_VIEW | DEVICE_VIEW), [])
})

test.run()
