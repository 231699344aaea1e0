// A hub that registers with a cloud: the real hub, and the real cloud on SQLite.
import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { exportConfiguration } from '../../../contract/backup/export.ts'
import { acceptHubs, deleteHubs, getInvitation, listHubs, rejectHubs } from '../../../contract/cloud/calls.ts'
import {
  type CloudSettingsRequest,
  getCloudRegistration,
  setCloudRegistration
} from '../../../contract/cloud-registration.ts'
import { INVALID_ARG, INVALID_DATA, SUCCESS } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import { listLog } from '../../../contract/log.ts'
import { systemStatus } from '../../../contract/system.ts'
import { type CloudClient, startCloud, type TestCloud } from '../../kit/cloud/cloud.ts'
import { helloOf, startFakeHub } from '../../kit/cloud/fake-hub.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { startHubProcess } from '../../kit/hub/hub-process.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('registration with a cloud')

const { registering, accepted, rejected, pending, deleted } = REGISTRATION_STATE
const { exists, wrongCode } = REFUSAL_STATE
const HOST = '127.0.0.1'
const WRONG = 'headend:AAAA-BBBB-CCCC'

interface Fixture {
  cloud: TestCloud
  user: CloudClient
  port: number
  invitation: string
  hub: TestHub
  admin: Client
}

async function withBoth(run: (fixture: Fixture) => Promise<void>): Promise<void> {
  const cloud = await startCloud()
  const hub = await startHub()
  try {
    const { linkPort: port } = await cloud.listen(0, 0)
    const user = await cloud.signIn()
    const { invitation } = await user.send(getInvitation, {})
    await run({ cloud, user, port, invitation, hub, admin: hub.clientAs() })
  } finally {
    await hub.close()
    await cloud.close()
  }
}

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-cloud-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function set(admin: Client, request: Partial<CloudSettingsRequest>): Promise<void> {
  const { result } = await admin.send(setCloudRegistration, { enable: true, host: HOST, ...request })
  assert.equal(result, SUCCESS)
}

const registrationOf = async (admin: Client) => (await admin.send(getCloudRegistration, {})).registration

const untilState = (admin: Client, state: number) =>
  until(async () => (await registrationOf(admin))?.state === state, `state ${state}`)

const untilOnline = (admin: Client, isOnline = true) =>
  until(async () => (await registrationOf(admin))?.online === isOnline, `online: ${isOnline}`)

const onlineStatus = async (admin: Client) => (await admin.send(systemStatus, {})).status.system.cloud

const listed = async (user: CloudClient) => {
  const { list } = await user.send(listHubs, {})
  return list.map(({ sn, state, online }) => ({ sn, state, online }))
}

test('a hub has no cloud until one is set', () =>
  withBoth(async ({ admin }) => {
    const { result: _, ...registration } = await admin.send(getCloudRegistration, {})
    assert.deepEqual(registration, {
      settings: { enable: false, host: '', port: 8070, organisation: '', role: 'view' },
      'has-invitation': false
    })
    assert.equal(await onlineStatus(admin), undefined)
  }))

test('a hub registers as pending, is accepted, rejected and deleted', () =>
  withBoth(async ({ user, port, invitation, admin }) => {
    await set(admin, { port, invitation, role: 'operate' })
    await untilState(admin, pending)
    const { sn = '', settings, registration } = await admin.send(getCloudRegistration, {})
    assert.match(sn, /^HUB-[0-9A-F]{12}$/)
    assert.deepEqual(
      [registration?.text, settings.role, settings.organisation, registration?.fault],
      ['Waiting until a user of the cloud accepts this hub', 'operate', 'headend', undefined]
    )
    assert.ok((registration?.['age-s'] ?? -1) >= 0)
    assert.deepEqual(await onlineStatus(admin), { online: false })
    await until(async () => (await listed(user))[0]?.online === true, 'the cloud has the link')
    await user.send(acceptHubs, { sn: [sn] })
    await untilOnline(admin)
    assert.deepEqual(await onlineStatus(admin), { online: true })
    await user.send(rejectHubs, { sn: [sn] })
    await untilState(admin, rejected)
    await untilOnline(admin, false)
    // The settings again, so that the hub asks at once.
    await set(admin, { port })
    await untilState(admin, rejected)
    await user.send(acceptHubs, { sn: [sn] })
    await set(admin, { port })
    await untilOnline(admin)
    await user.send(deleteHubs, { sn: [sn] })
    await untilState(admin, deleted)
    await set(admin, { port })
    await untilState(admin, pending)
    const { list } = await admin.send(listLog, { type: 'system' })
    assert.ok(list.some(({ text }) => text === `Registration with the cloud ${HOST}: Accepted`))
  }))

test('a wrong invitation is said, and corrected by another one', () =>
  withBoth(async ({ port, invitation, admin }) => {
    await set(admin, { port, invitation: WRONG })
    await untilState(admin, wrongCode)
    await set(admin, { port, invitation })
    await untilState(admin, pending)
  }))

test('the link is closed at once when it is switched off, and the same hub is back when it is switched on', () =>
  withBoth(async ({ user, port, invitation, admin }) => {
    await set(admin, { port, invitation })
    await untilState(admin, pending)
    const { sn = '' } = await admin.send(getCloudRegistration, {})
    await user.send(acceptHubs, { sn: [sn] })
    await untilOnline(admin)
    await set(admin, { enable: false, port })
    const off = await admin.send(getCloudRegistration, {})
    assert.deepEqual([off.registration, off['has-invitation']], [undefined, true])
    await until(async () => (await listed(user))[0]?.online === false, 'the cloud has lost the link')
    await set(admin, { port })
    await untilOnline(admin)
  }))

test('a hub that leaves the cloud forgets its key, and keeps its serial number', () =>
  withBoth(async ({ user, port, invitation, hub, admin }) => {
    await set(admin, { port, invitation })
    await untilState(admin, pending)
    const { sn = '' } = await admin.send(getCloudRegistration, {})
    const key = hub.parts.cloudLink.settings.secrets()?.key
    await set(admin, { enable: false, host: '' })
    assert.equal(hub.parts.cloudLink.settings.secrets(), undefined)
    assert.equal((await admin.send(getCloudRegistration, {}))['has-invitation'], false)
    const again = await admin.send(setCloudRegistration, { enable: true, host: HOST, port })
    assert.deepEqual([again.result, again.field], [INVALID_ARG, 'invitation'])
    await set(admin, { port, invitation })
    // The cloud knows the serial number with the former key.
    await untilState(admin, exists)
    assert.notEqual(hub.parts.cloudLink.settings.secrets()?.key, key)
    await user.send(deleteHubs, { sn: [sn] })
    await set(admin, { port })
    await untilState(admin, pending)
    assert.equal((await listed(user))[0]?.sn, sn)
  }))

test('another cloud gets another key of the hub, and the invitation of the former one is not sent to it', () =>
  withBoth(async ({ port, invitation, hub, admin }) => {
    const { settings } = hub.parts.cloudLink
    const keyOf = () => settings.secrets()?.key
    await set(admin, { enable: false, port, invitation })
    const key = keyOf()
    await set(admin, { enable: false, port, invitation: WRONG })
    assert.equal(keyOf(), key)
    for (const other of [{ host: 'other.example' }, { port: port - 1 }])
      assert.equal(
        (await admin.send(setCloudRegistration, { enable: true, host: HOST, port, ...other })).field,
        'invitation'
      )
    const keys = new Set([key])
    for (const other of [{ host: 'other.example' }, { port: port - 1 }, { invitation: 'other:AAAA' }]) {
      await set(admin, { enable: false, port, invitation, ...other })
      keys.add(keyOf())
    }
    assert.equal(keys.size, 4)
  }))

test('a hub with the serial number of another one is refused', () =>
  withBoth(async ({ user, port, invitation, hub, admin }) => {
    const { database, settings } = hub.parts.store
    database.transaction(() => settings.set('cloud-serial', 'HUB-STOLEN'))
    const owner = startFakeHub(port, () => helloOf(invitation, 'HUB-STOLEN'))
    try {
      await until(async () => (await listed(user))[0]?.online === true, 'the owner is connected')
      await set(admin, { port, invitation })
      await untilState(admin, exists)
      assert.deepEqual(await listed(user), [{ sn: 'HUB-STOLEN', state: pending, online: true }])
    } finally {
      owner.stop()
    }
  }))

test('the reason why the cloud cannot be reached is said', () =>
  withBoth(async ({ invitation, admin }) => {
    const other = createServer((_request, response) => response.writeHead(404).end('{}'))
    await new Promise<void>((resolve) => other.listen(0, HOST, resolve))
    const { lookup } = dns
    const faultAt = async (request: Partial<CloudSettingsRequest>) => {
      await set(admin, { invitation, ...request })
      await until(async () => (await registrationOf(admin))?.fault !== undefined, 'a fault')
      const { fault, state, reason = '' } = (await registrationOf(admin)) ?? {}
      assert.equal(state, registering)
      assert.match(reason, /\. (Check|Choose) /)
      return fault
    }
    try {
      assert.equal(await faultAt({ port: (other.address() as AddressInfo).port }), 'no-cloud')
      assert.equal(await faultAt({ port: await freeTcpPort() }), 'refused')
      dns.lookup = (async (name: string) => {
        if (name === 'cloud.invalid') throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
        return [{ address: '169.254.169.254', family: 4 }]
      }) as never
      syncBuiltinESMExports()
      assert.equal(await faultAt({ host: 'cloud.invalid' }), 'name')
      assert.equal(await faultAt({ host: 'metadata.example' }), 'forbidden-address')
    } finally {
      dns.lookup = lookup
      syncBuiltinESMExports()
      other.close()
    }
  }))

test('addresses that the policy forbids, and invalid settings, are refused and change nothing', () =>
  withBoth(async ({ port, invitation, admin }) => {
    for (const request of [
      { host: '169.254.169.254' },
      { host: '[::ffff:169.254.169.254]' },
      { host: '0xa9fea9fe' },
      { host: '' },
      { host: 'a b' },
      { port: 0 },
      { invitation: 'no invitation' },
      { invitation: 'Headend:AAAA' },
      { role: 'root' }
    ]) {
      const body = { enable: true, host: HOST, port, invitation, ...request } as CloudSettingsRequest
      const { result } = await admin.send(setCloudRegistration, body)
      assert.ok([INVALID_ARG, INVALID_DATA].includes(result), JSON.stringify(request))
    }
    assert.equal((await admin.send(getCloudRegistration, {})).settings.host, '')
  }))

test('a hub connects again after the cloud was away, and after its own restart with the same key', () =>
  withFolder(async (folder) => {
    let cloud = await startCloud({ data: folder })
    const { linkPort: port } = await cloud.listen(0, 0)
    const user = await cloud.signIn()
    const { invitation } = await user.send(getInvitation, {})
    let hub = await startHub({ data: join(folder, 'hub') })
    try {
      const admin = hub.clientAs()
      await set(admin, { port, invitation })
      await untilState(admin, pending)
      const { sn = '' } = await admin.send(getCloudRegistration, {})
      await user.send(acceptHubs, { sn: [sn] })
      await untilOnline(admin)
      await cloud.close()
      await until(async () => (await registrationOf(admin))?.fault === 'refused', 'the cloud is away')
      assert.deepEqual(await onlineStatus(admin), { online: false })
      cloud = await startCloud({ data: folder })
      await cloud.listen(0, port)
      await untilOnline(admin)
      assert.equal((await registrationOf(admin))?.fault, undefined)
      const { list } = await admin.send(listLog, { type: 'system' })
      const events = list.map(({ event }) => event).filter((event) => event.startsWith('cloud-'))
      assert.deepEqual(events, ['cloud-reached', 'cloud-unreachable', 'cloud-state', 'cloud-state'])
      await hub.close()
      hub = await startHub({ data: join(folder, 'hub') })
      await untilOnline(hub.clientAs())
      assert.deepEqual(await listed(await cloud.signIn()), [{ sn, state: accepted, online: true }])
    } finally {
      await hub.close()
      await cloud.close()
    }
  }))

test('key and invitation are in no log, answer, export or file', () =>
  withFolder(async (folder) => {
    const cloud = await startCloud()
    const hub = await startHub({ data: folder })
    try {
      const { linkPort: port } = await cloud.listen(0, 0)
      const { invitation } = await (await cloud.signIn()).send(getInvitation, {})
      const admin = hub.clientAs()
      await set(admin, { port, invitation })
      await untilState(admin, pending)
      const { key = '', code = '' } = hub.parts.cloudLink.settings.secrets() ?? {}
      assert.ok(invitation.endsWith(code))
      const { bytes } = await hub.parts.backups.transfer.export('a long passphrase')
      const texts = [
        JSON.stringify(await admin.send(getCloudRegistration, {})),
        JSON.stringify(await admin.send(listLog, { type: 'operation' })),
        JSON.stringify(await admin.send(listLog, { type: 'system' })),
        bytes.toString('latin1'),
        await (await admin.raw('GET', `/api${exportConfiguration.path}`)).text(),
        JSON.stringify(hub.parts.store.settings.get('cloud'))
      ]
      for (const text of texts) for (const secret of [key, code]) assert.ok(!text.includes(secret), text.slice(0, 200))
    } finally {
      await hub.close()
      await cloud.close()
    }
  }))

test('a hub registers with the cloud of its environment, and its process shows no secret', () =>
  withFolder(async (folder) => {
    const cloud = await startCloud()
    try {
      const { linkPort } = await cloud.listen(0, 0)
      const user = await cloud.signIn()
      const { invitation } = await user.send(getInvitation, {})
      const wrapper = ['env', `CLOUD=${HOST}:${linkPort}`, `INVITATION=${invitation}`]
      const hub = await startHubProcess(folder, undefined, undefined, wrapper)
      try {
        await until(async () => (await listed(user))[0]?.state === pending, 'the hub is registered')
        const commands = readFileSync(`/proc/${hub.child.pid}/cmdline`, 'utf8')
        assert.ok(!commands.includes(invitation), commands)
      } finally {
        await hub.kill()
      }
    } finally {
      await cloud.close()
    }
  }))

test('a cloud in the environment without a valid address or invitation is refused at the start', async () => {
  for (const [cloud, message] of [
    [{ address: 'cloud.example.com' }, /INVITATION/],
    [{ address: 'a b', invitation: WRONG }, /CLOUD/],
    [{ address: '169.254.169.254', invitation: WRONG }, /CLOUD/],
    [{ address: '::1:8070', invitation: WRONG }, /CLOUD/],
    [{ address: HOST, invitation: 'zSecretHush' }, /^Error: INVITATION is not one of a cloud$/]
  ] as const)
    await assert.rejects(startHub({ cloud }), message)
})

test.run()
