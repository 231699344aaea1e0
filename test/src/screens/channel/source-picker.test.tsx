// The source of a new channel: its kinds, and what can be chosen of each.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { setChannelInput } from '../../../../contract/stream/channel.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import {
  addDevices,
  addNamedChannel,
  listedChannels,
  openAddDialog,
  openChannelList
} from '../../../kit/console/channel-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone
} from '../../../kit/console/page.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('source of a new channel')

hubForEach(test)

test('an existing source can be the input of another channel', async () => {
  const { id } = await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  await openChannelList()
  const { field, list, send } = await openAddDialog()
  await fill(await field('Name'), 'News')
  await click(await findByRole('button', 'Address'))
  await selectOption(await list('Address'), 'RTMP · Studio')
  await send()
  await waitForNone('dialog')
  assert.equal((await listedChannels())[0]?.input?.id, id)
})

test('devices that are online are offered with their pictures, free ones first', async () => {
  const [first = 0] = await addDevices(3)
  for (const index of [1, 2, 3]) hub.parts.registry.setOnline(helloOf(index).sn)
  await other.send(setChannelInput, { id: await addNamedChannel('Old'), input: first })
  await openChannelList()
  const { field, list, send, dialog } = await openAddDialog()
  const devices = await findByRole('group', 'Device', dialog)
  await until(
    () => queryAllByRole('button', undefined, devices).map(visibleText).join() === 'Hall 2,Hall 3,Hall 1',
    () => queryAllByRole('button', undefined, devices).map(visibleText).join()
  )
  const hall = await findByRole('button', /Hall 3/, devices)
  await click(hall)
  assert.equal(hall.getAttribute('aria-pressed'), 'true')
  assert.match((await list('Device')).selectedOptions[0]?.textContent ?? '', /Hall 3$/)
  await fill(await field('Name'), 'News')
  await send()
  await waitForNone('dialog')
  assert.equal((await listedChannels()).find(({ name }) => name === 'News')?.input?.name, 'Hall 3')
})

test('each kind of source offers its own inputs, and all but the encoder need one', async () => {
  await addDevices(1)
  hub.parts.registry.setOnline(helloOf(1).sn)
  await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  await other.send(addInput, { name: 'Foyer', config: { type: 1, url: 'ntkndi://ndi?name=FOYER' } })
  await openChannelList()
  const { field, list, send, dialog } = await openAddDialog()
  const offered = async (name: string) =>
    queryAllByRole('option', undefined, await list(name))
      .map(visibleText)
      .slice(1)
  await findByRole('button', /Hall 1/, await findByRole('group', 'Device', dialog))
  assert.deepEqual(await offered('Device'), ['Ultra Encode · Hall 1'])
  await waitForNone('button', 'Add input')
  await fill(await field('Name'), 'News')
  await send()
  await waitForFieldMessage(await list('Device'), 'Required')
  await click(await findByRole('button', 'NDI source', dialog))
  assert.deepEqual(await offered('NDI source'), ['NDI · Foyer'])
  await click(await findByRole('button', 'Address', dialog))
  assert.deepEqual(await offered('Address'), ['RTMP · Studio'])
  await click(await findByRole('button', 'Wait for an encoder', dialog))
  await waitForNone('combobox', 'Address')
  await send()
  await waitForNone('dialog')
  assert.equal((await listedChannels())[0]?.input?.id, 0, 'the publisher')
})

test.run()
