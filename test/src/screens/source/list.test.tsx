import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, HTTP, SOURCE_STATE, SRT } from '../../../../contract/stream/protocols.ts'
import { addOutput, listInputs } from '../../../../contract/stream/source.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { closeConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  press,
  queryAllByRole,
  recordClipboard,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import {
  addNamedInput,
  addSrtOutput,
  openAddDialog,
  openSourceList,
  storedUrls
} from '../../../kit/console/source-list.ts'
import { buttonInRow, findRow, rowNames } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('source lists')

hubForEach(test)

test('an input shows the channels that use it and its state there', async () => {
  const id = await addNamedInput('Studio')
  await addNamedInput('Spare')
  const { id: channel } = await other.send(addChannel, { name: 'News' })
  await other.send(setChannelInput, { id: channel, input: id })
  await other.send(enableChannel, { id: channel, enable: true })
  const leg = { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused, kbps: 0, livingTimeS: 0 }
  const { engine, store } = hub.parts
  engine.observe = () => ({ ...leg, input: leg, outputs: new Map() })
  store.changes.markChanged('channel', channel)
  await openSourceList()
  await waitForText('Down The peer refused the connection.', await findRow('Studio'))
  await waitForText('–', await findRow('Spare'))
  const to = await findByRole<HTMLAnchorElement>('link', 'News', await findRow('Studio'))
  assert.equal(to.hash.slice(1), linkTo('channelDetail', { channelId: String(channel) }))
})

test('a backup input shows its state in its channel', async () => {
  const [id, spare] = [await addNamedInput('Studio'), await addNamedInput('Spare')]
  const { id: channel } = await other.send(addChannel, { name: 'News', config: { backups: [spare] } })
  await other.send(setChannelInput, { id: channel, input: id })
  await other.send(enableChannel, { id: channel, enable: true })
  const leg = { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused, kbps: 0, livingTimeS: 0 }
  const { engine, store } = hub.parts
  const failedLeg = { ...leg, connState: CONNECTION_STATE.nameNotFound }
  engine.observe = () => ({ ...leg, input: leg, backups: new Map([[spare, failedLeg]]), outputs: new Map() })
  store.changes.markChanged('channel', channel)
  await openSourceList()
  await waitForText('Down The address cannot be reached.', await findRow('Spare'))
  await waitForText('Down The peer refused the connection.', await findRow('Studio'))
})

test('an output shows the verdict of its channel page, also if it is switched off', async () => {
  const [foyer, hall] = [
    await addSrtOutput('Foyer', await freeUdpPort()),
    await addSrtOutput('Hall', await freeUdpPort())
  ]
  const { id } = await other.send(addChannel, { name: 'News' })
  await other.send(addChannelOutputs, { id, outputs: [foyer, hall] })
  await other.send(enableChannel, { id, enable: true })
  await openSourceList(ROUTES.outputs)
  await waitForText('Waiting', await findRow('Foyer'))
  await other.send(enableChannelOutputs, { id, outputs: [foyer], enable: false })
  await waitForText('Stopped', await findRow('Foyer'))
  await waitForText('Waiting', await findRow('Hall'))
})

test('a source in use is deleted after a confirmation that names its channel, others without one', async () => {
  const id = await addNamedInput('Studio')
  await addNamedInput('Spare')
  const { id: channel } = await other.send(addChannel, { name: 'News' })
  await other.send(setChannelInput, { id: channel, input: id })
  await openSourceList()
  await click(await buttonInRow('Spare', /^Delete/))
  await until(() => rowNames().join() === 'Studio', 'one input')
  await click(await buttonInRow('Studio', /^Delete/))
  await waitForText(/Everything that uses it will be interrupted. News/, await findByRole('dialog'))
  await click(await findByRole('button', 'Cancel', await findByRole('dialog')))
  await waitForNone('dialog')
  assert.equal((await storedUrls()).length, 1)
  await clickWhenFree(/^Delete/, await findRow('Studio'))
  await click(await findByRole('button', 'Proceed anyway'))
  await waitForText('No inputs yet')
  assert.deepEqual(await storedUrls(), [])
})

test('a source with the same name can be replaced after a confirmation that names the channels', async () => {
  const id = await addNamedInput('Studio')
  await openSourceList()
  const { write, field, send, list } = await openAddDialog('Add input')
  await selectOption(await list('Protocol'), 'RTMP')
  await write({ Name: 'studio', Address: '192.0.2.30', Path: 'live/y' })
  await send()
  await waitForText(
    'The existing item with this name will be replaced.',
    await findByRole('dialog', 'The name already exists')
  )
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'The name already exists')))
  await waitForFieldMessage(await field('Name'), 'The name already exists')
  assert.deepEqual(await storedUrls(), [['Studio', 'rtmp://192.0.2.20:1935/live/x']])
  const { id: channel } = await other.send(addChannel, { name: 'News' })
  await other.send(setChannelInput, { id: channel, input: id })
  await send()
  await waitForText(
    /Everything that uses it will be interrupted. News/,
    await findByRole('dialog', 'The name already exists')
  )
  await click(await findByRole('button', 'Proceed anyway'))
  await waitForNone('dialog')
  assert.deepEqual(await storedUrls(), [['studio', 'rtmp://192.0.2.30:1935/live/y']])
  assert.equal((await other.send(listInputs, {})).list[0]?.id, id)
})

test('several sources are selected and deleted at once', async () => {
  for (const name of ['A', 'B', 'C']) await addNamedInput(name)
  await openSourceList()
  for (const name of ['A', 'C']) await click(await findByRole('checkbox', `Select ${name}`))
  await click(await findByRole('button', 'Delete 2 items', await findByRole('toolbar', 'Actions')))
  await until(() => rowNames().join() === 'B', 'one input')
})

test('a search over names and addresses is kept in the URL, and the order can be changed', async () => {
  await addNamedInput('Studio', 'rtsp://192.0.2.20/one')
  await addNamedInput('Gate', 'srt://192.0.2.30:9000')
  const console = await openSourceList()
  assert.deepEqual(rowNames(), ['Gate', 'Studio'])
  await click(await findByRole('button', 'Name'))
  assert.deepEqual(rowNames(), ['Studio', 'Gate'])
  const box = await findByRole('textbox', 'Search')
  await fill(box, '2.30')
  await press(box, 'Enter')
  await until(() => rowNames().join() === 'Gate', 'one input')
  assert.equal(console.currentPath(), '/stream/input?key=2.30')
  await fill(box, 'zzz')
  await press(box, 'Enter')
  await waitForText('Nothing found')
})

test('the URL for the remote end can be copied, without secrets on the screen', async () => {
  await addNamedInput('In', 'srt://0.0.0.0:9100?mode=listener&latency=80&streamid=hidden&passphrase=hidden-too-here')
  await addNamedInput('Pull', 'srt://192.0.2.30:9000')
  const copied = recordClipboard()
  await openSourceList()
  assert.equal(queryAllByRole('button', /^URL/, await findRow('Pull')).length, 0)
  await click(await buttonInRow('In', /^URL/))
  const dialog = await findByRole('dialog')
  await waitForText(/srt:\/\/hub\.test:9100\?mode=caller&latency=80&streamid=/, dialog)
  assert.ok(!visibleText().includes('hidden'))
  await click(queryAllByRole('button', /^Copy/, dialog)[0] as HTMLElement)
  assert.deepEqual(copied, ['srt://hub.test:9100?mode=caller&latency=80&streamid=hidden&passphrase=hidden-too-here'])
})

test('the URL is shown for each address of the hub', async () => {
  await addNamedInput('In', 'srt://0.0.0.0:9100?mode=listener&latency=80')
  const console = await openSourceList()
  const addresses = ['192.0.2.1', '198.51.100.1'].map((address) => ({ iface: 'eth0', address }))
  console.intercept = (path) =>
    path.includes('/system/addresses') ? Response.json({ result: SUCCESS, addresses, ports: {} }) : undefined
  await click(await buttonInRow('In', /^URL/))
  const dialog = await findByRole('dialog')
  for (const host of ['hub.test', '192.0.2.1', '198.51.100.1'])
    await waitForText(`srt://${host}:9100?mode=caller`, dialog)
  assert.equal(queryAllByRole('button', /^Copy/, dialog).length, 3)
})

test('the URL of an output for players contains its key', async () => {
  const config = { key: 'hall-key' }
  await other.send(addOutput, { name: 'Pages', protocol: HTTP, config })
  await openSourceList(ROUTES.outputs)
  const copied = recordClipboard()
  await click(await buttonInRow('Pages', /^URL/))
  await waitForText(/\/hls\/\*\*\*\*\/index\.m3u8/, await findByRole('dialog'))
  await click(queryAllByRole('button', /^Copy/)[0] as HTMLElement)
  assert.deepEqual(copied, [`${location.origin}/hls/hall-key/index.m3u8`])
})

test('the URL of an SRT listener contains the stream ID that callers need', async () => {
  const config = { mode: 'listener', 'bind-port': 9001, 'stream-id': 'hall/1&2' } as const
  await other.send(addOutput, { name: 'Hall', protocol: SRT, config })
  await openSourceList(ROUTES.outputs)
  const copied = recordClipboard()
  await click(await buttonInRow('Hall', /^URL/))
  const dialog = await findByRole('dialog', 'URL for the remote end')
  await waitForText('srt://hub.test:9001', dialog)
  await click(queryAllByRole('button', /^Copy/, dialog)[0] as HTMLElement)
  assert.deepEqual(copied, ['srt://hub.test:9001?streamid=hall%2F1%262'])
  await click(queryAllByRole('button', 'QR code', dialog)[0] as HTMLElement)
  await findByRole('img', 'QR code', await findByRole('dialog', 'QR code'))
})

test('an output shows the channel that uses it', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  await other.send(addChannelOutputs, { id, outputs: [await addSrtOutput('Foyer', 9001)] })
  await addSrtOutput('Spare', 9002)
  await openSourceList(ROUTES.outputs)
  await findByRole('link', 'News', await findRow('Foyer'))
  assert.equal(queryAllByRole('link', undefined, await findRow('Spare')).length, 0)
  navigate(linkTo('outputs', { key: 'spare' }))
  await until(() => rowNames().join() === 'Spare', 'one output')
})

test('a user with permission only to view changes nothing; without permission to view channels the rest is shown', async () => {
  await addNamedInput('Studio')
  await addUser(hub, 'viewer', INPUT_OUTPUT_VIEW)
  await addUser(hub, 'editor', INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT | CHANNEL_VIEW)
  const console = await openSourceList(ROUTES.inputs, 'viewer')
  await findRow('Studio')
  const requests: string[] = []
  console.intercept = (path) => void (/\/(add|set|del)$/.test(path) && requests.push(path))
  for (const name of ['Add input', /^Edit/, /^Delete/]) await waitForNone('button', name)
  assert.equal(queryAllByRole('dialog').length, 0)
  assert.deepEqual(requests, [])
  await closeConsole()
  await openSourceList(ROUTES.inputs, 'editor')
  assert.equal((await buttonInRow('Studio', /^Edit/)).getAttribute('aria-disabled'), null)
})

test.run()
