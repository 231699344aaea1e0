import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannels,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, deleteInputs, deleteOutputs } from '../../../../contract/stream/source.ts'
import { listTrash } from '../../../../contract/trash.ts'
import { linkTo } from '../../../../src/paths.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, press, queryAllByRole, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { buttonInRow, rowNames } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('trash')

hubForEach(test)

const channelNames = async () => (await other.send(channelDashboard, {})).list.map(({ name }) => name)
const trashedNames = async () => (await other.send(listTrash, {})).list.map(({ name }) => name)

async function trashChannels(...names: string[]): Promise<void> {
  for (const name of names) {
    const { id } = await other.send(addChannel, { name })
    await other.send(deleteChannels, { id })
  }
}

test('an entry is restored, and the message leads to the channel', async () => {
  await trashChannels('News', 'Sport')
  await openConsole(hub, { at: linkTo('trash') })
  await findByRole('row', /News/)
  assert.deepEqual(rowNames(), ['Sport', 'News'], 'the newest first')
  await click(await buttonInRow('News', 'Restore'))
  await waitForText('News restored')
  await waitForNone('row', /News/)
  assert.deepEqual(await channelNames(), ['News'])
  await findByRole('link', 'Open')
})

test('the message says what an object could not be given back, and stays', async () => {
  await trashChannels('News')
  await other.send(addChannel, { name: 'News' })
  await openConsole(hub, { at: linkTo('trash') })
  await click(await buttonInRow('News', 'Restore'))
  await waitForText('News 2 restored')
  await waitForText('The name “News” is in use. New name: “News 2”.')
})

test('an entry is deleted for good after a confirmation, and the trash is emptied', async () => {
  await trashChannels('News', 'Sport', 'Film')
  await openConsole(hub, { at: linkTo('trash') })
  await click(await buttonInRow('News', 'Delete for good: News'))
  const question = await findByRole('dialog', 'Delete News for good?')
  await waitForText('This cannot be undone.', question)
  await click(await findByRole('button', 'Delete News for good', question))
  await waitForNone('row', /News/)
  assert.deepEqual(await trashedNames(), ['Film', 'Sport'])
  await click(await findByRole('button', 'Empty trash'))
  await click(await findByRole('button', 'Empty trash', await findByRole('dialog', 'Empty trash?')))
  await waitForText('The trash is empty')
  assert.deepEqual(await trashedNames(), [])
})

test('an input from the host of an output is restored to its channel after a question', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  const main = await other.send(addInput, { name: 'Main', config: { type: 1, url: 'srt://live.example:9000' } })
  await other.send(setChannelInput, { id, input: main.id })
  await other.send(deleteInputs, { id: main.id, force: true })
  const config = { url: 'rtmp://live.example/app', key: 'abc' }
  const output = await other.send(addOutput, { name: 'Platform', protocol: RTMP, config })
  await other.send(addChannelOutputs, { id, outputs: [output.id] })
  await openConsole(hub, { at: linkTo('trash') })
  await click(await buttonInRow('Main', 'Restore'))
  const question = await findByRole('dialog', 'Input and output must not use the same domain')
  assert.deepEqual(await trashedNames(), ['Main'])
  await click(await findByRole('button', 'Proceed anyway', question))
  await waitForText('Main restored')
  assert.equal((await other.send(queryChannel, { id })).channel.input?.name, 'Main')
})

test('the address keeps the kind that is shown', async () => {
  await trashChannels('News')
  const { id } = await other.send(addOutput, {
    name: 'Players',
    protocol: SRT,
    config: { mode: 'listener', 'bind-port': 9100 }
  })
  await other.send(deleteOutputs, { id })
  await openConsole(hub, { at: linkTo('trash', { kind: 'output' }) })
  await findByRole('row', /Players/)
  assert.deepEqual(rowNames(), ['Players'])
})

test('a user without the permission to delete anything sees why the page is empty', async () => {
  await addUser(hub, 'viewer', 1024)
  await openConsole(hub, { at: linkTo('trash'), user: 'viewer' })
  await waitForText('Ask an administrator for it.')
})

test('the page is in the language of the user', async () => {
  await trashChannels('News')
  await openConsole(hub, { at: linkTo('trash') })
  await setLanguage('zh')
  await findByRole('button', '清空回收站')
  await setLanguage('en')
})

test('a channel that is not on air is deleted without a question, and Undo brings it back', async () => {
  await other.send(addChannel, { name: 'News' })
  await openConsole(hub, { at: linkTo('channels') })
  await click(await findByRole('button', 'Actions: News'))
  await click(await findByRole('menuitem', 'Delete'))
  await waitForText('News deleted')
  assert.deepEqual(await channelNames(), [])
  await click(await findByRole('button', 'Undo'))
  await waitForText('News restored')
  await findByRole('row', /News/)
  assert.deepEqual(await channelNames(), ['News'])
  assert.deepEqual(queryAllByRole('button', 'Undo'), [], 'the undo itself is not undone')
})

test('Ctrl-Z undoes a deletion, and starts the channel that was on', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  await other.send(enableChannel, { id, enable: true })
  await openConsole(hub, { at: linkTo('channels') })
  await click(await findByRole('button', 'Actions: News'))
  await click(await findByRole('menuitem', 'Delete'))
  await waitForText('News deleted')
  await press(document.body, 'z', { ctrlKey: true })
  await waitForText('News restored')
  await until(async () => (await other.send(channelDashboard, {})).list[0]?.config.enable === true, 'the channel is on')
})

test.run()
