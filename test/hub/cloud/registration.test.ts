// A hub that registers with a cloud: the real hub, and the real cloud on SQLite.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { acceptHubs, deleteHubs, getInvitation, rejectHubs } from '../../../contract/cloud/calls.ts'
import { getCloudRegistration, setCloudRegistration } from '../../../contract/cloud-registration.ts'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import { listLog } from '../../../contract/log.ts'
import { startCloud } from '../../kit/cloud/cloud.ts'
import {
  HOST,
  listed,
  onlineStatus,
  registrationOf,
  set,
  untilListedOnline,
  untilOnline,
  untilState,
  WRONG,
  withBoth,
  withFolder,
  wrongCodeOf
} from '../../kit/cloud/registered-hub.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { startHubProcess } from '../../kit/hub/hub-process.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('registration with a cloud')

const { accepted, rejected, pending, deleted } = REGISTRATION_STATE
const { wrongCode } = REFUSAL_STATE

test('a hub has no cloud until one is set', () =>
  withBoth(async ({ admin }) => {
    const { result: _, ...registration } = await admin.send(getCloudRegistration, {})
    assert.deepEqual(registration, {
      settings: { enable: false, host: '', port: 8070, organisation: '', role: 'view', ssl: true },
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
    await untilListedOnline(user)
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
    await untilListedOnline(user)
    await user.send(deleteHubs, { sn: [sn] })
    await untilState(admin, deleted)
    await set(admin, { port })
    await untilState(admin, pending)
    const { list } = await admin.send(listLog, { type: 'system' })
    assert.ok(list.some(({ text }) => text === `Registration with the cloud ${HOST}: Accepted`))
  }))

test('a wrong invitation is said, and corrected by another one', () =>
  withBoth(async ({ port, invitation, admin }) => {
    await set(admin, { port, invitation: wrongCodeOf(invitation) })
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
    await untilListedOnline(user, false)
    await set(admin, { port })
    await untilOnline(admin)
    await untilListedOnline(user)
    // A change of the role closes the link, and the hub connects again.
    await set(admin, { port, role: 'operate' })
    await untilOnline(admin)
  }))

test('when a hub leaves the cloud both forget its key, and the hub registers with another serial number', () =>
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
    await until(async () => (await listed(user)).length === 0, 'the cloud has forgotten the hub')
    await until(() => hub.parts.cloudLink.settings.farewells.length === 0, 'the hub has forgotten the key')
    await set(admin, { port, invitation })
    await untilState(admin, pending)
    assert.notEqual(hub.parts.cloudLink.settings.secrets()?.key, key)
    const [registered] = await listed(user)
    assert.notEqual(registered?.sn, sn)
    assert.equal(registered?.sn, (await admin.send(getCloudRegistration, {})).sn)
  }))

test('a hub connects again after the cloud was away, and after its own restart with the same key', () =>
  withFolder(async (folder) => {
    let cloud = await startCloud({ data: folder })
    const port = await freeTcpPort()
    await cloud.listen(0, port)
    const user = await cloud.clientAs()
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
      const again = await cloud.clientAs()
      await untilListedOnline(again)
      assert.deepEqual(await listed(again), [{ sn, state: accepted, online: true }])
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
      const user = await cloud.clientAs()
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
