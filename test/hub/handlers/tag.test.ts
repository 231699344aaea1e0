import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_VIEW,
  INPUT_OUTPUT_VIEW
} from '../../../contract/access/permissions.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, SUCCESS, TOO_MANY } from '../../../contract/codes.ts'
import { acceptDevices, listDevices, setDeviceSecurity } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { addChannel, deleteChannels, queryChannel } from '../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { addInput, listInputs } from '../../../contract/stream/source.ts'
import { addTag, assignTags, deleteTag, listTags, OBJECT_TAGS_MAX, setTag, TAGS_MAX } from '../../../contract/tag.ts'
import { listTrash, restoreTrash } from '../../../contract/trash.ts'
import { collectTables, redactTables } from '../../../hub/export/collect.ts'
import { mergeTables } from '../../../hub/export/merge.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'

const test = suite('tags')
hubForEach(test)

const add = async (name: string) => (await admin.send(addTag, { name, color: 'teal' })).id
const list = async (client = admin) => (await client.send(listTags, {})).list
const channel = async (name: string) => (await admin.send(addChannel, { name })).id
const tagsOf = async (id: number) => (await admin.send(queryChannel, { id })).channel.tags
async function addAcceptedDevices(count: number): Promise<string[]> {
  const serials = registerDevices(hub, count)
  await admin.send(acceptDevices, { sn: serials })
  return serials
}
const hide = (id: number) =>
  admin.send(setChannelSecurity, { id, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })

test('a tag is added, changed and deleted; names are unique and listed in natural order', async () => {
  await add('Client 10')
  const id = await add('client 9')
  assert.equal((await admin.send(addTag, { name: 'CLIENT 9', color: 'red' })).result, NAME_EXISTS)
  assert.equal((await admin.send(addTag, { name: ' x', color: 'red' })).result, INVALID_ARG)
  assert.equal((await admin.send(addTag, { name: 'x', color: 'pink' as 'red' })).result, INVALID_ARG)
  assert.equal((await admin.send(setTag, { id, name: 'Client 9', color: 'red' })).result, SUCCESS)
  assert.equal((await admin.send(setTag, { id: 99, name: 'Other', color: 'red' })).result, NOT_EXIST)
  assert.deepEqual(
    (await list()).map(({ name, color, uses }) => [name, color, uses]),
    [
      ['Client 9', 'red', 0],
      ['Client 10', 'teal', 0]
    ]
  )
  assert.equal((await admin.send(deleteTag, { id })).result, SUCCESS)
  assert.equal((await list()).length, 1)
})

test('tags are set on channels, inputs and devices at once, and are removed with them', async () => {
  const id = await channel('News')
  const { id: input } = await admin.send(addInput, { name: 'Hall', config: { type: 1, url: 'srt://192.0.2.1:9000' } })
  const [sn = ''] = await addAcceptedDevices(2)
  const [first, second] = [await add('Client'), await add('Old')]
  await admin.send(assignTags, { channels: [id], add: [second] })
  const rev = hub.parts.store.changes.revOf('device')
  await admin.send(assignTags, { channels: [id], sources: [input], sn: [sn], add: [first], remove: [second] })
  assert.deepEqual(await tagsOf(id), [first])
  assert.deepEqual((await admin.send(listInputs, {})).list[0]?.tags, [first])
  assert.ok(hub.parts.store.changes.revOf('device') > rev, 'consoles learn of the tag of the device')
  const tagged = await admin.send(listDevices, { tag: first })
  assert.deepEqual(
    tagged.list.map((device) => [device.sn, device.tags]),
    [[sn, [first]]]
  )
  assert.equal((await admin.send(listDevices, {})).total, 2)
  assert.deepEqual(
    (await list()).map(({ uses }) => uses),
    [3, 0]
  )
  const { list: lines } = await admin.send(listLog, { type: 'operation' })
  assert.match(lines[0]?.text ?? '', /^Set tags: News, Hall, .+: \+Client -Old$/)
  await admin.send(deleteChannels, { id: [id] })
  assert.equal((await list())[0]?.uses, 2)
  const [entry] = (await admin.send(listTrash, {})).list
  await admin.send(restoreTrash, { id: entry?.id ?? 0 })
  assert.deepEqual(await tagsOf(id), [first], 'the restored channel has its tag again')
  await admin.send(deleteTag, { id: first })
  assert.equal((await admin.send(listInputs, {})).list[0]?.tags, undefined)
})

test('a call with an unknown object or tag changes nothing', async () => {
  const [id, tag] = [await channel('News'), await add('Client')]
  assert.equal((await admin.send(assignTags, { channels: [id, 999_999], add: [tag] })).result, NOT_EXIST)
  assert.equal((await admin.send(assignTags, { channels: [id], add: [tag, 99] })).result, NOT_EXIST)
  assert.equal(await tagsOf(id), undefined)
})

test('a hub has 200 tags at most, and an object 16', async () => {
  const id = await channel('News')
  const ids = []
  for (let number = 0; number < TAGS_MAX; number++) ids.push(await add(`Tag ${number}`))
  assert.equal((await admin.send(addTag, { name: 'One more', color: 'red' })).result, TOO_MANY)
  const some = ids.slice(0, OBJECT_TAGS_MAX)
  assert.equal((await admin.send(assignTags, { channels: [id], add: some })).result, SUCCESS)
  assert.equal((await admin.send(assignTags, { channels: [id], add: ids.slice(-1) })).result, TOO_MANY)
  assert.deepEqual(await tagsOf(id), some)
})

test('a user sees and changes only the tags of objects that the user may see', async () => {
  const [own, foreign] = [await channel('Own'), await channel('Foreign')]
  const [shared, secret, unused] = [await add('Shared'), await add('Secret'), await add('Unused')]
  await admin.send(assignTags, { channels: [own, foreign], add: [shared] })
  await admin.send(assignTags, { channels: [foreign], add: [secret] })
  await hide(foreign)
  const editor = await addUser(hub, 'editor', CHANNEL_VIEW | CHANNEL_EDIT | INPUT_OUTPUT_VIEW)
  assert.deepEqual(
    (await list(editor)).map(({ name, uses }) => [name, uses]),
    [
      ['Shared', 1],
      ['Unused', 0]
    ]
  )
  assert.equal((await editor.send(assignTags, { channels: [own], add: [secret] })).result, NOT_EXIST)
  assert.equal((await editor.send(assignTags, { channels: [foreign], remove: [shared] })).result, NOT_EXIST)
  assert.equal((await editor.send(deleteTag, { id: secret })).result, NOT_EXIST)
  assert.equal((await editor.send(deleteTag, { id: shared })).result, NOT_PERMITTED)
  assert.equal((await editor.send(deleteTag, { id: unused })).result, SUCCESS)
  assert.equal((await editor.send(assignTags, { channels: [own], remove: [shared] })).result, SUCCESS)
})

test('each kind of object needs its permission', async () => {
  const tag = await add('Client')
  const [sn = ''] = await addAcceptedDevices(1)
  const editor = await addUser(hub, 'editor', ALL_PERMISSIONS & 0xffff & ~0x8)
  assert.equal((await editor.send(assignTags, { sn: [sn], add: [tag] })).result, NOT_PERMITTED)
})

test('an import brings the tags, and a device keeps those that the streams do not have', async () => {
  const id = await channel('News')
  const [sn = ''] = await addAcceptedDevices(1)
  const [first, second] = [await add('Client'), await add('Site')]
  await admin.send(assignTags, { channels: [id], add: [first] })
  await admin.send(assignTags, { sn: [sn], add: [first, second] })
  const local = collectTables(hub.parts.store)
  const imported = redactTables({
    ...local,
    tag: [{ id: 7, name: 'client', color: 'red' }],
    tag_channel: [],
    tag_device: []
  })
  const request = { local, imported, importer: 'Admin', unusablePassword: 'x' }
  const { tables } = mergeTables({ ...request, parts: new Set(['streams']) })
  assert.deepEqual(
    tables.tag.map((row) => [row.id, row.name]),
    [
      [7, 'client'],
      [8, 'Site']
    ]
  )
  assert.deepEqual(
    tables.tag_device.map((row) => row.tag_id),
    [7, 8]
  )
  assert.deepEqual(tables.tag_channel, [])
})

test('objects and tags that a request repeats cost nothing', async () => {
  const [id, tag] = [await channel('News'), await add('Client')]
  const thousand = <Value>(value: Value) => Array.from({ length: 1000 }, () => value)
  const { database } = hub.parts.store
  const run = database.run.bind(database)
  let writes = 0
  database.run = (sql, ...values) => {
    if (sql.includes('tag_channel')) writes++
    return run(sql, ...values)
  }
  const request = { channels: thousand(id), add: thousand(tag) }
  assert.equal((await admin.send(assignTags, request)).result, SUCCESS)
  assert.equal((await admin.send(assignTags, request)).result, SUCCESS)
  assert.equal(writes, 1)
  assert.deepEqual(await tagsOf(id), [tag])
  const [line] = (await admin.send(listLog, { type: 'operation' })).list as { text: string }[]
  assert.ok(line?.text.endsWith('News: +Client'), line?.text)
})

test('a tag has the number of accepted devices with it that the caller may see', async () => {
  const [first = '', second = ''] = await addAcceptedDevices(2)
  const [waiting = ''] = registerDevices(hub, 3).slice(2)
  const tag = await add('Client')
  await admin.send(assignTags, { sn: [first, second, waiting], add: [tag] })
  assert.deepEqual(
    (await list()).map(({ uses, devices }) => [uses, devices]),
    [[3, 2]]
  )
  const viewer = await addUser(hub, 'viewer', DEVICE_VIEW)
  const security = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
  await admin.send(setDeviceSecurity, { sn: first, security })
  assert.equal((await list(viewer))[0]?.devices, 1)
})

test.run()
