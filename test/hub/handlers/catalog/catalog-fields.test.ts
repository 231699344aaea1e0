// Fields of device groups that describe the tree and who sees a group, and ids below 0.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_GROUP_CONTROL, DEVICE_GROUP_VIEW, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { deleteUsers, moveUsers, setUser } from '../../../../contract/access/user.ts'
import { ALL_GROUPS } from '../../../../contract/access/visibility.ts'
import {
  addCatalog,
  type Catalog,
  deleteCatalog,
  listCatalogs,
  listDevicesWithCatalog,
  renameCatalog,
  setCatalog
} from '../../../../contract/catalog.ts'
import { NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, getGlobalDevice, queryDevice } from '../../../../contract/device/device.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('fields of device groups')
hubForEach(test)

const add = async (name: string, parent = 0) => (await admin.send(addCatalog, { 'parent-id': parent, name })).id
const byName = async (client: Client, tree?: number) =>
  Object.fromEntries((await client.send(listCatalogs, { tree })).list.map((catalog) => [catalog.name, catalog]))
const limitTo = (id: number, groups: number, users = 0) =>
  admin.send(setCatalog, { id, security: { 'is-inherit': 0, 'group-mask': groups, 'usr-mask': users } })
const namesOf = ({ users }: Partial<Catalog> = {}) => users?.map(({ name }) => name)

test('each group has its place in the tree', async () => {
  const campus = await add('Campus')
  const hall = await add('Hall', campus)
  await add('Stage', hall)
  const groups = await byName(admin)
  const describe = (name: string) => [groups[name]?.isRoot, groups[name]?.isOpen, groups[name]?.path]
  assert.deepEqual(describe('Campus'), [true, true, ['Campus']])
  assert.deepEqual(describe('Hall'), [false, true, ['Campus', 'Hall']])
  assert.deepEqual(describe('Stage'), [false, false, ['Campus', 'Hall', 'Stage']])
  assert.ok(Object.values(groups).every((group) => !('childs' in group)))
})

test('on request the list is a tree of the same groups', async () => {
  const campus = await add('Campus')
  await add('Hall', campus)
  await add('Aula', campus)
  await add('Annex')
  const { list, total } = await admin.send(listCatalogs, { tree: 1 })
  const names = (groups: readonly Catalog[] = []): unknown[] => groups.map(({ name, childs }) => [name, names(childs)])
  assert.deepEqual(names(list), [
    ['Annex', []],
    [
      'Campus',
      [
        ['Aula', []],
        ['Hall', []]
      ]
    ]
  ])
  assert.equal(total, 2)
  const flatten = (groups: readonly Catalog[]): Catalog[] =>
    groups.flatMap(({ childs = [], ...group }) => [group, ...flatten(childs)])
  const byId = (groups: readonly Catalog[]) => [...groups].sort((a, b) => a.id - b.id)
  assert.deepEqual(byId(flatten(list)), byId((await admin.send(listCatalogs, {})).list))
})

test('a group that the caller may not see is in no path, and its child groups move up', async () => {
  const campus = await add('Campus')
  const hall = await add('Hall', campus)
  const stage = await add('Stage', hall)
  const vera = addSignedInUser(hub, 'vera', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  await limitTo(hall, 0)
  await limitTo(stage, ALL_GROUPS)
  const groups = await byName(vera)
  assert.deepEqual(groups.Stage?.path, ['Campus', 'Stage'])
  assert.equal(groups.Campus?.isOpen, true)
  assert.equal((await byName(vera, 1)).Campus?.childs?.[0]?.name, 'Stage')
  await limitTo(campus, 0)
  const { Stage } = await byName(vera)
  assert.deepEqual([Stage?.isRoot, Stage?.path, Stage?.['parent-id']], [true, ['Stage'], 0])
})

test('a group names the users who see it, by their user group or by name, inherited or not', async () => {
  addSignedInUser(hub, 'vera', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  addSignedInUser(hub, 'olga', DEVICE_VIEW)
  const { users } = hub.parts.store
  const vera = users.byName('vera')
  const olga = users.byName('olga')
  const campus = await add('Campus')
  await add('Hall', campus)
  const describe = async (name: string) => {
    const group = (await byName(admin))[name]
    return [group?.['is-everyone'], namesOf(group)]
  }
  assert.deepEqual(await describe('Campus'), [1, []])
  await limitTo(campus, vera?.group_id ?? 0)
  for (const name of ['Campus', 'Hall']) assert.deepEqual(await describe(name), [0, ['vera']], name)
  await limitTo(campus, vera?.group_id ?? 0, olga?.id)
  for (const name of ['Campus', 'Hall']) assert.deepEqual(await describe(name), [0, ['olga', 'vera']], name)
})

test('only callers with DEVICE_GROUP_CONTROL get the names of users, and a change of users is announced', async () => {
  const vera = addSignedInUser(hub, 'vera', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  const row = hub.parts.store.users.byName('vera')
  const id = row?.id ?? 0
  const campus = await add('Campus')
  await limitTo(campus, row?.group_id ?? 0, id)
  const own = (await byName(vera)).Campus
  assert.equal(own?.['is-everyone'], 0)
  for (const field of ['users', 'group-mask', 'usr-mask']) assert.ok(!(field in (own ?? {})), field)
  const keeper = addSignedInUser(hub, 'keeper', DEVICE_VIEW | DEVICE_GROUP_VIEW | DEVICE_GROUP_CONTROL)
  const keeperId = hub.parts.store.users.byName('keeper')?.id ?? 0
  await limitTo(campus, 0, id + keeperId)
  let rev: number | undefined
  const changedNames = async () => {
    const reply = await keeper.send(listCatalogs, { since: rev })
    rev = reply.rev
    return namesOf(reply.list[0])
  }
  assert.deepEqual(await changedNames(), ['keeper', 'vera'])
  await admin.send(setUser, { id, name: 'verena' })
  assert.deepEqual(await changedNames(), ['keeper', 'verena'])
  await admin.send(moveUsers, { id, 'group-id': 1 })
  assert.deepEqual(await changedNames(), ['keeper'], 'the Admin group is not listed')
  await admin.send(deleteUsers, { id })
  assert.deepEqual(await changedNames(), ['keeper'])
})

test('the parent of a new group is its id or its parent id', async () => {
  const { id } = await admin.send(addCatalog, { id: 0, name: 'Campus' })
  await admin.send(addCatalog, { id, name: 'Hall' })
  await admin.send(addCatalog, { 'parent-id': id, name: 'Aula' })
  const groups = await byName(admin)
  assert.deepEqual([groups.Hall?.['parent-id'], groups.Aula?.['parent-id']], [id, id])
})

test('an id below 0 is taken as 0', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { id } = await admin.send(addCatalog, { 'parent-id': 0, name: 'Hall' })
  const catalogOf = async () => (await admin.send(queryDevice, { sn })).dev['catalog-id']
  for (const negative of [-1, -30_001, Number.MIN_SAFE_INTEGER]) {
    const added = await admin.send(addCatalog, { 'parent-id': negative, name: `Group ${negative}` })
    assert.equal(added.result, SUCCESS)
    assert.equal((await byName(admin))[`Group ${negative}`]?.['parent-id'], 0)
    await admin.send(setCatalog, { id, devices: [sn] })
    assert.equal(await catalogOf(), id)
    assert.equal((await admin.send(setCatalog, { id: negative, devices: [sn] })).result, SUCCESS)
    assert.equal(await catalogOf(), 0)
    const security = { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 }
    assert.equal((await admin.send(setCatalog, { id: negative, security })).result, SUCCESS)
    assert.equal((await admin.send(getGlobalDevice, {})).security['group-mask'], 2)
    await admin.send(setCatalog, { id: 0, security: { ...security, 'group-mask': ALL_GROUPS } })
    assert.equal((await admin.send(renameCatalog, { id: negative, name: 'x' })).result, NOT_EXIST)
    assert.equal((await admin.send(deleteCatalog, { id: negative, force: true })).result, NOT_EXIST)
  }
  assert.equal((await admin.send(listDevicesWithCatalog, { catalogs: '0' })).list[0]?.id, 0)
})

test.run()
