import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../contract/access/permissions.ts'
import { addInput, listInputs } from '../../../contract/stream/source.ts'
import { addTag, assignTags, listTags } from '../../../contract/tag.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { currentLink } from '../../../src/state/location.ts'
import { addNamedChannel, chooseFromMenu, listedChannels, openChannelList } from '../../kit/console/channel-list.ts'
import { openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../kit/console/page.ts'
import { findRow, rowNames } from '../../kit/console/table-rows.ts'
import { addUser } from '../../kit/hub/hub.ts'
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
  await click(await findByRole('button', 'Edit tags', await findByRole('toolbar', 'Actions')))
  const dialog = await findByRole('dialog', 'Tags: 2 items')
  const box = await findByRole<HTMLInputElement>('checkbox', /^Client A/, dialog)
  assert.ok(box.indeterminate)
  await waitForText('on 1 of 2', dialog)
  await click(box)
  await click(await findByRole('button', 'Save', dialog))
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

test.run()
