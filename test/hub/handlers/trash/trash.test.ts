import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_GROUP_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW
} from '../../../../contract/access/permissions.ts'
import { deleteUsers } from '../../../../contract/access/user.ts'
import { addCatalog, deleteCatalog, listCatalogs, setCatalog } from '../../../../contract/catalog.ts'
import { ALREADY_EXISTS, LICENSE_LIMIT, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, queryDevice } from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  deleteChannels,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { channelTimeline } from '../../../../contract/stream/channel-timeline.ts'
import { addPreset, deletePreset, listPresets } from '../../../../contract/stream/preset.ts'
import { HTTP, RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, deleteInputs, deleteOutputs, listInputs } from '../../../../contract/stream/source.ts'
import { deleteTrash, listTrash, restoreTrash, TRASH_DAYS, TRASH_MAX } from '../../../../contract/trash.ts'
import { addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('trash')

hubForEach(test)

const LISTENER = { mode: 'listener', 'bind-port': 9100 } as const

const add = async (name: string) => (await admin.send(addChannel, { name })).id
const addSource = async (name: string, url: string) =>
  (await admin.send(addInput, { name, config: { type: 1, url } })).id
const addListener = async (name: string, port = 9100) =>
  (await admin.send(addOutput, { name, protocol: SRT, config: { ...LISTENER, 'bind-port': port } })).id
const remove = async (id: number) => (await admin.send(deleteChannels, { id })).trash[0] ?? 0
const entries = async (client: Client = admin) => (await client.send(listTrash, {})).list
const names = async (client?: Client) => (await entries(client)).map(({ name }) => name)
const channelOf = async (id: number) => (await admin.send(queryChannel, { id })).channel
/** Restores one entry. @returns what it could not be given back */
async function restore(id: number, start?: boolean) {
  const { result, restored } = await admin.send(restoreTrash, { id, ...(start && { start }) })
  assert.equal(result, SUCCESS)
  return restored[0]?.['left-out'] ?? []
}

test('a deleted channel is in the trash, and its name is free at once', async () => {
  const id = await add('News')
  const entry = await remove(id)
  const [listed] = await entries()
  assert.deepEqual(
    [listed?.id, listed?.kind, listed?.object, listed?.name, listed?.by],
    [entry, 'channel', id, 'News', 'Admin']
  )
  assert.ok(Math.abs((listed?.expires ?? 0) - Date.now() - TRASH_DAYS * 86_400_000) < 60_000)
  assert.equal((await admin.send(addChannel, { name: 'News' })).result, SUCCESS)
})

test('a restored channel has its id, settings, keys, inputs, outputs and access again', async () => {
  const id = await add('News')
  const [main, backup] = [await addSource('Main', 'srt://192.0.2.1:9000'), await addSource('Spare', 'udp://:9200')]
  const output = await addListener('Players')
  await admin.send(setChannelInput, { id, input: main })
  await admin.send(setChannel, { id, name: 'News', config: { backups: [backup], slate: true } })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await addUser(hub, 'guest', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  const guest = hub.parts.store.users.byName('guest')?.id ?? 0
  await admin.send(setChannelSecurity, { id, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': guest } })
  const before = await channelOf(id)
  assert.deepEqual(await restore(await remove(id)), [])
  const after = await channelOf(id)
  assert.deepEqual(after.config, before.config)
  assert.deepEqual([after.name, after.input?.id, after['usr-mask']], ['News', main, guest])
  assert.deepEqual(
    after.outputs.list.map((leg) => leg.id),
    [output]
  )
  assert.deepEqual(await entries(), [])
})

test('a restored channel is stopped, unless the caller asks for its start', async () => {
  const id = await add('News')
  await admin.send(enableChannel, { id, enable: true })
  assert.deepEqual(await restore(await remove(id)), [{ of: 'start' }])
  assert.equal((await channelOf(id)).config.enable, false)
  await admin.send(enableChannel, { id, enable: true })
  assert.deepEqual(await restore(await remove(id), true), [])
  assert.equal((await channelOf(id)).config.enable, true)
})

test('a name and keys that were taken meanwhile are replaced, and the answer says so', async () => {
  const id = await add('News')
  const { config } = await channelOf(id)
  const entry = await remove(id)
  await admin.send(addChannel, { name: 'News', config: { 'play-key': config['play-key'] } })
  assert.deepEqual(await restore(entry), [{ of: 'name', was: 'News', now: 'News 2' }, { of: 'play-key' }])
  const restored = await channelOf(id)
  assert.equal(restored.name, 'News 2')
  assert.notEqual(restored.config['play-key'], config['play-key'])
  assert.equal(restored.config['push-key'], config['push-key'])
})

test('a port that was taken meanwhile is replaced by a free one, of outputs and inputs', async () => {
  const output = await addListener('Players')
  const input = await addSource('Camera', 'srt://:9300?mode=listener&passphrase=secret-secret')
  const { trash } = await admin.send(deleteOutputs, { id: output })
  const deletedInput = await admin.send(deleteInputs, { id: input })
  await addListener('Other', 9100)
  await addListener('Third', 9300)
  assert.deepEqual(await restore(trash[0] ?? 0), [{ of: 'port', was: '9100', now: '9001' }])
  assert.deepEqual(await restore(deletedInput.trash[0] ?? 0), [{ of: 'port', was: '9300', now: '9002' }])
  const url = (await admin.send(listInputs, {})).list.find(({ id }) => id === input)?.config.url ?? ''
  assert.match(url, /^srt:\/\/.*:9002\?/)
  assert.match(url, /passphrase=secret-secret/)
})

test('a port that is still free is given back, and so are the keys and secrets of an output', async () => {
  const { id } = await admin.send(addOutput, {
    name: 'Players',
    protocol: SRT,
    config: { ...LISTENER, enc: 'aes-128', passphrase: 'secret-secret' }
  })
  const hls = (await admin.send(addOutput, { name: 'Web', protocol: HTTP, config: { key: 'web-key' } })).id
  const stored = hub.parts.store.sources.outputs()
  const { trash } = await admin.send(deleteOutputs, { id: [id, hls] })
  assert.equal((await admin.send(restoreTrash, { id: trash })).result, SUCCESS)
  assert.deepEqual(hub.parts.store.sources.outputs(), stored)
})

test('the key of an output that was taken meanwhile is replaced', async () => {
  const { id } = await admin.send(addOutput, { name: 'Web', protocol: HTTP, config: { key: 'web-key' } })
  const { trash } = await admin.send(deleteOutputs, { id })
  await admin.send(addOutput, { name: 'Other', protocol: HTTP, config: { key: 'web-key' } })
  assert.deepEqual(await restore(trash[0] ?? 0), [{ of: 'key' }])
})

test('an output whose target another one has is refused, and stays in the trash', async () => {
  const config = { url: 'rtmp://live.example.com/app', key: 'abc' }
  const { id } = await admin.send(addOutput, { name: 'YouTube', protocol: RTMP, config })
  const { trash } = await admin.send(deleteOutputs, { id })
  await admin.send(addOutput, { name: 'Other', protocol: RTMP, config })
  const refused = await admin.send(restoreTrash, { id: trash })
  assert.deepEqual([refused.result, refused.holder?.name], [ALREADY_EXISTS, 'Other'])
  assert.deepEqual(await names(), ['YouTube'])
})

test('restored inputs and outputs return to their channels', async () => {
  const id = await add('News')
  const [main, backup] = [await addSource('Main', 'srt://192.0.2.1:9000'), await addSource('Spare', 'udp://:9200')]
  const output = await addListener('Players')
  await admin.send(setChannelInput, { id, input: main })
  await admin.send(setChannel, { id, name: 'News', config: { backups: [backup] } })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  const inputs = await admin.send(deleteInputs, { id: [main, backup], force: true })
  const outputs = await admin.send(deleteOutputs, { id: output, force: true })
  assert.deepEqual((await channelOf(id)).outputs.list, [])
  await admin.send(restoreTrash, { id: [...inputs.trash, ...outputs.trash] })
  const { input, config, outputs: legs } = await channelOf(id)
  assert.deepEqual([input?.id, config.backups, legs.list.map((leg) => leg.id)], [main, [backup], [output]])
})

test('an input does not replace the one that its channel got meanwhile', async () => {
  const id = await add('News')
  const main = await addSource('Main', 'srt://192.0.2.1:9000')
  const other = await addSource('Other', 'srt://192.0.2.2:9000')
  await admin.send(setChannelInput, { id, input: main })
  const { trash } = await admin.send(deleteInputs, { id: main, force: true })
  await admin.send(setChannelInput, { id, input: other })
  assert.deepEqual(await restore(trash[0] ?? 0), [{ of: 'channel', was: 'News' }])
  assert.equal((await channelOf(id)).input?.id, other)
})

test('a channel and its input are restored together, whichever was deleted first', async () => {
  for (const isInputFirst of [true, false]) {
    const id = await add('News')
    const main = await addSource('Main', 'srt://192.0.2.1:9000')
    await admin.send(setChannelInput, { id, input: main })
    const removeInput = async () => (await admin.send(deleteInputs, { id: main, force: true })).trash
    const first = isInputFirst ? await removeInput() : [await remove(id)]
    const second = isInputFirst ? [await remove(id)] : await removeInput()
    const { restored } = await admin.send(restoreTrash, { id: [...first, ...second] })
    assert.deepEqual(
      restored.flatMap((object) => object['left-out']),
      []
    )
    assert.equal((await channelOf(id)).input?.id, main)
    await admin.send(deleteChannels, { id })
    await admin.send(deleteInputs, { id: main })
  }
})

test('a restored channel says which inputs and outputs no longer exist', async () => {
  const id = await add('News')
  const main = await addSource('Main', 'srt://192.0.2.1:9000')
  const output = await addListener('Players')
  await admin.send(setChannelInput, { id, input: main })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  const entry = await remove(id)
  await admin.send(deleteInputs, { id: main })
  await admin.send(deleteOutputs, { id: output })
  const { restored } = await admin.send(restoreTrash, { id: entry })
  assert.deepEqual(restored[0]?.notes, [
    'The input “Main” no longer exists.',
    'The output “Players” no longer exists, or is in use.'
  ])
})

test('a channel in the trash does not count against the licence, which limits its restoration', async () => {
  hub.parts.store.settings.set('license-limits', {
    ...hub.parts.store.settings.get('license-limits'),
    'max-channel-count': 1
  })
  const entry = await remove(await add('News'))
  assert.ok(await add('Sport'))
  const { result, max } = await admin.send(restoreTrash, { id: entry })
  assert.deepEqual([result, max], [LICENSE_LIMIT, 1])
  assert.deepEqual(await names(), ['News'])
})

test('the timeline of a channel survives its deletion, and ends with the entry', async () => {
  const id = await add('News')
  await restore(await remove(id))
  const { list } = await admin.send(channelTimeline, { id })
  const events = list.filter(({ kind }) => kind === 'change').map(({ event }) => event)
  assert.deepEqual(events, ['restored', 'deleted', 'created'])
  await admin.send(deleteTrash, { id: await remove(id) })
  const { n } =
    hub.parts.store.database.get<{ n: number }>('SELECT count(*) AS n FROM timeline WHERE channel_id = ?', id) ?? {}
  assert.equal(n, 0)
})

test('the operation log names what was restored and deleted for good', async () => {
  await restore(await remove(await add('News')))
  await admin.send(deleteTrash, { id: await remove(await add('Sport')) })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.equal(list[0]?.text, 'Delete from trash: Sport')
  assert.ok(list.some(({ text }) => text === 'Restore from trash: News'))
})

test('a restored preset has its id and settings again', async () => {
  const { id } = await admin.send(addPreset, { name: 'Site', protocol: SRT, config: { 'dst-port': 9000 } })
  const before = await admin.send(listPresets, {})
  const { trash } = await admin.send(deletePreset, { id })
  // The id is not given to another preset meanwhile.
  const other = await admin.send(addPreset, { name: 'Other', protocol: SRT, config: {} })
  assert.notEqual(other.id, id)
  assert.deepEqual(await restore(trash[0] ?? 0), [])
  assert.deepEqual(
    (await admin.send(listPresets, {})).list.find((preset) => preset.id === id),
    before.list[0]
  )
})

async function addGroup(name: string, parent = 0): Promise<number> {
  return (await admin.send(addCatalog, { 'parent-id': parent, name })).id
}
const groupOf = async (sn: string) => (await admin.send(queryDevice, { sn })).dev['catalog-id']

test('a restored group has its devices and groups again, except those that were moved', async () => {
  const sn = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn })
  const id = await addGroup('Campus')
  const child = await addGroup('Aula', id)
  const other = await addGroup('Chapel')
  await admin.send(setCatalog, { id, devices: sn })
  const { trash } = await admin.send(deleteCatalog, { id, force: true })
  await admin.send(setCatalog, { id: other, devices: sn.slice(1) })
  assert.deepEqual(await restore(trash[0] ?? 0), [{ of: 'members', was: '1' }])
  assert.deepEqual([await groupOf(sn[0] ?? ''), await groupOf(sn[1] ?? '')], [id, other])
  const { list } = await admin.send(listCatalogs, {})
  assert.equal(list.find((group) => group.id === child)?.['parent-id'], id)
})

test('a group whose parent is deleted moves up, and the bit of a deleted user leaves its masks', async () => {
  const parent = await addGroup('Campus')
  const id = await addGroup('Aula', parent)
  await addUser(hub, 'guest', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  const guest = hub.parts.store.users.byName('guest')?.id ?? 0
  await admin.send(setCatalog, { id, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': guest } })
  const { trash } = await admin.send(deleteCatalog, { id })
  await admin.send(deleteCatalog, { id: parent })
  await admin.send(deleteUsers, { id: [guest] })
  assert.deepEqual(await restore(trash[0] ?? 0), [{ of: 'parent' }])
  const [group] = (await admin.send(listCatalogs, {})).list
  assert.deepEqual([group?.id, group?.['parent-id'], group?.['usr-mask']], [id, 0, 0])
})

test('only who could delete an object sees, restores and deletes its entry', async () => {
  const hidden = await add('Hidden')
  await admin.send(setChannelSecurity, { id: hidden, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  const entry = await remove(hidden)
  await remove(await add('News'))
  await admin.send(deleteOutputs, { id: await addListener('Players') })
  await admin.send(deleteCatalog, { id: await addGroup('Campus') })
  await addUser(hub, 'editor', CHANNEL_EDIT | CHANNEL_VIEW)
  await addUser(hub, 'patcher', INPUT_OUTPUT_EDIT | INPUT_OUTPUT_VIEW)
  await addUser(hub, 'grouper', DEVICE_GROUP_CONTROL | DEVICE_GROUP_VIEW | DEVICE_VIEW)
  assert.deepEqual(await names(), ['Campus', 'Players', 'News', 'Hidden'])
  assert.deepEqual(await names(hub.clientAs('editor')), ['News'])
  assert.deepEqual(await names(hub.clientAs('patcher')), ['Players'])
  assert.deepEqual(await names(hub.clientAs('grouper')), ['Campus'])
  for (const call of [restoreTrash, deleteTrash])
    for (const user of ['editor', 'patcher', 'grouper'])
      assert.equal((await hub.clientAs(user).send(call, { id: entry })).result, NOT_EXIST)
  assert.equal((await names()).length, 4)
})

test('names of users are for those who may read the operation log, and for the user', async () => {
  await remove(await add('News'))
  const editor = await addUser(hub, 'erik', CHANNEL_EDIT | CHANNEL_VIEW)
  const { id } = await editor.send(addChannel, { name: 'Sport' })
  await editor.send(deleteChannels, { id })
  const authors = async (client: Client) => (await entries(client)).map(({ by }) => by)
  assert.deepEqual(await authors(editor), ['erik', undefined])
  assert.deepEqual(await authors(admin), ['erik', 'Admin'])
})

test('a restored preset gets another id if an import has given its own to another one', async () => {
  const preset = { name: 'Site', protocol: RTMP, config: {} } as const
  const { id } = await admin.send(addPreset, preset)
  const { trash } = await admin.send(deletePreset, { id })
  const { settings, database } = hub.parts.store
  database.transaction(() => settings.set('output-presets', [{ ...preset, id, name: 'Imported' }]))
  const { restored } = await admin.send(restoreTrash, { id: trash })
  const { list } = await admin.send(listPresets, {})
  assert.deepEqual(
    list.map((each) => [each.name, each.id]),
    [
      ['Imported', id],
      ['Site', restored[0]?.object]
    ]
  )
  assert.notEqual(restored[0]?.object, id)
})

test('a device that was deleted and registers again is not put into a restored group', async () => {
  const sn = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn })
  const { id } = { id: await addGroup('Hall') }
  await admin.send(setCatalog, { id, devices: sn })
  const { trash } = await admin.send(deleteCatalog, { id, force: true })
  const { devices } = hub.parts.store
  const [serial = ''] = sn
  devices.remove(devices.bySerial(serial)?.id ?? 0)
  assert.deepEqual(registerDevices(hub, 1), sn)
  assert.deepEqual(await restore(trash[0] ?? 0), [{ of: 'members', was: '1' }])
  assert.equal(devices.bySerial(serial)?.catalog_id, 0)
})

test('the trash keeps the newest entries only', async () => {
  const { database, trash } = hub.parts.store
  const preset = { id: 1, name: 'Site', protocol: SRT, config: {} }
  database.transaction(() => {
    for (let i = 0; i <= TRASH_MAX; i++) trash.putPreset({ ...preset, name: `Site ${i}` }, { by: 'Admin', time: 0 })
  })
  const list = await names()
  assert.deepEqual([list.length, list[0], list.at(-1)], [TRASH_MAX, `Site ${TRASH_MAX}`, 'Site 1'])
})

test('clients are notified when the trash changes', async () => {
  const { changes } = hub.parts.store
  const before = changes.revOf('trash')
  const entry = await remove(await add('News'))
  const deleted = changes.revOf('trash')
  await restore(entry)
  assert.ok(before < deleted && deleted < changes.revOf('trash'))
})

test.run()
