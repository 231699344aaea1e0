import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW
} from '../../../../contract/access/permissions.ts'
import { LICENSE_LIMIT } from '../../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../../contract/device/device.ts'
import { addChannelOutputs, enableChannel } from '../../../../contract/stream/channel.ts'
import { DIR_OUTPUT } from '../../../../contract/stream/protocols.ts'
import { addInput, listInputs } from '../../../../contract/stream/source.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import {
  addDevices,
  addNamedChannel,
  addSrtOutput,
  listedChannels,
  openAddDialog,
  openAddInput,
  openChannelList,
  storedOutputs
} from '../../../kit/console/channel-list.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  blur,
  click,
  fieldMessage,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findRow } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('add channel dialog')

hubForEach(test)

test('a channel is added with a device and an SRT output on a free port', async () => {
  const [device] = await addDevices(2)
  hub.parts.registry.register(helloOf(3, { dir: DIR_OUTPUT }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(3).sn] })
  await addSrtOutput(await addNamedChannel('Old'), 'Old SRT', 9001)
  const console = await openChannelList()
  const { field, list, send } = await openAddDialog()
  const portField = await field('SRT output port')
  await until(() => portField.value !== '', 'a proposed port')
  const port = portField.value
  assert.ok(Number(port) > 9001, port)
  await fill(await field('Name'), 'Evening service')
  await click(await findByRole('button', 'Device'))
  const devices = await list('Device')
  await findByRole('option', 'Ultra Encode · Hall 2 (Offline)', devices)
  assert.equal(queryAllByRole('option', /Hall 3/, devices).length, 0, 'a device that cannot send is none')
  await selectOption(devices, /Hall 1/)
  await send()
  await waitForNone('dialog')
  await waitForText('Evening service added Open')
  await waitForText('Evening service started Open')
  const [created] = await listedChannels()
  // It ends on the page of the channel.
  assert.equal(console.currentPath(), linkTo('channelDetail', { channelId: String(created?.id) }))
  await findByRole('heading', 'Evening service')
  assert.deepEqual([created?.name, created?.config.enable, created?.input?.id], ['Evening service', true, device])
  assert.deepEqual(
    created?.outputs.list.map(({ name, addr }) => [name, addr]),
    [['Evening service SRT', `srt://:${port}`]]
  )
})

test('a channel is added with a new input, whose URL is stored in the normalized form', async () => {
  await openChannelList()
  const { field, list, send } = await openAddDialog()
  await fill(await field('Name'), 'News')
  await click(await findByRole('button', 'Address'))
  const input = await openAddInput()
  await fill(await input.field('Name'), 'Studio')
  await fill(await input.field('Address'), 'SRT://192.0.2.20:9000?latency=200&nonsense=-f+x')
  await input.send()
  await waitForNone('dialog', 'Add input')
  const { list: created } = await other.send(listInputs, {})
  assert.deepEqual(
    created.map(({ name, config }) => [name, config.url]),
    [['Studio', 'srt://192.0.2.20:9000?mode=caller&latency=200']]
  )
  const inputSelect = await list('Address')
  assert.equal(inputSelect.value, String(created[0]?.id), 'it is chosen at once')
  await send()
  await waitForNone('dialog')
  navigate(ROUTES.channels)
  await waitForText('Studio', await findRow('News'))
  assert.equal((await listedChannels())[0]?.input?.id, created[0]?.id)
})

test('a channel is added without input and without output', async () => {
  await openChannelList()
  const { field, send } = await openAddDialog()
  await fill(await field('Name'), 'Later')
  await click(await findByRole('button', 'None yet'))
  await waitForNone('textbox', 'SRT output port')
  await click(await findByRole('checkbox', 'Start the channel'))
  await send()
  await waitForNone('dialog')
  await waitForText('Later added Open')
  navigate(ROUTES.channels)
  await waitForText('Stopped', await findRow('Later'))
  await waitForText('None', await findRow('Later'))
  await waitForText('No outputs', await findRow('Later'))
  const [created] = await listedChannels()
  assert.deepEqual([created?.input, created?.config.enable], [null, false])
  assert.equal(created?.outputs.total, 0)
})

test('a channel is added with a service, of which only the stream key is asked', async () => {
  await openChannelList()
  const { field, send, dialog } = await openAddDialog()
  await fill(await field('Name'), 'Service')
  await click(await findByRole('button', 'YouTube', dialog))
  await findByRole('link', 'Where is the stream key?', dialog)
  await waitForNone('textbox', 'SRT output port')
  await send()
  const key = await field('Stream key')
  await waitForFieldMessage(key, 'Required')
  await fill(key, 'abcd-efgh')
  await send()
  await waitForNone('dialog')
  assert.deepEqual(
    storedOutputs().map(({ name }) => name),
    ['Service YouTube']
  )
  const [created] = await listedChannels()
  assert.match(created?.outputs.list[0]?.addr ?? '', /^rtmps:\/\/a\.rtmps\.youtube\.com/)
})

test('each destination asks for what it needs, and the values of another one are not sent', async () => {
  await openChannelList()
  const { field, send, dialog } = await openAddDialog()
  await fill(await field('Name'), 'Feed')
  const fields = () =>
    queryAllByRole('textbox', undefined, dialog)
      .map((box) => box.getAttribute('name'))
      .filter((name) => name !== 'name')
  const choose = async (destination: string) => click(await findByRole('button', destination, dialog))
  await choose('RTMP')
  assert.deepEqual(fields(), ['url', 'key'])
  await choose('HLS')
  assert.deepEqual(fields(), [])
  await choose('SRT address')
  assert.deepEqual(fields(), ['dst-ip', 'dst-port'])
  await choose('UDP')
  assert.deepEqual(fields(), ['dst-ip', 'dst-port'])
  await fill(await field('Address'), '239.1.2.3')
  await fill(await field('Port'), '5000')
  await send()
  await waitForNone('dialog')
  const [created] = await listedChannels()
  assert.deepEqual(
    created?.outputs.list.map(({ name, addr }) => [name, addr]),
    [['Feed UDP', 'udp://239.1.2.3:5000']]
  )
})

test('a channel is added with a decoder that is free', async () => {
  for (const index of [1, 2]) hub.parts.registry.register(helloOf(index, { dir: DIR_OUTPUT }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(1).sn, helloOf(2).sn] })
  const { list: decoders } = await other.send(listDevices, { sort: 'name', order: 'ascending' })
  await other.send(addChannelOutputs, { id: await addNamedChannel('Old'), outputs: [decoders[0]?.id ?? 0] })
  await openChannelList()
  const { field, list, send, dialog } = await openAddDialog()
  await fill(await field('Name'), 'Screens')
  await click(await findByRole('button', 'Decoder', dialog))
  const decoder = await list('Decoder')
  await until(() => queryAllByRole('option', undefined, decoder).length === 2, 'the free decoder and none')
  await send()
  await waitForFieldMessage(decoder, 'Required')
  await selectOption(decoder, 'Hall 2')
  await send()
  await waitForNone('dialog')
  const created = (await listedChannels()).find(({ name }) => name === 'Screens')
  assert.deepEqual(
    created?.outputs.list.map(({ id }) => id),
    [decoders[1]?.id]
  )
})

test('a channel that cannot be started is added all the same, and the message says why it is stopped', async () => {
  const console = await openChannelList()
  const { field, send } = await openAddDialog()
  await fill(await field('Name'), 'News')
  console.intercept = (path) =>
    path.includes('/channel/enable') ? Response.json({ result: LICENSE_LIMIT }) : undefined
  await send()
  await waitForNone('dialog')
  await waitForText('News added Open')
  await waitForText('The license limit is reached.')
  navigate(ROUTES.channels)
  await waitForText('Stopped', await findRow('News'))
})

test('without the permission to start channels the dialog has no checkbox for it, and adds a stopped channel', async () => {
  await addUser(hub, 'editor', CHANNEL_VIEW | CHANNEL_EDIT | INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT)
  await openConsole(hub, { user: 'editor', at: ROUTES.channels })
  const { field, send } = await openAddDialog()
  await waitForNone('checkbox', 'Start the channel')
  await fill(await field('Name'), 'News')
  await send()
  await waitForNone('dialog')
  navigate(ROUTES.channels)
  await waitForText('Stopped', await findRow('News'))
})

test('where the licence allows no further started channel, the dialog says so', async () => {
  await other.send(enableChannel, { id: await addNamedChannel('Old'), enable: true })
  const { settings } = hub.parts.store
  settings.set('license-limits', { ...settings.get('license-limits'), 'max-live-count': 1 })
  await openChannelList()
  await openAddDialog()
  await waitForText('The channel stays stopped. Streaming channels: 1, the license allows 1')
  await waitForNone('checkbox', 'Start the channel')
})

test('an error is shown at its field after leaving the field, and disappears while typing', async () => {
  await openChannelList()
  const { field } = await openAddDialog()
  const name = await field('Name')
  assert.equal(fieldMessage(name), '')
  await fill(name, '')
  await blur(name)
  await waitForFieldMessage(name, 'Required')
  await fill(name, ' x')
  await waitForFieldMessage(name, 'Cannot begin or end with a space')
  await fill(name, 'x'.repeat(65))
  await waitForFieldMessage(name, 'Must be 1 to 64 characters long')
  await fill(name, '漢'.repeat(22))
  await waitForFieldMessage(name, 'Must be 1 to 64 characters long; ^ and letters other than A-Z count as 3')
  await fill(name, '漢'.repeat(21))
  await waitForFieldMessage(name, '')
  await fill(name, 'a/b')
  await waitForFieldMessage(name, 'Contains characters that are not allowed')
})

test('submitting shows all errors, focuses the first one, and sends nothing', async () => {
  const console = await openChannelList()
  const { field, send } = await openAddDialog()
  const requests: string[] = []
  console.intercept = (path) => void (path.includes('/add') && requests.push(path))
  await fill(await field('SRT output port'), '70000')
  await send()
  await waitForFieldMessage(await field('Name'), 'Required')
  await waitForFieldMessage(await field('SRT output port'), 'Must be between 1 and 65535')
  await waitForFocus('Name')
  await fill(await field('Name'), 'x')
  await send()
  await waitForFocus('SRT output port')
  await click(await findByRole('button', 'Address'))
  const input = await openAddInput()
  await fill(await input.field('Address'), 'ftp://x')
  await input.send()
  await waitForFocus('Name')
  await waitForFieldMessage(await input.field('Address'), 'Invalid entry')
  await waitForFieldMessage(await input.field('Port'), 'Required')
  await fill(await input.field('Address'), 'rtmp://192.0.2.300/x')
  await waitForFieldMessage(await input.field('Address'), 'Invalid entry')
  assert.deepEqual(requests, [])
})

test('a duplicate name is an error at its field until it is changed', async () => {
  await addNamedChannel('News')
  await openChannelList()
  const { field, send } = await openAddDialog()
  const name = await field('Name')
  await fill(name, 'News')
  await send()
  await waitForFieldMessage(name, 'The name already exists')
  await waitForFocus('Name')
  assert.equal((await listedChannels()).length, 1)
  await fill(name, 'News 2')
  await waitForFieldMessage(name, '')
  await send()
  await waitForNone('dialog')
  assert.deepEqual(
    (await listedChannels()).map((channel) => channel.name),
    ['News', 'News 2']
  )
})

test('an occupied port is an error at its field, and the channel is deleted again', async () => {
  await addSrtOutput(await addNamedChannel('Old'), 'Old SRT', 9500)
  await openChannelList()
  const { field, send } = await openAddDialog()
  await fill(await field('Name'), 'News')
  const port = await field('SRT output port')
  await fill(port, '9500')
  await send()
  await waitForFieldMessage(port, 'Port 9500 occupied by output Old SRT')
  await waitForFocus('SRT output port')
  assert.deepEqual(
    (await listedChannels()).map((channel) => channel.name),
    ['Old']
  )
  await fill(port, '9501')
  await send()
  await waitForNone('dialog')
  await findByRole('heading', 'News')
})

test('a duplicate source name is an error at its field, and created objects are deleted again', async () => {
  await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  await openChannelList()
  const { field } = await openAddDialog()
  await fill(await field('Name'), 'News')
  await click(await findByRole('button', 'Address'))
  const input = await openAddInput()
  await fill(await input.field('Name'), 'Studio')
  await fill(await input.field('Address'), 'rtmp://192.0.2.20/live/y')
  await input.send()
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'The name already exists')))
  await waitForFieldMessage(await input.field('Name'), 'The name already exists')
  assert.equal(fieldMessage(await field('Name')), '')
  assert.deepEqual(await listedChannels(), [])
  assert.deepEqual(storedOutputs(), [])
})

test('an error that only the hub detects in a URL is shown in the form', async () => {
  await openChannelList()
  await openAddDialog()
  await click(await findByRole('button', 'Address'))
  const input = await openAddInput()
  await fill(await input.field('Name'), 'Studio')
  // The path with the RTMP application and stream is missing.
  await fill(await input.field('Address'), 'rtmp://192.0.2.20')
  await input.send()
  await waitForFieldMessage(await input.list('Protocol'), 'Invalid entry')
  await waitForFocus('Protocol')
  await fill(await input.field('Address'), 'srt://192.0.2.20:9000?latency=19')
  await input.send()
  await waitForFieldMessage(await input.field('Latency (ms)'), 'Must be between 20 and 8000')
  assert.deepEqual(await listedChannels(), [])
  assert.deepEqual(storedOutputs(), [])
})

test('a request that the hub refuses leaves the dialog open and shows a notification', async () => {
  const console = await openChannelList()
  const { dialog, field, send } = await openAddDialog()
  await fill(await field('Name'), 'News')
  console.intercept = (path) => (path.includes('/channel/add') ? Response.json({ result: LICENSE_LIMIT }) : undefined)
  await send()
  await findByRole('alert', /^Limit exceeded/)
  assert.equal((await field('Name')).value, 'News')
  assert.equal(dialog.isConnected, true)
})

test.run()
