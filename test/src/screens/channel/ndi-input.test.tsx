// NDI in the dialogs of channels: found sources as inputs, with a fake NDI runtime, and the NDI output of new channels.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addNdiPreset, listNdiPresets } from '../../../../contract/ndi/preset.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { queryChannel } from '../../../../contract/stream/channel.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { createFakeNdi, type FakeNdi } from '../../../engine/ndi/fake-ndi.ts'
import {
  addNamedChannel,
  findForm,
  listedChannels,
  openAddDialog,
  openChannelList
} from '../../../kit/console/channel-list.ts'
import { hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findRow } from '../../../kit/console/table-rows.ts'

const test = suite('NDI in channel dialogs')
hubForEach(test)

let network: FakeNdi | undefined
test.after.each(() => network?.remove())

test('a found source is an input of a new channel, for which it becomes a preset first', async () => {
  network = createFakeNdi('libndi.so.6')
  network.announce(['STUDIO (Cam 1)', '10.0.0.9:5961'], ['STUDIO (Cam 2)', '10.0.0.9:5962'])
  await replaceHub({ ndi: { folders: [network.folder] } })
  await other.send(addNdiPreset, { name: 'Pulpit', ndi: { name: 'STUDIO (Cam 1)' } })
  await openChannelList()
  const { field, list, send } = await openAddDialog()
  await fill(await field('Name'), 'Hall')
  await click(await findByRole('button', 'NDI source'))
  const inputs = await list('NDI source')
  await findByRole('option', 'NDI · STUDIO (Cam 2) (found)', inputs)
  assert.equal(queryAllByRole('option', /Cam 1/, inputs).length, 0, 'a preset stands under its own name')
  assert.equal(queryAllByRole('option', 'NDI · Pulpit', inputs).length, 1)
  await selectOption(inputs, 'NDI · STUDIO (Cam 2) (found)')
  const preset = await findForm('Add input', 'Add input')
  assert.deepEqual(
    [(await preset.field('Name')).value, (await preset.field('NDI name')).value],
    ['Cam 2', 'STUDIO (Cam 2)']
  )
  await preset.send()
  await waitForNone('dialog', 'Add input')
  const stored = (await other.send(listNdiPresets, {})).list.find(({ name }) => name === 'Cam 2')
  assert.equal(stored?.ndi.name, 'STUDIO (Cam 2)')
  assert.equal((await list('NDI source')).value, String(stored?.id), 'it is chosen at once')
  await send()
  await waitForNone('dialog')
  assert.equal((await listedChannels())[0]?.input?.id, stored?.id)
})

test('a channel that is added while the setting is on has an NDI output, in the list too', async () => {
  await addNamedChannel('Before')
  await other.send(setSettings, { channel: { 'ndi-enable': true } })
  await openChannelList()
  const { field, send } = await openAddDialog()
  await fill(await field('Name'), 'Hall')
  await fill(await field('SRT output port'), '')
  await send()
  await findByRole('heading', 'Off air')
  location.hash = `#${ROUTES.channels}`
  await waitForText('0 of 1 on air', await findRow('Hall'))
  await waitForText('No outputs', await findRow('Before'))
  for (const { id, name } of await listedChannels()) {
    const { ndi } = (await other.send(queryChannel, { id })).channel.config
    assert.equal(ndi?.enable ?? false, name === 'Hall', name)
  }
})

test.run()
