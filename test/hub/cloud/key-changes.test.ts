// What changes after a hub was accepted: the signing key of the cloud, and the cloud that the hub leaves.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SigningKeys } from '../../../cloud/signing/signing-key.ts'
import { acceptHubs, getInvitation } from '../../../contract/cloud/calls.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import { channelDashboard } from '../../../contract/stream/channel.ts'
import { startCloud } from '../../kit/cloud/cloud.ts'
import { openAs } from '../../kit/cloud/opened-hub.ts'
import {
  listed,
  set,
  untilListedOnline,
  untilOnline,
  untilState,
  withBoth,
  withFolder
} from '../../kit/cloud/registered-hub.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('changes of keys')

test('a signing key that is replaced while the hub is connected is pinned without another link', () =>
  withFolder(async (data) => {
    const cloud = await startCloud({ data })
    const hub = await startHub()
    try {
      const { linkPort: port } = await cloud.listen(0, 0)
      const user = await cloud.clientAs()
      const { invitation } = await user.send(getInvitation, {})
      const admin = hub.clientAs()
      await set(admin, { port, invitation })
      await untilState(admin, REGISTRATION_STATE.pending)
      await untilListedOnline(user)
      const { cloudLink } = hub.parts
      await user.send(acceptHubs, { sn: [cloudLink.settings.serial] })
      await untilOnline(admin)
      const link = cloud.links.linkOf('headend', cloudLink.settings.serial)
      const first = cloudLink.settings.stored['signing-key']
      assert.equal(first, cloud.signingKeys.current.publicKey.toString('base64'))
      // As the command does, which is another process.
      const other = await SigningKeys.open({ store: cloud.store, data, now: Date.now })
      const second = (await other.replace()).publicKey.toString('base64')
      await until(() => cloudLink.settings.stored['signing-key'] === second, 'the successor is pinned')
      assert.equal(cloud.links.linkOf('headend', cloudLink.settings.serial), link)
    } finally {
      await hub.close()
      await cloud.close()
    }
  }))

test('calls go on when the signing key was replaced, whether the hub or the node learns it first', () =>
  withFolder(async (data) => {
    const cloud = await startCloud({ data })
    const hub = await startHub()
    try {
      const { linkPort, port } = await cloud.listen(0, 0)
      const user = await cloud.clientAs()
      const { invitation } = await user.send(getInvitation, {})
      const admin = hub.clientAs()
      await set(admin, { port: linkPort, invitation })
      await untilState(admin, REGISTRATION_STATE.pending)
      await untilListedOnline(user)
      const { settings } = hub.parts.cloudLink
      await user.send(acceptHubs, { sn: [settings.serial] })
      await untilOnline(admin)
      const visitor = await openAs(user, settings.serial, port)
      const call = async () => (await visitor.send(channelDashboard, {})).result
      assert.equal(await call(), SUCCESS)
      const second = await cloud.signingKeys.replace()
      assert.notEqual(settings.stored['signing-key'], second.publicKey.toString('base64'))
      assert.equal(await call(), SUCCESS)
      // As the command does, and a hub that has heard of it from another node.
      const other = await SigningKeys.open({ store: cloud.store, data, now: Date.now })
      const third = await other.replace()
      settings.pin(third.publicKey.toString('base64'))
      assert.equal(await call(), SUCCESS)
      assert.equal(cloud.signingKeys.current.fingerprint, third.fingerprint)
    } finally {
      await hub.close()
      await cloud.close()
    }
  }))

test('a hub that leaves while the cloud is away keeps its key, and tells the cloud after a restart', () =>
  withFolder(async (folder) => {
    const data = join(folder, 'hub')
    const port = await freeTcpPort()
    let cloud = await startCloud({ data: folder })
    let hub = await startHub({ data })
    try {
      await cloud.listen(0, port)
      const user = await cloud.clientAs()
      const { invitation } = await user.send(getInvitation, {})
      await set(hub.clientAs(), { port, invitation })
      await untilState(hub.clientAs(), REGISTRATION_STATE.pending)
      await until(async () => (await listed(user)).length === 1, 'the cloud knows the hub')
      await cloud.close()
      await set(hub.clientAs(), { enable: false, host: '' })
      assert.equal(hub.parts.cloudLink.settings.farewells.length, 1)
      await hub.close()
      cloud = await startCloud({ data: folder })
      await cloud.listen(0, port)
      hub = await startHub({ data })
      await until(() => hub.parts.cloudLink.settings.farewells.length === 0, 'the hub has told the cloud')
      assert.deepEqual(await listed(await cloud.clientAs()), [])
    } finally {
      await hub.close()
      await cloud.close()
    }
  }))

test('a stranger cannot make the cloud forget a hub', () =>
  withFolder(async (data) => {
    const cloud = await startCloud({ data })
    const hub = await startHub()
    try {
      const { linkPort: port } = await cloud.listen(0, 0)
      const user = await cloud.clientAs()
      const { invitation } = await user.send(getInvitation, {})
      await set(hub.clientAs(), { port, invitation })
      await untilState(hub.clientAs(), REGISTRATION_STATE.pending)
      const { serial } = hub.parts.cloudLink.settings
      // Another hub with this serial number and a key of its own, which leaves.
      const thief = await startHub()
      try {
        const { database, settings } = thief.parts.store
        database.transaction(() => settings.set('cloud-serial', serial))
        await set(thief.clientAs(), { port, invitation })
        await untilState(thief.clientAs(), 105)
        const { cloudLink } = thief.parts
        database.transaction(() => cloudLink.settings.set({ enable: false, host: '' }, true))
        cloudLink.apply()
        await until(() => cloudLink.settings.farewells.length === 0, 'the cloud has answered')
        assert.equal((await listed(user))[0]?.sn, serial)
      } finally {
        await thief.close()
      }
    } finally {
      await hub.close()
      await cloud.close()
    }
  }))

/** Gives a hub the registration of another one, as the copy of its data has it. */
function copyRegistration(from: TestHub, to: TestHub): void {
  const { database, settings, encryption } = to.parts.store
  const { stored, serial } = from.parts.cloudLink.settings
  const secrets = encryption.encrypt(JSON.stringify(from.parts.cloudLink.settings.secrets()), 'cloud')
  database.transaction(() => {
    settings.set('cloud', { ...stored, secrets })
    settings.set('cloud-serial', serial)
  })
  to.parts.cloudLink.apply()
}

test('a copy of a hub that leaves does not take the hub along, and registers beside it with another serial number', () =>
  withBoth(async ({ user, port, invitation, hub, admin }) => {
    await set(admin, { port, invitation })
    await untilState(admin, REGISTRATION_STATE.pending)
    await untilListedOnline(user)
    const { serial } = hub.parts.cloudLink.settings
    await user.send(acceptHubs, { sn: [serial] })
    await untilOnline(admin)
    const copy = await startHub()
    try {
      copyRegistration(hub, copy)
      await untilState(copy.clientAs(), REFUSAL_STATE.exists)
      await set(copy.clientAs(), { enable: false, host: '' })
      const { settings } = copy.parts.cloudLink
      assert.equal(settings.serial, '')
      await until(() => settings.farewells.length === 0, 'the cloud has answered')
      assert.deepEqual(await listed(user), [{ sn: serial, state: REGISTRATION_STATE.accepted, online: true }])
      await set(copy.clientAs(), { port, invitation })
      await untilState(copy.clientAs(), REGISTRATION_STATE.pending)
      assert.notEqual(settings.serial, serial)
      assert.equal((await listed(user)).length, 2)
    } finally {
      await copy.close()
    }
  }))

test.run()
