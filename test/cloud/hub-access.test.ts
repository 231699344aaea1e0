import assert from 'node:assert/strict'
import { md5Of } from '../../accounts/passwords.ts'
import { addLogEntry } from '../../cloud/store/log.ts'
import {
  ADMIN_GRANTED_PERMISSIONS,
  GROUP_USER,
  GROUP_VIEWER,
  SYSTEM_CONFIG_VIEW,
  USER_PERMISSIONS
} from '../../contract/access/permissions.ts'
import { addGroup, addUser, deleteGroup, deleteUsers, listUsers } from '../../contract/access/user.ts'
import { ALL_GROUPS } from '../../contract/access/visibility.ts'
import { addCatalog, deleteCatalog, listCatalogs, renameCatalog, setCatalog } from '../../contract/catalog.ts'
import { acceptHubs, deleteHubs, listHubs, rejectHubs, renameHub } from '../../contract/cloud/calls.ts'
import {
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  SUCCESS,
  TOO_MANY
} from '../../contract/codes.ts'
import { getGlobalDevice, REGISTRATION_STATE, setDeviceSecurity, setFavorite } from '../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX } from '../../contract/limits.ts'
import { listLog } from '../../contract/log.ts'
import type { CloudClient, TestCloud } from '../kit/cloud/cloud.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { cloudsOf, type WithCloud } from '../kit/cloud/with-cloud.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('access to hubs in the cloud')

const EVERYONE = { 'is-inherit': 0, 'group-mask': ALL_GROUPS, 'usr-mask': 0 }
const NOBODY = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }

/** Stores hubs that have registered, without links. */
async function storeHubs(cloud: TestCloud, names: readonly string[], state = REGISTRATION_STATE.accepted as number) {
  await cloud.store.within('headend', async (scope) => {
    const row = { version: '0.0.1', key_hash: '', state, address: '192.0.2.1', registered: 1 }
    for (const sn of names) await scope.insert('hubs', { ...row, sn, name: `Hub ${sn}` }).execute()
  })
}

const serialsOf = async (client: CloudClient) => (await client.send(listHubs, {})).list.map(({ sn }) => sn)

/** A user of a group that may do everything with hubs but is no administrator. */
async function signInAsManager(cloud: TestCloud, admin: CloudClient) {
  const permissions = USER_PERMISSIONS | ADMIN_GRANTED_PERMISSIONS | SYSTEM_CONFIG_VIEW
  const { id: groupId } = await admin.send(addGroup, { name: 'Managers', permissions })
  const { id } = await admin.send(addUser, { name: 'manager', passwd: md5Of('Secret-1'), 'group-id': groupId })
  return { id, groupId, manager: await cloud.clientAs('manager') }
}

function testVisibility({ test }: Stores, withCloud: WithCloud): void {
  test('masks of hubs, of groups and by default say who sees a hub, and nobody else finds it by any call', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const { id, groupId, manager } = await signInAsManager(cloud, admin)
      await storeHubs(cloud, ['HUB1', 'HUB2', 'HUB3'])
      await storeHubs(cloud, ['PENDING'], REGISTRATION_STATE.pending)
      assert.deepEqual(await serialsOf(manager), ['HUB1', 'HUB2', 'HUB3', 'PENDING'])
      const everyone = await admin.send(getGlobalDevice, {})
      assert.equal(everyone.security['group-mask'], ALL_GROUPS)
      assert.equal((await manager.send(setCatalog, { id: 0, security: EVERYONE })).result, NOT_PERMITTED)
      assert.equal((await admin.send(setCatalog, { id: 0, security: NOBODY })).result, SUCCESS)
      assert.deepEqual(await serialsOf(manager), [])
      const { id: hall } = await admin.send(addCatalog, { id: 0, name: 'Hall' })
      await admin.send(setCatalog, { id: hall, devices: ['HUB1'], security: { ...NOBODY, 'group-mask': groupId } })
      await admin.send(setDeviceSecurity, { sn: 'HUB2', security: { ...NOBODY, 'usr-mask': id } })
      assert.deepEqual(await serialsOf(manager), ['HUB1', 'HUB2'])
      assert.deepEqual(await serialsOf(admin), ['HUB1', 'HUB2', 'HUB3', 'PENDING'])
      const sn = ['HUB3']
      const hidden = [
        manager.send(acceptHubs, { sn: ['PENDING'] }),
        manager.send(rejectHubs, { sn }),
        manager.send(deleteHubs, { sn }),
        manager.send(renameHub, { sn: 'HUB3', name: 'mine' }),
        manager.send(setFavorite, { sn, favorite: true }),
        manager.send(setDeviceSecurity, { sn, security: EVERYONE }),
        manager.send(setCatalog, { id: hall, devices: sn })
      ]
      for (const reply of hidden) assert.equal((await reply).result, NOT_EXIST)
      assert.deepEqual((await manager.send(rejectHubs, { sn: ['HUB2', 'HUB3'] })).sn, ['HUB2'])
      const [, , hub3] = (await admin.send(listHubs, {})).list
      assert.deepEqual([hub3?.name, hub3?.state, hub3?.favorite], ['Hub HUB3', REGISTRATION_STATE.accepted, false])
      const unknown = { ...NOBODY, 'usr-mask': 2 ** 30 }
      assert.equal((await admin.send(setDeviceSecurity, { sn: 'HUB1', security: unknown })).result, INVALID_ARG)
    }))

  test('a deleted user or group leaves no bit in a mask, which the next one would inherit', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const { id, groupId, manager } = await signInAsManager(cloud, admin)
      await storeHubs(cloud, ['HUB1'])
      const masks = { 'is-inherit': 0, 'group-mask': groupId, 'usr-mask': id }
      await admin.send(setCatalog, { id: 0, security: masks })
      const { id: hall } = await admin.send(addCatalog, { id: 0, name: 'Hall' })
      await admin.send(setCatalog, { id: hall, security: masks })
      await admin.send(setDeviceSecurity, { sn: 'HUB1', security: masks })
      await manager.send(setFavorite, { sn: ['HUB1'], favorite: true })
      await admin.send(deleteUsers, { id })
      await admin.send(deleteGroup, { id: groupId })
      const { security } = await admin.send(getGlobalDevice, {})
      const [hub] = (await admin.send(listHubs, {})).list
      const [catalog] = (await admin.send(listCatalogs, {})).list
      for (const row of [security, hub, catalog]) assert.deepEqual([row?.['group-mask'], row?.['usr-mask']], [0, 0])
      const next = await signInAsManager(cloud, admin)
      assert.equal(next.id, id)
      assert.deepEqual(await serialsOf(next.manager), [])
      const stored = await cloud.store.within('headend', (scope) => scope.select('hubs').select('favorites').execute())
      assert.deepEqual(
        stored.map(({ favorites }) => favorites),
        [0]
      )
    }))

  test('the log says nothing of hidden hubs to users besides administrators', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const { manager } = await signInAsManager(cloud, admin)
      await storeHubs(cloud, ['HUB1', 'HUB2'])
      await cloud.store.within('headend', async (scope) => {
        const line = { time: 1, user_name: '', address: '', event: 'hub-registered', result: 0 }
        for (const sn of ['HUB1', 'HUB2']) await addLogEntry(scope, { ...line, sn, detail: sn })
      })
      const totalOf = async (client: CloudClient, type: 'device' | 'operation') =>
        (await client.send(listLog, { type, key: 'HUB2' })).total
      await admin.send(renameHub, { sn: 'HUB2', name: 'HUB2 of the boss' })
      assert.deepEqual([await totalOf(manager, 'device'), await totalOf(manager, 'operation')], [1, 1])
      await admin.send(setDeviceSecurity, { sn: 'HUB2', security: NOBODY })
      assert.deepEqual([await totalOf(manager, 'device'), await totalOf(manager, 'operation')], [0, 0])
      assert.deepEqual([await totalOf(admin, 'device'), await totalOf(admin, 'operation')], [1, 2])
    }))
}

function testGroups({ test }: Stores, withCloud: WithCloud): void {
  test('groups of hubs form a tree, and hubs of a deleted group move to its parent', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      await storeHubs(cloud, ['HUB1', 'HUB2'])
      let parent = 0
      for (let level = 1; level <= CATALOG_DEPTH_MAX; level++) {
        const { result, id } = await admin.send(addCatalog, { id: parent, name: `Level ${level}` })
        assert.equal(result, SUCCESS)
        parent = id
      }
      assert.equal((await admin.send(addCatalog, { id: parent, name: 'too deep' })).result, TOO_MANY)
      assert.equal((await admin.send(addCatalog, { id: 0, name: 'Level 1' })).result, NAME_EXISTS)
      assert.equal((await admin.send(addCatalog, { id: 99, name: 'x' })).result, NOT_EXIST)
      assert.equal((await admin.send(setCatalog, { id: 2, devices: ['HUB1', 'HUB9'] })).result, NOT_EXIST)
      await admin.send(setCatalog, { id: 2, devices: ['HUB1', 'HUB2'] })
      assert.equal((await admin.send(renameCatalog, { id: 2, name: 'Studio' })).result, SUCCESS)
      const [root] = (await admin.send(listCatalogs, { tree: 1 })).list
      const [studio] = root?.childs ?? []
      assert.deepEqual([studio?.name, studio?.path, studio?.['num-all']], ['Studio', ['Level 1', 'Studio'], 2])
      assert.equal((await admin.send(deleteCatalog, { id: 2 })).result, OBJECT_BUSY)
      assert.equal((await admin.send(deleteCatalog, { id: 2, force: true })).result, SUCCESS)
      const { list } = await admin.send(listHubs, {})
      assert.deepEqual(
        list.map((hub) => hub['catalog-id']),
        [1, 1]
      )
      assert.deepEqual((await admin.send(listCatalogs, {})).list[0]?.['num-all'], 2)
    }))

  test('a hub has a name in the cloud, favorites of each user, and warnings', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      const user = await cloud.signInAs('User')
      await storeHubs(cloud, ['HUB1'])
      await storeHubs(cloud, ['PENDING'], REGISTRATION_STATE.pending)
      assert.equal((await user.send(renameHub, { sn: 'HUB1', name: 'Studio 1' })).result, SUCCESS)
      assert.equal((await user.send(renameHub, { sn: 'HUB1', name: ' x' })).result, INVALID_ARG)
      assert.equal((await user.send(setFavorite, { sn: ['HUB1', 'HUB9'], favorite: true })).result, SUCCESS)
      const [own, waiting] = (await user.send(listHubs, {})).list
      assert.deepEqual([own?.name, own?.['own-name'], own?.favorite], ['Studio 1', 'Hub HUB1', true])
      assert.deepEqual([own?.warnings, waiting?.warnings], [['offline', 'older'], []])
      assert.equal(own?.['group-mask'], undefined)
      const page = await admin.send(listHubs, { start: 1, count: 1 })
      assert.deepEqual([page.total, page.list.map(({ sn }) => sn)], [2, ['PENDING']])
      assert.equal((await admin.send(listHubs, {})).list[0]?.favorite, false)
      await user.send(renameHub, { sn: 'HUB1', name: '' })
      assert.equal((await admin.send(listHubs, {})).list[0]?.name, 'Hub HUB1')
      const viewer = await cloud.signInAs('Viewer')
      assert.equal((await viewer.send(renameHub, { sn: 'HUB1', name: 'x' })).result, NOT_PERMITTED)
      const groups = (await admin.send(listUsers, { type: 'group' })).groups ?? []
      assert.ok(groups.some(({ id }) => id === GROUP_USER) && groups.some(({ id }) => id === GROUP_VIEWER))
    }))
}

for (const stores of bothDatabases(test)) {
  testVisibility(stores, cloudsOf(stores))
  testGroups(stores, cloudsOf(stores))
}

test.run()
