// The question before a channel receives from a host and sends to it.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { setChannelInput } from '../../../../contract/stream/channel.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import {
  addRtmpInput,
  channelForEach,
  channelId,
  fetchChannel,
  openChannelPage
} from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findForm, storedOutputs } from '../../../kit/console/source-list.ts'
import { until } from '../../../kit/until.ts'

const test = suite('same host')

channelForEach(test)

const QUESTION = 'Input and output must not use the same domain'
const outputCount = async () => (await fetchChannel()).outputs.total

test('an output to the host of the input is added when the user insists, else nothing is left over', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  await openChannelPage()
  await click(queryAllByRole('button', 'Add output')[0] as HTMLElement)
  const { list, write, send } = await findForm('Add output: News', 'Add output')
  await selectOption(await list('Protocol'), 'SRT caller')
  await write({ Name: 'Back', Address: '192.0.2.20', Port: '9000' })
  await send()
  const question = await findByRole('dialog', QUESTION)
  await waitForText('The channel would receive from 192.0.2.20 and send to it.', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog', QUESTION)
  const button = await findByRole('button', 'Add output', await findByRole('dialog', 'Add output: News'))
  await until(() => button.getAttribute('aria-busy') === null, 'the form can be sent again')
  assert.deepEqual([await outputCount(), hub.parts.store.sources.outputs().length], [0, 0])
  await send()
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog', QUESTION)))
  await waitForNone('dialog')
  assert.equal(await outputCount(), 1)
})

test('an address of a saved output that is the host of the input is an error at its field, unless the user insists', async () => {
  const { id } = await other.send(addInput, { name: 'Cam', config: { type: 1, url: 'srt://192.0.2.20:9000' } })
  await other.send(setChannelInput, { id: channelId, input: id })
  await openChannelPage()
  await click(queryAllByRole('button', 'Add output')[0] as HTMLElement)
  const output = await findForm('Add output: News', 'Add output')
  await selectOption(await output.list('Protocol'), 'UDP')
  await output.write({ Name: 'Wall', Address: '192.0.2.30', Port: '5000' })
  await output.send()
  await waitForNone('dialog')
  await click(await findByRole('button', /^Edit.*Wall/))
  const edit = await findForm('Edit Wall', 'Save')
  await edit.write({ Address: '192.0.2.20' })
  await edit.send()
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', QUESTION)))
  await waitForFieldMessage(await edit.field('Address'), QUESTION)
  const save = await findByRole('button', 'Save')
  await until(() => save.getAttribute('aria-busy') === null, 'the form can be sent again')
  await edit.send()
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog', QUESTION)))
  await waitForNone('dialog')
  assert.deepEqual(storedOutputs()[0]?.config, { 'dst-ip': '192.0.2.20', 'dst-port': 5000, mtu: 1500 })
})

test.run()
