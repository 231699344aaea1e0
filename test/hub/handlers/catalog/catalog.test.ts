import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_GROUP_VIEW, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import {
  addCatalog,
  type Catalog,
  deleteCatalog,
  listCatalogs,
  listDevicesWithCatalog,
  renameCatalog,
  setCatalog
} from '../../../../contract/catalog.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, OBJECT_BUSY, SUCCESS, TOO_MANY } from '../../../../contract/codes.ts'
import { acceptDevices, listDevices, queryDevice } from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import { addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('catalogs')

hubForEach(test)

async function add(name: string, parent = 0): Promise<number> {
  const { result, id } = await admin.send(addCatalog, { 'parent-id': parent, name })
  assert.equal(result, SUCCESS, name)
  return id
}
const list = async (client = admin): Promise<Catalog[]> => (await client.send(listCatalogs, {})).list
const names = async (client = admin) => (await list(client)).map(({ name }) => name)
const visibleSerials = async (client: Client) => (await client.send(listDevices, {})).list.map(({ sn }) => sn).sort()

/** Registers and accepts devices, which are in no group. @returns their serial numbers */
async function addAcceptedDevices(count: number): Promise<string[]> {
  const sn = registerDevices(hub, count)
  await admin.send(acceptDevices, { sn })
  return sn
}

/** Adds a user with a user group of its own who may view devices and device groups. */
async function addViewer(name: string): Promise<{ client: Client; user: number; group: number }> {
  await addUser(hub, name, DEVICE_VIEW | DEVICE_GROUP_VIEW)
  const row = hub.parts.store.users.byName(name)
  return { client: hub.clientAs(name), user: row?.id ?? 0, group: row?.group_id ?? 0 }
}

test('groups are listed by name, with the id of their parent', async () => {
  const campus = await add('Campus')
  await add('Aula 10', campus)
  await add('Aula 9', campus)
  assert.deepEqual(
    (await list()).map((catalog) => [catalog.name, catalog['parent-id'], catalog['is-inherit']]),
    [
      ['Aula 9', campus, 1],
      ['Aula 10', campus, 1],
      ['Campus', 0, 1]
    ]
  )
  assert.ok(campus > 30_000)
})

test('an unchanged list is returned without items', async () => {
  await add('Campus')
  const { rev } = await admin.send(listCatalogs, {})
  const unchangedList = await admin.send(listCatalogs, { since: rev })
  assert.deepEqual([unchangedList.partial, unchangedList.list, unchangedList.total], [true, [], 1])
  await add('Chapel')
  assert.equal((await admin.send(listCatalogs, { since: rev })).list.length, 2)
})

test('group names are unique, ignoring case', async () => {
  const id = await add('Campus')
  const other = await add('Chapel')
  assert.deepEqual(await admin.send(addCatalog, { 'parent-id': id, name: 'CAMPUS' }), {
    result: NAME_EXISTS,
    field: 'name'
  })
  assert.equal((await admin.send(renameCatalog, { id: other, name: 'campus' })).result, NAME_EXISTS)
  assert.equal((await admin.send(renameCatalog, { id, name: 'CAMPUS' })).result, SUCCESS, 'its own name in upper case')
  assert.deepEqual(await names(), ['CAMPUS', 'Chapel'])
})

test('a name has 1 to 32 units and no spaces at either end', async () => {
  for (const name of ['', ' Hall', 'Hall ', 'x'.repeat(33), '室'.repeat(11), 'a\0b'])
    assert.equal((await admin.send(addCatalog, { 'parent-id': 0, name })).result, INVALID_ARG, JSON.stringify(name))
  await add('室'.repeat(10))
  await add('x'.repeat(32))
})

test('groups can be nested in at most five levels', async () => {
  let parent = 0
  for (let level = 1; level <= 5; level++) parent = await add(`Level ${level}`, parent)
  assert.deepEqual(await admin.send(addCatalog, { 'parent-id': parent, name: 'Level 6' }), { result: TOO_MANY, max: 5 })
  assert.equal((await admin.send(addCatalog, { 'parent-id': 999_999, name: 'x' })).result, NOT_EXIST)
  assert.equal((await admin.send(addCatalog, { name: 'x' })).result, INVALID_ARG)
})

test('devices are moved all or none, counted, and removed from a group again', async () => {
  const [first = '', second = '', third = ''] = await addAcceptedDevices(3)
  const id = await add('Campus')
  assert.equal((await admin.send(setCatalog, { id, devices: [first, 'NOBODY'] })).result, NOT_EXIST)
  assert.equal((await list())[0]?.['num-all'], 0)
  assert.equal((await admin.send(setCatalog, { id, devices: [first, second] })).result, SUCCESS)
  hub.parts.registry.setOnline(first)
  const [campus] = await list()
  assert.deepEqual([campus?.['num-all'], campus?.['num-online']], [2, 1])
  const { list: inside } = await admin.send(listDevices, { catalog: id })
  assert.deepEqual(inside.map(({ sn }) => sn).sort(), [first, second].sort())
  const grouped = await admin.send(listDevicesWithCatalog, {})
  assert.deepEqual(
    grouped.list.map((group) => [group.id, group.list.map(({ sn }) => sn).sort()]),
    [
      [0, [third]],
      [id, [first, second].sort()]
    ]
  )
  assert.equal(
    (await admin.send(listDevicesWithCatalog, { catalogs: `${id}`, 'dev-count': 1 })).list[0]?.list.length,
    1
  )
  await admin.send(setCatalog, { id: 0, devices: [first] })
  assert.equal((await list())[0]?.['num-all'], 1)
})

test('deleting a group that is not empty needs force; its contents then move to the parent group', async () => {
  const [sn = ''] = await addAcceptedDevices(1)
  const outer = await add('Campus')
  const middle = await add('North', outer)
  const inner = await add('Aula', middle)
  await admin.send(setCatalog, { id: middle, devices: [sn] })
  assert.equal((await admin.send(deleteCatalog, { id: middle })).result, OBJECT_BUSY)
  assert.deepEqual(await names(), ['Aula', 'Campus', 'North'])
  assert.equal((await admin.send(deleteCatalog, { id: middle, force: true })).result, SUCCESS)
  assert.equal((await list()).find(({ id }) => id === inner)?.['parent-id'], outer)
  assert.equal((await admin.send(queryDevice, { sn })).dev['catalog-id'], outer)
  assert.equal((await admin.send(deleteCatalog, { id: inner })).result, SUCCESS, 'an empty group needs no force')
  assert.equal((await admin.send(deleteCatalog, { id: inner })).result, NOT_EXIST)
})

test('a device that inherits is visible to callers who may see its group, the parent groups, or by the global default', async () => {
  const [first = '', second = '', third = ''] = await addAcceptedDevices(3)
  const { client, group, user } = await addViewer('north')
  const outer = await add('Campus')
  const inner = await add('North', outer)
  await admin.send(setCatalog, { id: inner, devices: [first] })
  await admin.send(setCatalog, { id: outer, devices: [second] })
  assert.deepEqual(await visibleSerials(client), [first, second, third].sort(), 'the global default shows all')

  const noAccess = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
  await admin.send(setCatalog, { id: 0, security: noAccess })
  assert.deepEqual(await visibleSerials(client), [])
  assert.deepEqual(await names(client), [])

  await admin.send(setCatalog, { id: outer, security: { ...noAccess, 'usr-mask': user } })
  assert.deepEqual(await visibleSerials(client), [first, second].sort(), 'inner groups inherit')
  assert.deepEqual(await names(client), ['Campus', 'North'])

  await admin.send(setCatalog, { id: outer, security: noAccess })
  await admin.send(setCatalog, { id: inner, security: { ...noAccess, 'group-mask': group } })
  assert.deepEqual(await visibleSerials(client), [first])
  const [visibleCatalog] = await list(client)
  assert.deepEqual(
    [visibleCatalog?.name, visibleCatalog?.['parent-id']],
    ['North', 0],
    'the parent group is not disclosed'
  )
  assert.ok(
    visibleCatalog && !('group-mask' in visibleCatalog) && !('usr-mask' in visibleCatalog),
    'masks are not disclosed'
  )

  await admin.send(setCatalog, { id: inner, security: { 'is-inherit': true } })
  assert.deepEqual(await visibleSerials(client), [])
})

test('masks with unknown bits are refused, and nothing changes', async () => {
  const id = await add('Campus')
  const security = { 'is-inherit': 0, 'group-mask': 0x4000, 'usr-mask': 0 }
  const reply = await admin.send(setCatalog, { id, security })
  assert.deepEqual([reply.result, reply.field], [7, 'security.group-mask'])
  assert.equal((await list())[0]?.['is-inherit'], 1)
})

test('each change is in the operation log, with names', async () => {
  const id = await add('Campus')
  await admin.send(renameCatalog, { id, name: 'Quad' })
  const { list: lines } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    lines.slice(0, 2).map(({ event, detail }) => [event, detail]),
    [
      ['/catalog/rename', 'Campus → Quad'],
      ['/catalog/add', 'Campus']
    ]
  )
})

test.run()
