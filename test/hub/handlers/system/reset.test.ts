// The reset of all settings, with the hub as a process on a data folder. The tests use one hub after the other: each
// reset leaves it as at its first start.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { getSession } from '../../../../contract/access/session.ts'
import { addUser, listUsers } from '../../../../contract/access/user.ts'
import {
  DATA_LOSS,
  INVALID_ARG,
  MISMATCH,
  NOT_LOGGED_IN,
  PORT_OCCUPIED,
  SUCCESS,
  TRY_AGAIN,
  UNSUPPORTED
} from '../../../../contract/codes.ts'
import { getLicense, uploadLicense } from '../../../../contract/license/calls.ts'
import { FREE_LIMITS, LICENSE_STATE } from '../../../../contract/license/license.ts'
import { RTMP_PORT, SRT_PORT } from '../../../../contract/limits.ts'
import { listLog } from '../../../../contract/log.ts'
import { getPower, resetSettings } from '../../../../contract/machine/power.ts'
import { getSettings, type Settings, setSettings } from '../../../../contract/settings.ts'
import { addChannel, enableChannel } from '../../../../contract/stream/channel.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../../../contract/system.ts'
import { openStore } from '../../../../hub/store/store.ts'
import { signStatement } from '../../../../license/statement.ts'
import { channelNames } from '../../../kit/hub/backup-folder.ts'
import { openFeed } from '../../../kit/hub/feed-listener.ts'
import { md5, newPassword, startHub } from '../../../kit/hub/hub.ts'
import { type HubProcess, startHubProcess } from '../../../kit/hub/hub-process.ts'
import { freeTcpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('reset')
let data: string
let hub: HubProcess

const REQUEST = { name: hostname(), pass: md5('Admin') }

const issuer = generateKeyPairSync('ed25519')

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-reset-'))
  writeFileSync(join(data, 'license-keys.pem'), issuer.publicKey.export({ type: 'spki', format: 'pem' }))
  hub = await startHubProcess(data)
})
test.after(async () => {
  await hub.kill()
  rmSync(data, { recursive: true, force: true })
})

/** A channel, a user, a name of the hub, a copy of the database, firmware, and files of the operator. */
async function fill(): Promise<void> {
  await hub.send(addChannel, { name: 'Chapel' })
  await hub.send(addUser, { name: 'carla', ...newPassword('Studio-1-two'), 'group-id': 2 })
  for (const settings of [
    { hosts: { names: ['hub.example.com'] } },
    { srt: { port: 18_000, 'pb-key-len': 16, passphrase: 'long enough' } },
    { rtmp: { port: 18_001 } }
  ] as Partial<Settings>[])
    assert.equal((await hub.send(setSettings, settings)).result, SUCCESS)
  for (const folder of ['copies', 'firmware', 'replaced-20200101T000000Z']) {
    mkdirSync(join(data, folder), { recursive: true })
    writeFileSync(join(data, folder, 'file'), 'secret')
  }
  writeFileSync(join(data, 'license-keys.pem.note'), 'unknown')
  mkdirSync(join(data, 'console'), { recursive: true })
  writeFileSync(join(data, 'console', 'file'), 'software')
}

/** Waits until the hub was started again, and signs in. */
async function waitForNewHub(): Promise<void> {
  await until(async () => {
    const response = await hub.send(getSession, {}).catch(() => undefined)
    return response?.result === NOT_LOGGED_IN
  }, 'the new hub')
  await hub.signIn()
}

test('after a reset the hub is as at its first start: all data is deleted, all sessions have ended, the log says who did it', async () => {
  await fill()
  const { 'start-time': start } = await hub.send(getPower, {})
  const key = readFileSync(join(data, 'device.key'), 'utf8')
  assert.equal((await hub.send(resetSettings, REQUEST)).result, SUCCESS)
  await waitForNewHub()
  assert.deepEqual(await channelNames(hub), [])
  assert.deepEqual(
    (await hub.send(listUsers, {})).users?.map(({ name }) => name),
    ['Admin']
  )
  const { settings } = await hub.send(getSettings, {})
  assert.deepEqual(settings.hosts?.names, [])
  assert.ok((await hub.send(getPower, {}))['start-time'] > start)
  const { list } = await hub.send(listLog, { type: 'system' })
  const [entry] = list.filter(({ event }) => event === 'settings-reset')
  assert.equal(entry?.text, 'All settings reset: Admin 127.0.0.1')
  assert.deepEqual(
    (await hub.send(listLog, { type: 'operation' })).list.map(({ event }) => event),
    ['/login']
  )
  assert.notEqual(readFileSync(join(data, 'device.key'), 'utf8'), key)
  const names = readdirSync(data)
  for (const name of names) assert.doesNotMatch(name, /^(replaced|restore|copies|firmware|license-keys\.pem\.note)/)
  assert.ok(existsSync(join(data, 'console', 'file')))
})

/** Adds a licence that is valid on this machine. @returns its serial number */
async function addLicense(): Promise<string> {
  const { machine } = await hub.send(getLicense, {})
  const sn = 'A1B2C3D4'
  const times = { issued: Date.now(), expires: 0, 'support-end': 0 }
  const statement = { title: 'Diocese', sn, machine, permissions: 1, limits: FREE_LIMITS, ...times }
  const form = new FormData()
  form.append('file', new File([JSON.stringify(signStatement(statement, issuer.privateKey))], 'hub.license'))
  const headers = { cookie: hub.cookie() }
  const response = await fetch(`${hub.url}/api${uploadLicense.path}`, { method: 'POST', headers, body: form })
  assert.equal(((await response.json()) as { result: number }).result, SUCCESS)
  return sn
}

/** What a reset keeps by choice. */
async function observeKept() {
  const { settings } = await hub.send(getSettings, {})
  const { 'license-reg': license } = await hub.send(getLicense, {})
  const hasCertificate = existsSync(join(data, 'tls', 'mine.pem'))
  const ports = [settings.srt?.port, settings.rtmp?.port]
  const hasPassphrase = settings.srt?.passphrase !== ''
  return { names: settings.hosts?.names, ports, hasPassphrase, hasCertificate, sn: license.sn, status: license.status }
}

test('network and licence are kept by choice, each without the other', async () => {
  await fill()
  mkdirSync(join(data, 'tls'), { recursive: true })
  writeFileSync(join(data, 'tls', 'mine.pem'), 'certificate')
  const sn = await addLicense()
  const license = { sn, status: LICENSE_STATE.valid }
  const network = { names: ['hub.example.com'], ports: [18_000, 18_001], hasPassphrase: false, hasCertificate: true }
  const noLicense = { sn: undefined, status: LICENSE_STATE.none }
  const noNetwork = { names: [], ports: [SRT_PORT, RTMP_PORT], hasPassphrase: false, hasCertificate: false }
  for (const [choice, expected] of [
    [
      { 'keep-network': true, 'keep-license': true },
      { ...network, ...license }
    ],
    [{ 'keep-license': true }, { ...noNetwork, ...license }]
  ] as const) {
    assert.equal((await hub.send(resetSettings, { ...REQUEST, ...choice })).result, SUCCESS)
    await waitForNewHub()
    assert.deepEqual(await observeKept(), expected)
    assert.deepEqual(await channelNames(hub), [])
  }
  await fill()
  assert.equal((await hub.send(resetSettings, { ...REQUEST, 'keep-network': true })).result, SUCCESS)
  await waitForNewHub()
  assert.deepEqual(await observeKept(), { ...network, hasCertificate: false, ...noLicense })
})

test('a reset needs the name of the hub and the password, and asks before running channels stop', async () => {
  const { id } = await hub.send(addChannel, { name: 'Chapel' })
  await hub.send(enableChannel, { id, enable: true })
  const { 'start-time': start } = await hub.send(getPower, {})
  const wrongName = await hub.send(resetSettings, { ...REQUEST, name: 'other', force: true })
  assert.deepEqual([wrongName.result, wrongName.field], [INVALID_ARG, 'name'])
  assert.equal((await hub.send(resetSettings, { ...REQUEST, pass: md5('guess'), force: true })).result, MISMATCH)
  const question = await hub.send(resetSettings, REQUEST)
  assert.deepEqual([question.result, question['owner-i']], [DATA_LOSS, ['Chapel']])
  const after = await hub.send(getPower, {})
  assert.deepEqual([after['start-time'], after.channels, after.busy], [start, ['Chapel'], undefined])
  assert.ok(!readdirSync(data).some((name) => name.startsWith('restore')))
})

test('open consoles see the flag of the reset; a hub that is killed then is reset at its next start', async () => {
  await fill()
  // While a console is open, the hub waits for a second before it restarts.
  const feed = await openFeed(Number(new URL(hub.url).port), { cookie: hub.cookie() })
  assert.equal((await hub.send(resetSettings, { ...REQUEST, force: true })).result, SUCCESS)
  const { status } = await hub.send(systemStatus, {})
  assert.equal(status.system.status['status-code'] & SYSTEM_STATUS_BITS.resetting, SYSTEM_STATUS_BITS.resetting)
  const { result } = await hub.send(addChannel, { name: 'Lost' })
  assert.equal(result, TRY_AGAIN)
  await hub.kill()
  feed.socket.terminate()
  hub = await startHubProcess(data)
  assert.deepEqual(await channelNames(hub), [])
  assert.ok(!readdirSync(data).some((name) => /^(replaced|restore|firmware)/.test(name)))
})

test('a reset that returns to a port of another program is refused, and one whose port is free opens it', async () => {
  await hub.kill()
  rmSync(data, { recursive: true })
  const [standard, chosen] = [await freeTcpPort(), await freeTcpPort()]
  const store = openStore(data)
  const ports = { http: { port: chosen, over: standard } }
  store.settings.set('web', { ...store.settings.get('web'), ports })
  store.close()
  hub = await startHubProcess(data, { web: standard, link: 0 })
  assert.equal(new URL(hub.url).port, String(chosen))
  const other = createServer().listen(standard, '127.0.0.1')
  await once(other, 'listening')
  const refused = await hub.send(resetSettings, REQUEST)
  assert.deepEqual([refused.result, refused.port, refused.holder?.of], [PORT_OCCUPIED, standard, 'program'])
  assert.match(refused.message ?? '', new RegExp(`${standard}`))
  assert.equal((await hub.send(getPower, {})).busy, undefined)
  other.close()
  assert.equal((await hub.send(resetSettings, REQUEST))['http-port'], standard)
  const isAnswering = () =>
    fetch(`http://127.0.0.1:${standard}/healthz`).then(
      () => true,
      () => false
    )
  await until(isAnswering, 'the hub answers at its standard port')
})

test('a hub that keeps its data in memory cannot be reset', async () => {
  const inMemory = await startHub()
  const admin = await inMemory.signIn()
  assert.equal((await admin.send(resetSettings, REQUEST)).result, UNSUPPORTED)
  await inMemory.close()
})

test.run()
