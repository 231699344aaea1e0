// What a cloud and its settings may not do to a hub: faults, forbidden addresses, stolen serial numbers, secrets.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import dns from 'node:dns/promises'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { exportConfiguration } from '../../../contract/backup/export.ts'
import { getInvitation } from '../../../contract/cloud/calls.ts'
import {
  type CloudSettingsRequest,
  getCloudRegistration,
  setCloudRegistration
} from '../../../contract/cloud-registration.ts'
import { INVALID_ARG, INVALID_DATA } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import { listLog } from '../../../contract/log.ts'
import type { Link } from '../../../device-link/link.ts'
import { sendRequest } from '../../../device-link/request.ts'
import { startCloud } from '../../kit/cloud/cloud.ts'
import { identityOf, makeKey, startFakeCloud } from '../../kit/cloud/fake-cloud.ts'
import { helloOf, startFakeHub } from '../../kit/cloud/fake-hub.ts'
import {
  HOST,
  listed,
  registrationOf,
  set,
  untilListedOnline,
  untilOnline,
  untilState,
  WRONG,
  withBoth,
  withFolder
} from '../../kit/cloud/registered-hub.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('limits of the cloud')

const { registering, accepted, pending } = REGISTRATION_STATE
const { exists, wrongCode } = REFUSAL_STATE
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
    await set(admin, { enable: false, port, role: 'administer' })
    await set(admin, { enable: false, port })
    assert.equal(settings.stored.role, 'administer')
    const keys = new Set([key])
    for (const other of [{ host: 'other.example' }, { port: port - 1 }, { invitation: 'other:AAAA' }]) {
      await set(admin, { enable: false, port, invitation, ...other })
      keys.add(keyOf())
    }
    assert.equal(keys.size, 4)
    assert.equal(settings.stored.role, 'view')
  }))

test('a hub with the serial number of another one is refused', () =>
  withBoth(async ({ user, port, invitation, hub, admin }) => {
    const { database, settings } = hub.parts.store
    database.transaction(() => settings.set('cloud-serial', 'HUB-STOLEN'))
    const owner = startFakeHub(port, () => helloOf(invitation, 'HUB-STOLEN'))
    try {
      await untilListedOnline(user)
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
      const { port: otherPort } = other.address() as AddressInfo
      assert.equal(await faultAt({ port: otherPort, ssl: false }), 'no-cloud')
      assert.equal(await faultAt({ port: otherPort, ssl: true }), 'no-ssl')
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

test('a hub whose key file was replaced asks for the invitation again', () =>
  withFolder(async (folder) => {
    let hub = await startHub({ data: folder })
    try {
      const settings = { enable: true, host: HOST, port: await freeTcpPort() }
      await set(hub.clientAs(), { ...settings, invitation: WRONG })
      await hub.close()
      writeFileSync(join(folder, 'device.key'), randomBytes(32).toString('base64url'))
      hub = await startHub({ data: folder })
      const admin = hub.clientAs()
      assert.equal((await registrationOf(admin))?.fault, 'secrets')
      assert.equal((await admin.send(setCloudRegistration, settings)).field, 'invitation')
      await set(admin, { ...settings, invitation: WRONG })
      assert.notEqual((await registrationOf(admin))?.fault, 'secrets')
    } finally {
      await hub.close()
    }
  }))

test('over the link a cloud can send registration states and updates, and nothing else', () =>
  withBoth(async ({ admin }) => {
    const key = makeKey()
    const cloud = await startFakeCloud({ identity: (nonce, pin) => identityOf([key], nonce, pin) })
    try {
      await set(admin, { ssl: false, invitation: 'headend:AAAA', port: cloud.port })
      await untilOnline(admin)
      const statusOf = async (method: string, path: string, body?: string) =>
        (await sendRequest(cloud.link as Link, '', { method, path, ...(body !== undefined && { body }) }, 5000)).status
      assert.equal(await statusOf('GET', '/api/usr/list'), 404)
      assert.equal(await statusOf('GET', '/link/state'), 404)
      assert.equal(await statusOf('POST', '/api/cloud/set', JSON.stringify({ enable: true })), 404)
      for (const body of ['', 'null', '{}', '{"state":0}', '{"state":"101"}', `{"state":${wrongCode}}`])
        assert.equal(await statusOf('POST', '/link/state', body), 400, body)
      assert.equal(await statusOf('POST', '/link/state', `{"state":${' '.repeat(2000)}102}`), 413)
      assert.equal((await registrationOf(admin))?.state, accepted)
      assert.equal(await statusOf('POST', '/link/state', `{"state":${pending}}`), 204)
      await untilState(admin, pending)
    } finally {
      cloud.close()
    }
  }))

test('key and invitation are in no log, answer, export or file', () =>
  withFolder(async (folder) => {
    const cloud = await startCloud()
    const hub = await startHub({ data: folder })
    try {
      const { linkPort: port } = await cloud.listen(0, 0)
      const { invitation } = await (await cloud.clientAs()).send(getInvitation, {})
      const admin = hub.clientAs()
      await set(admin, { port, invitation })
      await untilState(admin, pending)
      const { key = '', code = '' } = hub.parts.cloudLink.settings.secrets() ?? {}
      assert.equal(invitation.split(':')[1], code)
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

test.run()
