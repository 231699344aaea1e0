import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_CONTROL,
  DEVICE_VIEW,
  INPUT_OUTPUT_VIEW
} from '../../../contract/access/permissions.ts'
import { acceptDevices, listDevices } from '../../../contract/device/device.ts'
import { addInput, listInputs } from '../../../contract/stream/source.ts'
import { addTag, assignTags, listTags, setTagSecurity } from '../../../contract/tag.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { currentLink, navigate } from '../../../src/state/location.ts'
import { addNamedChannel, chooseFromMenu, listedChannels, openChannelList } from '../../kit/console/channel-list.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import {
  acceptDevicesUpTo,
  menuItemOf,
  selectionToolbar,
  selectRow,
  waitForRows
} from '../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../kit/console/page.ts'
import { findRow, rowNames } from '../../kit/console/table-rows.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('tags in the console')

hubForEach(test)

const add = async (name: string) => (await other.send(addTag, { name, color: 'teal' })).id
const tagNames = async () => (await other.send(listTags, {})).list.map(({ name }) => name)

test('the first tag is added in the dialog of a channel, and shown in the list', async () => {
  await addNamedChannel('News')
  await openChannelList()
  await findRow('News')
  await chooseFromMenu('News', 'Edit tags')
  const dialog = await findByRole('dialog', 'Tags: News')
  await waitForText('No tags yet.', dialog)
  await click(await findByRole('button', 'Add tag', dialog))
  const form = await findByRole('dialog', 'Add tag')
  await fill(await findByRole('textbox', 'Name', form), 'Client A')
  await selectOption(await findByRole('combobox', 'Color', form), 'Red')
  await click(await findByRole('button', 'Add tag', form))
  await waitForNone('dialog', 'Add tag')
  const box = await findByRole<HTMLInputElement>('checkbox', 'Client A', dialog)
  assert.ok(box.checked, 'the new tag is chosen for the channel')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Client A', await findRow('News'))
  const [channel] = await listedChannels()
  const [tag] = (await other.send(listTags, {})).list
  assert.deepEqual(channel?.tags, [tag?.id])
  assert.equal(tag?.color, 'red')
})

test('channels are filtered by tag, and the URL keeps the choice', async () => {
  const tag = await add('Client A')
  const ids = [await addNamedChannel('Hall'), await addNamedChannel('News')]
  await addNamedChannel('Other')
  await other.send(assignTags, { channels: ids, add: [tag] })
  await openChannelList()
  await click(await findByRole('button', /Client A 2$/, await findByRole('group', 'Tags')))
  await until(() => rowNames().join() === 'Hall,News', 'the channels with the tag')
  assert.equal(currentLink(), linkTo('channels', { tag: String(tag) }))
})

test('tags of several channels are changed at once; one that some of them have is marked', async () => {
  const [first, second] = [await add('Client A'), await add('Client B')]
  const id = await addNamedChannel('Hall')
  await addNamedChannel('News')
  await other.send(assignTags, { channels: [id], add: [first, second] })
  await openChannelList()
  await findRow('News')
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'Edit 2 items', await findByRole('toolbar', 'Actions')))
  const edit = await findByRole('dialog', 'Edit 2 items')
  await click(await findByRole('button', 'Tags', edit))
  const dialog = await findByRole('dialog', 'Tags: 2 items')
  const box = await findByRole<HTMLInputElement>('checkbox', /^Client A/, dialog)
  assert.ok(box.indeterminate)
  await waitForText('on 1 of 2', dialog)
  await click(box)
  await click(await findByRole('button', 'Preview changes', dialog))
  await waitForText(/Hall No change|1 of 2 channels change/, edit)
  await waitForText(/News \+ Client A/, edit)
  await click(await findByRole('button', 'Apply changes', edit))
  await waitForNone('dialog')
  assert.deepEqual(
    (await listedChannels()).map(({ tags }) => tags),
    [[first, second], [first]]
  )
})

test('a tag is renamed and deleted in the dialog of an input', async () => {
  const tag = await add('Client A')
  await add('Client B')
  const input = { name: 'Camera', config: { type: 1, url: 'srt://192.0.2.1:9000' } } as const
  const { id } = await other.send(addInput, input)
  await other.send(assignTags, { sources: [id], add: [tag] })
  await openConsole(hub, { at: ROUTES.inputs })
  await waitForText('Client A', await findRow('Camera'))
  await chooseFromMenu('Camera', 'Edit tags')
  const dialog = await findByRole('dialog', 'Tags: Camera')
  await click(await findByRole('button', 'Edit Client A', dialog))
  const field = await findByRole('textbox', 'Name', await findByRole('dialog', 'Edit Client A'))
  await fill(field, 'client b')
  await click(await findByRole('button', 'Save', await findByRole('dialog', 'Edit Client A')))
  await waitForFieldMessage(field, 'The name already exists')
  await fill(field, 'Client C')
  await click(await findByRole('button', 'Save', await findByRole('dialog', 'Edit Client A')))
  await waitForText('Client C', dialog)
  await click(await findByRole('button', 'Delete Client C', dialog))
  const question = await findByRole('dialog', 'Delete Client C?')
  await waitForText('The tag is removed from all objects that have it: 1.', question)
  await click(await findByRole('button', 'Delete Client C', question))
  await waitForNone('checkbox', 'Client C', dialog)
  assert.deepEqual(await tagNames(), ['Client B'])
  assert.equal((await other.send(listInputs, {})).list[0]?.tags, undefined)
})

test('who may not edit channels sees their tags, and cannot change them', async () => {
  const tag = await add('Client A')
  await other.send(assignTags, { channels: [await addNamedChannel('News')], add: [tag] })
  await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await openConsole(hub, { at: ROUTES.channels, user: 'viewer' })
  await waitForText('Client A', await findRow('News'))
  await click(await findByRole('button', 'Actions: News', await findRow('News')))
  await findByRole('menuitem', 'Settings')
  assert.equal(queryAllByRole('menuitem', 'Edit tags').length, 0)
})

test('devices are filtered by tag together with the other filters, by the hub, with one request', async () => {
  const [first = '', second = '', third = ''] = await acceptDevicesUpTo(400)
  const [tag, other1] = [await add('Client A'), await add('Client B')]
  await add('Unused')
  // The last device in the order of the list is on none of its first pages.
  const last = 'Hall 400'
  const { list } = await other.send(listDevices, { key: last })
  await other.send(assignTags, { sn: [first, second, list[0]?.sn ?? ''], add: [tag] })
  await other.send(assignTags, { sn: [third], add: [other1] })
  hub.parts.registry.setOnline(second)
  const requests: string[] = []
  const console = await openConsole(hub)
  console.intercept = (path) => {
    if (path.includes('/device/list?') || path.includes('/tag/list')) requests.push(path)
    return undefined
  }
  navigate(ROUTES.allDevices)
  await waitForText('Client A', await findRow('Hall 1'))
  const chips = await findByRole('group', 'Tags')
  assert.deepEqual(queryAllByRole('button', undefined, chips).map(nameOf), ['All', '●Client A 3', '●Client B 1'])
  assert.ok(requests.length <= 3, requests.join('\n'))
  await click(await findByRole('button', /Client A 3$/, chips))
  await waitForRows(['Hall 1', 'Hall 2', last])
  assert.equal(currentLink(), linkTo('allDevices', { tag: String(tag) }))
  await selectOption(await findByRole('combobox', 'State'), 'Online')
  await waitForRows(['Hall 2'])
  assert.equal(currentLink(), `/devices/all?tag=${tag}&state=online`)
  await click(await findByRole('button', 'Clear filter'))
  await findRow('Hall 3')
  assert.equal(currentLink(), ROUTES.allDevices)
})

test('tags are put on one device and on several, and shown on the page of a device', async () => {
  const [sn = ''] = await acceptDevicesUpTo(3)
  const tag = await add('Client A')
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall 1', 'Edit tags'))
  let dialog = await findByRole('dialog', 'Tags: Hall 1')
  await click(await findByRole('checkbox', 'Client A', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Client A', await findRow('Hall 1'))
  await selectRow('Hall 1')
  await selectRow('Hall 2')
  await click(await findByRole('button', 'More', await selectionToolbar()))
  await click(await findByRole('menuitem', 'Edit tags'))
  dialog = await findByRole('dialog', 'Tags: 2 items')
  await click(await findByRole('checkbox', /^Client A/, dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Client A', await findRow('Hall 2'))
  const { list } = await other.send(listDevices, { sort: 'name', order: 'ascending' })
  assert.deepEqual(
    list.map(({ tags }) => tags),
    [[tag], [tag], undefined]
  )
  navigate(linkTo('deviceDetail', { sn, catalog: '0' }))
  await findByRole('heading', 'Hall 1')
  await waitForText('Client A')
})

test('tags of more devices than a call takes are changed in several calls', async () => {
  const { settings } = hub.parts.store
  settings.set('license-limits', { ...settings.get('license-limits'), 'max-dev-count': 1200 })
  // An address may register only so many devices within a time.
  const serials = Array.from({ length: 1200 }, (_, index) => {
    hub.parts.registry.register(helloOf(index + 1), `192.0.2.${Math.floor(index / 100)}`)
    return helloOf(index + 1).sn
  })
  for (let start = 0; start < serials.length; start += 500)
    await other.send(acceptDevices, { sn: serials.slice(start, start + 500) })
  const tag = await add('Client A')
  await openConsole(hub, { at: ROUTES.allDevices })
  await findRow('Hall 1')
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'More', await selectionToolbar()))
  await click(await findByRole('menuitem', 'Edit tags'))
  const dialog = await findByRole('dialog', 'Tags: 1200 items')
  await click(await findByRole('checkbox', 'Client A', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  assert.equal((await other.send(listDevices, { tag })).total, 1200)
})

test('who may not control devices sees their tags, and cannot change them', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  await other.send(assignTags, { sn: [sn], add: [await add('Client A')] })
  await addUser(hub, 'viewer', DEVICE_VIEW)
  await addUser(hub, 'operator', DEVICE_VIEW | DEVICE_CONTROL)
  await openConsole(hub, { at: ROUTES.allDevices, user: 'viewer' })
  await waitForText('Client A', await findRow('Hall 1'))
  await menuItemOf('Hall 1', 'Add to favorites')
  assert.equal(queryAllByRole('menuitem', 'Edit tags').length, 0)
  await closeConsole()
  await openConsole(hub, { at: ROUTES.allDevices, user: 'operator' })
  await menuItemOf('Hall 1', 'Edit tags')
})

test('a tag that gives access is locked for those who may not set the access', async () => {
  const tag = await add('Client A')
  await addNamedChannel('News')
  await other.send(setTagSecurity, { id: tag, security: { 'group-mask': 4, 'usr-mask': 0 } })
  await addUser(hub, 'editor', CHANNEL_VIEW | CHANNEL_EDIT | INPUT_OUTPUT_VIEW)
  await openConsole(hub, { user: 'editor', at: ROUTES.channels })
  await findRow('News')
  await chooseFromMenu('News', 'Edit tags')
  const dialog = await findByRole('dialog', 'Tags: News')
  await waitForText('The tag gives access', dialog)
  assert.ok((await findByRole<HTMLInputElement>('checkbox', /^Client A/, dialog)).disabled)
  for (const label of ['Edit Client A', 'Delete Client A'])
    assert.equal((await findByRole('button', label, dialog)).getAttribute('aria-disabled'), 'true')
  assert.deepEqual(queryAllByRole('button', 'Access by tag Client A'), [])
})

test.run()
