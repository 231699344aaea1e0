// Users outside of the Admin group with DEVICE_GROUP_CONTROL or DEVICE_SECURITY.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  DEVICE_GROUP_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_SECURITY,
  DEVICE_VIEW
} from '../../../../contract/access/permissions.ts'
import { ALL_GROUPS } from '../../../../contract/access/visibility.ts'
import { addCatalog, deleteCatalog, listCatalogs, renameCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { NOT_EXIST, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import {
  acceptDevices,
  getGlobalDevice,
  listDevices,
  queryDevice,
  setDeviceSecurity,
  setGlobalDevice
} from '../../../../contract/device/device.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('rights about device groups')
hubForEach(test)

const GROUPS = DEVICE_VIEW | DEVICE_GROUP_VIEW | DEVICE_GROUP_CONTROL
const NOBODY = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
const EVERYONE = { ...NOBODY, 'group-mask': ALL_GROUPS }

const add = async (name: string, parent = 0, client = admin) =>
  (await client.send(addCatalog, { 'parent-id': parent, name })).id
const names = async (client: Client) => (await client.send(listCatalogs, {})).list.map(({ name }) => name)
const results = async (...replies: Promise<{ result: number }>[]) =>
  (await Promise.all(replies)).map(({ result }) => result)

test('device group control adds, renames, fills, limits and deletes groups', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const keeper = addSignedInUser(hub, 'keeper', GROUPS)
  const id = await add('Hall', 0, keeper)
  assert.equal((await keeper.send(renameCatalog, { id, name: 'Aula' })).result, SUCCESS)
  assert.equal((await keeper.send(setCatalog, { id, devices: [sn], security: EVERYONE })).result, SUCCESS)
  assert.equal((await admin.send(queryDevice, { sn })).dev['catalog-id'], id)
  assert.equal((await keeper.send(deleteCatalog, { id, force: true })).result, SUCCESS)
  assert.equal((await keeper.send(setDeviceSecurity, { sn, security: NOBODY })).result, NOT_PERMITTED)
})

test('a group that the keeper may not see does not exist for the keeper', async () => {
  const keeper = addSignedInUser(hub, 'keeper', GROUPS)
  const hidden = await add('Hidden')
  await admin.send(setCatalog, { id: hidden, security: NOBODY })
  const refused = await results(
    keeper.send(addCatalog, { 'parent-id': hidden, name: 'x' }),
    keeper.send(renameCatalog, { id: hidden, name: 'x' }),
    keeper.send(setCatalog, { id: hidden, security: EVERYONE }),
    keeper.send(deleteCatalog, { id: hidden, force: true })
  )
  assert.deepEqual(refused, [NOT_EXIST, NOT_EXIST, NOT_EXIST, NOT_EXIST])
  assert.deepEqual([await names(keeper), await names(admin)], [[], ['Hidden']])
})

test('a device that the keeper may not see cannot be moved into view', async () => {
  const [seen = '', hidden = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [seen, hidden] })
  const locked = await add('Locked')
  await admin.send(setCatalog, { id: locked, devices: [hidden], security: NOBODY })
  const open = await add('Open')
  const keeper = addSignedInUser(hub, 'keeper', GROUPS)
  for (const devices of [[hidden], [seen, hidden]])
    for (const id of [open, 0]) assert.equal((await keeper.send(setCatalog, { id, devices })).result, NOT_EXIST)
  assert.deepEqual(
    (await keeper.send(listDevices, {})).list.map(({ sn }) => sn),
    [seen]
  )
  assert.equal((await admin.send(queryDevice, { sn: seen })).dev['catalog-id'], 0, 'none of several is moved')
})

test('the global default stays with the Admin group, by each of its calls', async () => {
  const keeper = addSignedInUser(hub, 'keeper', 0x3ffff)
  await admin.send(setGlobalDevice, { security: { 'group-mask': 2, 'usr-mask': 0 } })
  for (const id of [0, -1])
    assert.equal((await keeper.send(setCatalog, { id, security: EVERYONE })).result, NOT_PERMITTED, String(id))
  assert.equal((await keeper.send(setGlobalDevice, { security: EVERYONE })).result, NOT_PERMITTED)
  assert.equal((await keeper.send(setChannelSecurity, { id: 1, security: EVERYONE })).result, NOT_PERMITTED)
  assert.equal((await keeper.send(getGlobalDevice, {})).security['group-mask'], 2)
})

test('who adds a group that the default would hide sees it', async () => {
  const keeper = addSignedInUser(hub, 'keeper', GROUPS)
  await admin.send(setGlobalDevice, { security: { 'group-mask': 2, 'usr-mask': 0 } })
  const id = await add('Hall', 0, keeper)
  await add('Stage', id, keeper)
  assert.deepEqual(await names(keeper), ['Hall', 'Stage'])
  const hall = (await admin.send(listCatalogs, {})).list.find((group) => group.id === id)
  assert.deepEqual([hall?.['group-mask'], hall?.users?.map(({ name }) => name)], [2, ['keeper']])
})

test('device security limits devices that its holder sees, and reads what it needs for that', async () => {
  const [seen = '', hidden = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [seen, hidden] })
  await admin.send(setDeviceSecurity, { sn: hidden, security: NOBODY })
  const guard = addSignedInUser(hub, 'guard', DEVICE_VIEW | DEVICE_SECURITY)
  const { details } = await guard.send(setDeviceSecurity, { sn: [seen, hidden], security: EVERYONE })
  assert.deepEqual(
    details.map(({ result }) => result),
    [SUCCESS, NOT_EXIST]
  )
  assert.equal((await guard.send(queryDevice, { sn: seen })).dev['group-mask'], ALL_GROUPS)
  assert.equal((await admin.send(queryDevice, { sn: hidden })).dev['group-mask'], 0)
  assert.equal((await guard.send(getGlobalDevice, {})).result, SUCCESS)
  assert.equal((await guard.send(addCatalog, { 'parent-id': 0, name: 'x' })).result, NOT_PERMITTED)
})

test.run()
