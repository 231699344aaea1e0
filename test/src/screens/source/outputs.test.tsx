import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PLAY_KEY_EXISTS } from '../../../../contract/codes.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { addPreset, listPresets } from '../../../../contract/stream/preset.ts'
import { HTTP, RTMP, SRT, UDP } from '../../../../contract/stream/protocols.ts'
import { addOutput, type Output, type RtmpOutput, type SrtOutput } from '../../../../contract/stream/source.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { codeText } from '../../../../src/text/codes.ts'
import { hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { setNdiMachineName } from '../../../kit/console/ndi-matrix.ts'
import {
  click,
  fill,
  findByRole,
  selectOption,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findForm, openAddDialog, openSourceList, storedOutputs } from '../../../kit/console/source-list.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import { until } from '../../../kit/until.ts'

const test = suite('output form')

hubForEach(test)

test('an output is added and changed; options that are not entered are kept', async () => {
  await openSourceList(ROUTES.outputs)
  await waitForText('No outputs yet')
  let { field, list, write, send } = await openAddDialog('Add output')
  const port = await field('Port')
  await until(() => port.value !== '', 'a free port')
  const { value: proposed } = port
  await write({ Name: 'Foyer', 'Stream ID': 'foyer' })
  await selectOption(await list('Encryption'), 'AES-128')
  await send()
  await waitForFieldMessage(await field('Passphrase'), 'Required')
  await write({ Passphrase: 'long enough for it' })
  await send()
  await waitForNone('dialog')
  await waitForText(`srt://:${proposed}`, await findRow('Foyer'))
  await click(await buttonInRow('Foyer', /^Edit/))
  ;({ field, list, write, send } = await findForm('Edit Foyer', 'Save'))
  assert.equal((await list('Protocol')).value, 'listener')
  assert.equal((await field('Stream ID')).value, 'foyer')
  assert.equal((await field('Passphrase')).value, '')
  await write({ Name: 'Foyer 2', 'Latency (ms)': '250' })
  await send()
  await waitForNone('dialog')
  await findRow('Foyer 2')
  const config = {
    mode: 'listener',
    'bind-port': Number(proposed),
    'max-client-num': 8,
    'stream-id': 'foyer',
    latency: 250,
    bandwidth: 25,
    enc: 'aes-128'
  }
  assert.deepEqual(storedOutputs(), [
    { name: 'Foyer 2', protocol: SRT, config: { ...config, passphrase: 'long enough for it' } }
  ])
})

test('an RTMP output has a login if a user name is entered', async () => {
  await openSourceList(ROUTES.outputs)
  const { list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'RTMP')
  await write({ Name: 'Platform', Address: 'rtmp://live.example.com/app', 'Stream key': 'very-secret' })
  await write({ 'User name': 'me', Password: 'secret too' })
  await send()
  await waitForNone('dialog')
  const login = { 'enable-auth': true, username: 'me', password: 'secret too' }
  assert.deepEqual(storedOutputs(), [
    {
      name: 'Platform',
      protocol: RTMP,
      config: { url: 'rtmp://live.example.com:1935/app', key: 'very-secret', ...login }
    }
  ])
  assert.ok(!document.body.innerHTML.includes('secret'))
})

test('the audio of an output is made AAC, and left as it is again', async () => {
  await openSourceList(ROUTES.outputs)
  let { list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'RTMP')
  await write({ Name: 'Platform', Address: 'rtmp://live.example.com/app', 'Stream key': 'k' })
  await selectOption(await list('Audio'), 'AAC')
  await send()
  await waitForNone('dialog')
  const audio = () => (storedOutputs()[0]?.config as RtmpOutput | undefined)?.audio
  assert.equal(audio(), 'aac')
  await click(await buttonInRow('Platform', /^Edit/))
  ;({ list, send } = await findForm('Edit Platform', 'Save'))
  assert.equal((await list('Audio')).value, 'aac')
  await selectOption(await list('Audio'), 'As it is')
  await send()
  await waitForNone('dialog')
  assert.equal(audio(), undefined)
})

test('an NDI output has the fields of multicast with that transport alone, and a name that NDI announces', async () => {
  await setNdiMachineName('Studio')
  await openSourceList(ROUTES.outputs)
  const { field, list, write, send, fields } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'NDI')
  assert.ok(!fields().includes('Multicast address'))
  await selectOption(await list('Transport'), 'UDP multicast')
  await write({ 'Multicast address': '239.1.0.0', 'Subnet mask': '255.255.0.0', 'Multicast TTL': '4' })
  await write({ Name: '演'.repeat(19) })
  const name = await field('Name')
  name.blur()
  await waitForText('Too long: at most 54 bytes, a Chinese character takes 3')
  await write({ Name: '演播室' })
  await send()
  await waitForNone('dialog')
  await waitForText('(演播室)', await findRow('演播室'))
  assert.deepEqual(storedOutputs().at(-1)?.config, {
    ...{ 'transport-mode': 1, 'mcast-ip': '239.1.0.0', 'mcast-sub-mask': '255.255.0.0', 'mcast-time-to-live': 4 }
  })
})

test('each kind of output has its fields with default values', async () => {
  await openSourceList(ROUTES.outputs)
  const cases: [kind: string, values: Record<string, string>, config: object, address: string][] = [
    ['SRT caller', { Address: 'a.example.com', Port: '9000' }, { mode: 'caller' }, 'srt://a.example.com:9000'],
    [
      'UDP',
      { Address: '239.0.0.1', Port: '5000', 'Multicast TTL': '4', 'Network interface': 'eth0' },
      { 'dst-ip': '239.0.0.1', 'dst-port': 5000, mtu: 1500, 'mcast-time-to-live': 4, iface: 'eth0' },
      'udp://239.0.0.1:5000'
    ],
    [
      'RTP',
      { Address: '192.0.2.30', Port: '5004', 'MTU (bytes)': '1328' },
      { 'dst-ip': '192.0.2.30', 'dst-port': 5004, mtu: 1328 },
      'rtp://192.0.2.30:5004'
    ],
    [
      'RTSP',
      { 'Main stream key': 'hall', 'Max connections': '3' },
      { port: 554, key: 'hall', 'max-client-num': 3 },
      'rtsp://:554/****'
    ],
    ['HLS', { 'Stream key': 'web', Segments: '4' }, { key: 'web', 'seg-count': 4, 'seg-duration': 2 }, '/hls/'],
    ['NDI', { Group: 'hall' }, { group: 'hall', 'transport-mode': 5 }, '(NDI)']
  ]
  for (const [kind, values, config, address] of cases) {
    const { list, write, send } = await openAddDialog('Add output')
    await selectOption(await list('Protocol'), kind)
    await write({ Name: kind, ...values })
    await send()
    await waitForNone('dialog')
    await waitForText(address, await findRow(kind))
    await waitForText(kind.replace(' caller', ''), await findRow(kind))
    const created = storedOutputs().at(-1)?.config as object
    assert.deepEqual({ ...created, ...config }, created, kind)
    await click(await buttonInRow(kind, /^Edit/))
    const edit = await findForm(`Edit ${kind}`, 'Save')
    assert.equal((await edit.list('Protocol')).selectedOptions[0]?.textContent, kind)
    for (const [name, value] of Object.entries(values)) assert.equal((await edit.field(name)).value, value)
    await edit.send()
    await waitForNone('dialog')
    assert.deepEqual(storedOutputs().at(-1)?.config, created, kind)
  }
})

test('an RTSP output has a main and a sub stream with a key each, which no other stream has', async () => {
  await other.send(addOutput, { name: 'Pages', protocol: HTTP, config: { key: 'web' } })
  await other.send(addChannel, { name: 'News', config: { 'play-key': 'news' } })
  await openSourceList(ROUTES.outputs)
  await findRow('Pages')
  const { field, fields, list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'RTSP')
  assert.ok(!fields().includes('Sub stream key'))
  await selectOption(await list('Sub stream'), 'At most 640 × 360, about 600 kbps')
  await write({ Name: 'Hall', 'Main stream key': 'hall', 'Sub stream key': 'hall' })
  await send()
  await waitForFieldMessage(await field('Sub stream key'), 'Must differ from the other entry')
  await write({ 'Main stream key': 'hall/1', 'Sub stream key': 'web' })
  await waitForFieldMessage(await field('Main stream key'), 'Contains characters that are not allowed')
  await waitForFieldMessage(await field('Sub stream key'), 'Already in use')
  await write({ 'Main stream key': "hall.1+(a)'s", 'Sub stream key': 'news', Port: '80' })
  await waitForFieldMessage(await field('Port'), 'Must be 554, or between 1024 and 65535')
  await write({ Port: '8554' })
  await send()
  await waitForFieldMessage(await field('Sub stream key'), codeText(PLAY_KEY_EXISTS))
  await write({ 'Sub stream key': 'hall-small' })
  await send()
  await waitForNone('dialog')
  const config = { port: 8554, key: "hall.1+(a)'s", 'max-client-num': 8, 'is-sub': true, 'sub-key': 'hall-small' }
  assert.deepEqual(storedOutputs().at(-1)?.config, config)
  await click(await buttonInRow('Hall', /^Edit/))
  const edit = await findForm('Edit Hall', 'Save')
  assert.equal((await edit.field('Sub stream key')).value, 'hall-small')
  await selectOption(await edit.list('Sub stream'), 'Disabled')
  await edit.send()
  await waitForNone('dialog')
  const { 'is-sub': _, 'sub-key': __, ...main } = config
  assert.deepEqual(storedOutputs().at(-1)?.config, main)
})

test('an RTMP output takes a live URL without rtmp://', async () => {
  await openSourceList(ROUTES.outputs)
  const { field, list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'RTMP')
  await write({ Name: 'Site', Address: 'live.example.com', 'Stream key': 'a' })
  await send()
  await waitForFieldMessage(await field('Address'), 'Invalid entry')
  await write({ Address: 'http://live.example.com/app' })
  await waitForFieldMessage(await field('Address'), 'Use rtmp, srt, udp, rtp, rtsp or http')
  await write({ Address: 'live.example.com:70000/app' })
  await waitForFieldMessage(await field('Address'), 'Must be between 1 and 65535')
  await write({ Address: '' })
  await write({ Address: 'live.example.com/app/secret' })
  assert.deepEqual(
    [(await field('Address')).value, (await field('Stream key')).value],
    ['rtmp://live.example.com/app', 'secret']
  )
  for (const typed of ['live', 'live.ex', 'live.exa.com', 'live.exa.com/app']) await write({ Address: typed })
  await send()
  await waitForNone('dialog')
  assert.deepEqual(storedOutputs()[0]?.config, { url: 'rtmp://live.exa.com:1935/app', key: 'secret' })
})

test('invalid numbers of an output are errors at their fields', async () => {
  await openSourceList(ROUTES.outputs)
  const { field, list, write, send } = await openAddDialog('Add output')
  await write({ Name: 'x', 'Bandwidth overhead (%)': '101', 'Max connections': '0' })
  await send()
  await waitForFieldMessage(await field('Bandwidth overhead (%)'), 'Must be between 5 and 100')
  await waitForFieldMessage(await field('Max connections'), 'Must be between 1 and 64')
  await selectOption(await list('Protocol'), 'UDP')
  await write({ 'MTU (bytes)': '227', 'Multicast TTL': '256' })
  await waitForFieldMessage(await field('MTU (bytes)'), 'Must be between 228 and 1500')
  await waitForFieldMessage(await field('Multicast TTL'), 'Must be between 1 and 255')
  await selectOption(await list('Protocol'), 'HLS')
  await write({ Segments: '2', 'Segment duration (s)': '11' })
  await waitForFieldMessage(await field('Segments'), 'Must be between 3 and 20')
  await waitForFieldMessage(await field('Segment duration (s)'), 'Must be between 1 and 10')
  assert.deepEqual(storedOutputs(), [])
})

test('the allowed addresses of an output are validated, changed and removed', async () => {
  await openSourceList(ROUTES.outputs)
  const { field, list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'HLS')
  await write({ Name: 'Pages', 'Allowed addresses': '192.0.2.7, 300.0.0.0/8' })
  await send()
  await waitForFocus('Allowed addresses')
  assert.equal((await field('Allowed addresses')).getAttribute('aria-invalid'), 'true')
  await write({ 'Allowed addresses': '192.0.2.7, 10.0.0.0/8' })
  await send()
  await waitForNone('dialog')
  const allowed = () => (storedOutputs()[0]?.config as { 'allow-ip'?: string[] } | undefined)?.['allow-ip']
  assert.deepEqual(allowed(), ['192.0.2.7', '10.0.0.0/8'])
  await click(await buttonInRow('Pages', /^Edit/))
  const edit = await findForm('Edit Pages', 'Save')
  assert.equal((await edit.field('Allowed addresses')).value, '192.0.2.7,10.0.0.0/8')
  await edit.write({ 'Allowed addresses': '' })
  await edit.send()
  await waitForNone('dialog')
  assert.equal(allowed(), undefined)
})

test('the range of a number is shown below its field', async () => {
  await openSourceList(ROUTES.outputs)
  const { field } = await openAddDialog('Add output')
  await waitForFieldMessage(await field('Latency (ms)'), '20-8000')
  await waitForFieldMessage(await field('Bandwidth overhead (%)'), '5-100')
  await waitForFieldMessage(await field('Port'), 'Players connect to this port')
})

test('a target that another output has is an error at its field', async () => {
  const config = { 'dst-ip': '192.0.2.30', 'dst-port': 5000 }
  await other.send(addOutput, { name: 'Wall', protocol: UDP, config })
  await openSourceList(ROUTES.outputs)
  const { field, list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'UDP')
  await write({ Name: 'Wall 2', Address: '192.0.2.30', Port: '5000' })
  await send()
  await waitForFieldMessage(
    await field('Address'),
    'Output “Wall” already sends to this address. Enter another address or stream key, or use that output.'
  )
})

test('a pasted RTMP URL fills address and key, and parameters without a field are named', async () => {
  await openSourceList(ROUTES.outputs)
  const { field, write, send } = await openAddDialog('Add output')
  await write({ Name: 'Site', 'Paste a URL': 'udp://239.0.0.1:5000?pkt_size=1316' })
  await waitForText('Not used from this URL: pkt_size')
  assert.equal((await field('Address')).value, '239.0.0.1')
  await write({ 'Paste a URL': 'rtmp://192.0.2.9/live/secret' })
  assert.equal((await field('Paste a URL')).value, '')
  assert.equal((await field('Address')).value, 'rtmp://192.0.2.9/live')
  assert.equal((await field('Stream key')).value, 'secret')
  await write({ 'Paste a URL': 'foo bar' })
  ;(await field('Paste a URL')).focus()
  ;(await field('Address')).focus()
  await waitForFieldMessage(await field('Paste a URL'), 'Invalid entry')
  await write({ 'Paste a URL': '' })
  // The address field takes a whole URL as well.
  await write({ Address: '' })
  await write({ Address: 'rtmps://192.0.2.10/app/other' })
  assert.deepEqual(
    [(await field('Address')).value, (await field('Stream key')).value],
    ['rtmps://192.0.2.10/app', 'other']
  )
  await send()
  await waitForNone('dialog')
  const [stored] = await storedOutputs()
  assert.deepEqual(stored?.config, { url: 'rtmps://192.0.2.10:443/app', key: 'other' })
})

test('a destination with a preset asks for the stream key alone, with a link to its page', async () => {
  await openSourceList(ROUTES.outputs)
  const { field, fields, list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Destination'), 'YouTube')
  assert.deepEqual(fields(), ['Name', 'Stream key'])
  const link = await findByRole('link', 'Where is the stream key?')
  assert.equal(new URL(link.getAttribute('href') ?? '').hostname, 'www.youtube.com')
  assert.equal((await field('Name')).value, 'YouTube')
  await write({ 'Stream key': 'abcd-1234' })
  await send()
  await waitForNone('dialog')
  const [stored] = await storedOutputs()
  assert.deepEqual(stored?.config, { url: 'rtmps://a.rtmps.youtube.com:443/live2', key: 'abcd-1234' })
})

test('the settings of an output are saved as a preset without the key, used again, renamed and deleted', async () => {
  await openSourceList(ROUTES.outputs)
  const { field, fields, list, write } = await openAddDialog('Add output')
  await write({ Name: 'My site', 'Paste a URL': 'rtmp://192.0.2.9/live/secret' })
  await click(await findByRole('button', 'Save as preset'))
  await waitForText('My site saved')
  const { list: stored } = await other.send(listPresets, {})
  assert.deepEqual(
    stored.map(({ name, config }) => [name, config]),
    [['My site', { url: 'rtmp://192.0.2.9/live', audio: 'as-is' }]]
  )
  await write({ 'Stream key': '' })
  await selectOption(await list('Destination'), 'My site')
  assert.deepEqual(fields(), ['Name', 'Stream key'])
  await click(await findByRole('button', 'Rename preset'))
  const rename = await findByRole('dialog', 'Rename preset')
  await fill(await findByRole('textbox', 'Name', rename), 'My church')
  await click(await findByRole('button', 'Save', rename))
  await waitForText('My church saved')
  const { list: renamed } = await other.send(listPresets, {})
  assert.deepEqual(
    renamed.map(({ id, name, config }) => [id, name, config]),
    [[stored[0]?.id, 'My church', { url: 'rtmp://192.0.2.9/live', audio: 'as-is' }]]
  )
  // The message has the name in the list, which is fetched again.
  await findByRole('option', 'My church', await list('Destination'))
  await click(await findByRole('button', 'Delete preset'))
  await waitForText('My church deleted')
  const address = await field('Address')
  assert.equal((await list('Destination')).value, '')
  assert.equal(address.value, 'rtmp://192.0.2.9/live')
})

test('a preset of an SRT destination asks for stream ID and passphrase alone', async () => {
  const config = { mode: 'caller', 'dst-ip': '192.0.2.9', 'dst-port': 9000, enc: 'aes-128', latency: 200 }
  await other.send(addPreset, { name: 'Playout', protocol: SRT, config })
  await openSourceList(ROUTES.outputs)
  const { fields, list, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Destination'), 'Playout')
  assert.deepEqual(fields(), ['Name', 'Stream ID', 'Passphrase'])
  await write({ 'Stream ID': 'sunday', Passphrase: 'long enough!' })
  await send()
  await waitForNone('dialog')
  const [stored] = await storedOutputs()
  assert.equal(stored?.name, 'Playout')
  const { 'stream-id': streamId, passphrase, latency } = (stored as Output).config as SrtOutput
  assert.deepEqual([streamId, passphrase, latency], ['sunday', 'long enough!', 200])
})

test.run()
