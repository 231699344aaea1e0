import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../../../contract/permissions.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { CONNECTION, HTTP, RTMP, SOURCE, SRT, UDP } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput, listInputs } from '../../../contract/stream/source.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { createNetwork } from '../../engine/ndi/ndi.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach, other, replaceHub } from '../../kit/hub-for-each.ts'
import {
  all,
  choose,
  click,
  clipboard,
  fill,
  focuses,
  nameOf,
  none,
  one,
  press,
  says,
  saysOf,
  words
} from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('source')

hubForEach(test)

async function addedInput(name: string, url = 'rtmp://192.0.2.20/live/x'): Promise<number> {
  return (await other.send(addInput, { name, config: { type: 1, url } })).id
}
async function addedOutput(name: string, port: number): Promise<number> {
  const config = { mode: 'listener', 'bind-port': port } as const
  return (await other.send(addOutput, { name, protocol: SRT, config })).id
}
const urls = async () =>
  (await other.send(listInputs, { sort: 'name' })).list.map(({ name, config }) => [name, config.url])
const outputs = () => hub.hub.store.sources.outputs().map(({ name, protocol, config }) => ({ name, protocol, config }))

const row = (name: string) => one('row', name)
const rows = () => all('row').map(nameOf)
const inRow = async (name: string, button: string | RegExp) => one('button', button, await row(name))
async function open(at: string = PLACES.inputs, user?: string) {
  const console = await openConsole(hub, { at, user })
  await until(() => all('button', /^Add /).length > 0, 'the list')
  return console
}
async function form(title: string, verb: string) {
  const dialog = await one('dialog', title)
  const field = (name: string) => one<HTMLInputElement>('textbox', name, dialog)
  return {
    field,
    list: (name: string) => one<HTMLSelectElement>('combobox', name, dialog),
    fields: () => all('textbox', undefined, dialog).map(nameOf),
    async write(values: Record<string, string>) {
      for (const [name, value] of Object.entries(values)) await fill(await field(name), value)
    },
    send: async () => click(await one('button', verb, dialog))
  }
}
async function adding(what: 'Add input' | 'Add output') {
  await click(all('button', what)[0] as HTMLElement)
  return form(what, what)
}

test('each kind of input has its fields, and its URL is what the hub keeps', async () => {
  await open()
  await says('No inputs yet')
  const cases: [kind: string, values: Record<string, string>, url: string][] = [
    [
      'SRT caller',
      { Address: 'cam.example.com', Port: '9000', 'Stream ID': 'a/b&c', Passphrase: 'long & enough+1' },
      'srt://cam.example.com:9000?mode=caller&latency=120&streamid=a%2Fb%26c&passphrase=long%20%26%20enough%2B1&pbkeylen=32'
    ],
    ['SRT listener', { Port: '9100', 'Latency (ms)': '80' }, 'srt://0.0.0.0:9100?mode=listener&latency=80'],
    ['UDP', { Port: '5000' }, 'udp://0.0.0.0:5000'],
    [
      'RTP',
      { Address: '239.0.0.1', Port: '5004', 'Network interface': 'eth0', 'Sender address': '192.0.2.7' },
      'rtp://239.0.0.1:5004?iface=eth0&source=192.0.2.7'
    ],
    ['RTMP', { Address: '192.0.2.20', Path: 'live/x' }, 'rtmp://192.0.2.20:1935/live/x'],
    [
      'RTSP',
      { Address: '192.0.2.20', Path: '/one?track=2', 'User name': 'me@x', Password: 'p:w/' },
      'rtsp://me%40x:p%3Aw%2F@192.0.2.20:554/one?track=2&mw-tcp-first=1'
    ],
    ['HTTPS', { Address: 'a.example.com', Path: 'x/index.m3u8?t=1' }, 'https://a.example.com:443/x/index.m3u8?t=1'],
    [
      'NDI',
      { 'NDI name': 'STUDIO (Cam 1)', Address: '192.0.2.9:5961', 'Buffer (ms)': '40' },
      'ntkndi://ndi?name=STUDIO%20(Cam%201)&url=192.0.2.9:5961&mw-buffer-duration=40'
    ]
  ]
  for (const [kind, values, url] of cases) {
    const { list, write, send } = await adding('Add input')
    await choose(await list('Protocol'), kind)
    await write({ Name: kind, ...values })
    if (kind === 'RTSP') await choose(await list('Transport'), 'TCP first')
    if (kind === 'SRT caller') await choose(await list('Encryption'), 'AES-256')
    await send()
    await none('dialog')
    assert.deepEqual((await urls()).find(([name]) => name === kind)?.[1], url)
    await says(kind, await row(kind))
  }
  assert.ok(!words().includes('enough'), 'no secret is shown')
  // And what is kept comes back into the same fields.
  for (const [kind, values, url] of cases) {
    await click(await inRow(kind, /^Edit/))
    const { field, list, send } = await form(`Edit ${kind}`, 'Save')
    assert.equal((await list('Protocol')).selectedOptions[0]?.textContent, kind)
    for (const [name, value] of Object.entries({ Name: kind, ...values }))
      assert.ok((await field(name)).value.endsWith(value), `${kind}: ${name}`)
    await send()
    await none('dialog')
    assert.deepEqual((await urls()).find(([name]) => name === kind)?.[1], url)
  }
})

test('a kind shows no field that it does not have', async () => {
  await open()
  const { list, fields } = await adding('Add input')
  const shown = async (kind: string) => {
    await choose(await list('Protocol'), kind)
    return fields()
  }
  const srt = ['Stream ID', 'Latency (ms)', 'Passphrase']
  assert.deepEqual(await shown('SRT caller'), ['Name', 'Address', 'Port', ...srt])
  assert.deepEqual(await shown('SRT listener'), ['Name', 'Port', ...srt])
  assert.deepEqual(await shown('UDP'), ['Name', 'Address', 'Port', 'Network interface', 'Sender address'])
  assert.deepEqual(await shown('RTMP'), ['Name', 'Address', 'Port', 'Path', 'User name', 'Password'])
})

test('an URL that is pasted goes into the fields', async () => {
  await open()
  const { field, list, write, send } = await adding('Add input')
  await write({ Name: 'Gate', Address: 'rtsp://me:secret@192.0.2.20:8554/one?track=2&mw-tcp-first=1' })
  assert.equal((await list('Protocol')).value, 'rtsp')
  assert.equal((await list('Transport')).value, '1')
  assert.equal((await field('Address')).value, '192.0.2.20')
  assert.equal((await field('Port')).value, '8554')
  assert.equal((await field('Path')).value, '/one?track=2')
  assert.equal((await field('Password')).value, 'secret')
  await send()
  await none('dialog')
  assert.deepEqual(await urls(), [['Gate', 'rtsp://me:secret@192.0.2.20:8554/one?track=2&mw-tcp-first=1']])
})

test('what is wrong with a field is said there', async () => {
  await open()
  const { field, list, write, send } = await adding('Add input')
  await write({ Name: 'x', Address: 'not an address', Port: '70000', 'Latency (ms)': '8001', Passphrase: 'short' })
  await send()
  await saysOf(await field('Address'), 'Invalid entry')
  await saysOf(await field('Port'), 'Must be between 1 and 65535')
  await saysOf(await field('Latency (ms)'), 'Must be between 20 and 8000')
  await saysOf(await field('Passphrase'), 'Must be 10 to 79 characters long')
  await choose(await list('Protocol'), 'NDI')
  await write({ 'Buffer (ms)': '2001' })
  await send()
  await saysOf(await field('NDI name'), 'Required')
  await saysOf(await field('Buffer (ms)'), 'Must be between 1 and 2000')
  assert.deepEqual(await urls(), [])
})

test('an input says which channels use it and how it runs there', async () => {
  const id = await addedInput('Studio')
  await addedInput('Spare')
  const { id: channel } = await other.send(addChannel, { name: 'News' })
  await other.send(setChannelInput, { id: channel, input: id })
  await other.send(enableChannel, { id: channel, enable: true })
  const leg = { state: SOURCE.failed, connState: CONNECTION.refused, kbps: 0, livingTimeS: 0 }
  const { engine, store } = hub.hub
  engine.observe = () => ({ ...leg, input: leg, outputs: new Map() })
  store.changes.bump('channel', channel)
  await open()
  await says('Refused by the remote', await row('Studio'))
  await says('–', await row('Spare'))
  const to = await one<HTMLAnchorElement>('link', 'News', await row('Studio'))
  assert.equal(to.hash.slice(1), link('channelDetail', { channelId: String(channel) }))
})

test('a backup runs in its channel, too', async () => {
  const [id, spare] = [await addedInput('Studio'), await addedInput('Spare')]
  const { id: channel } = await other.send(addChannel, { name: 'News', config: { backups: [spare] } })
  await other.send(setChannelInput, { id: channel, input: id })
  await other.send(enableChannel, { id: channel, enable: true })
  const leg = { state: SOURCE.failed, connState: CONNECTION.refused, kbps: 0, livingTimeS: 0 }
  const { engine, store } = hub.hub
  const lost = { ...leg, connState: CONNECTION.nameNotFound }
  engine.observe = () => ({ ...leg, input: leg, backups: new Map([[spare, lost]]), outputs: new Map() })
  store.changes.bump('channel', channel)
  await open()
  await says('Domain name not found', await row('Spare'))
  await says('Refused by the remote', await row('Studio'))
})

test('an output that is switched off does not run in its channel', async () => {
  const [foyer, hall] = [
    await addedOutput('Foyer', await freeUdpPort()),
    await addedOutput('Hall', await freeUdpPort())
  ]
  const { id } = await other.send(addChannel, { name: 'News' })
  await other.send(addChannelOutputs, { id, outputs: [foyer, hall] })
  await other.send(enableChannel, { id, enable: true })
  await open(PLACES.outputs)
  await says('Waiting', await row('Foyer'))
  await other.send(enableChannelOutputs, { id, outputs: [foyer], enable: false })
  await says('–', await row('Foyer'))
  await says('Waiting', await row('Hall'))
})

test('one in use is deleted after a question that names its channel, others after a plain one', async () => {
  const id = await addedInput('Studio')
  await addedInput('Spare')
  const { id: channel } = await other.send(addChannel, { name: 'News' })
  await other.send(setChannelInput, { id: channel, input: id })
  await open()
  await click(await inRow('Spare', /^Delete/))
  await click(await one('button', 'Delete Spare', await one('dialog', 'Delete Spare?')))
  await until(() => rows().join() === 'Studio', 'one input')
  await click(await inRow('Studio', /^Delete/))
  await says(/What uses it is interrupted. News/, await one('dialog'))
  await click(await one('button', 'Cancel', await one('dialog')))
  await none('dialog')
  assert.equal((await urls()).length, 1)
  await click(await inRow('Studio', /^Delete/))
  await click(await one('button', 'Proceed anyway'))
  await says('No inputs yet')
  assert.deepEqual(await urls(), [])
})

test('a name that is taken can be overridden, after a question that says for whom', async () => {
  const id = await addedInput('Studio')
  await open()
  const { write, field, send, list } = await adding('Add input')
  await choose(await list('Protocol'), 'RTMP')
  await write({ Name: 'studio', Address: '192.0.2.30', Path: 'live/y' })
  await send()
  await says('The one of this name is replaced.', await one('dialog', 'The name already exists'))
  await click(await one('button', 'Cancel', await one('dialog', 'The name already exists')))
  await saysOf(await field('Name'), 'The name already exists')
  assert.deepEqual(await urls(), [['Studio', 'rtmp://192.0.2.20:1935/live/x']])
  const { id: channel } = await other.send(addChannel, { name: 'News' })
  await other.send(setChannelInput, { id: channel, input: id })
  await send()
  await says(/What uses it is interrupted. News/, await one('dialog', 'The name already exists'))
  await click(await one('button', 'Proceed anyway'))
  await none('dialog')
  assert.deepEqual(await urls(), [['studio', 'rtmp://192.0.2.30:1935/live/y']])
  assert.equal((await other.send(listInputs, {})).list[0]?.id, id)
})

test('several are chosen and deleted at once', async () => {
  for (const name of ['A', 'B', 'C']) await addedInput(name)
  await open()
  for (const name of ['A', 'C']) await click(await one('checkbox', `Select ${name}`))
  await click(await one('button', 'Delete 2 items', await one('toolbar', 'Actions')))
  await click(await one('button', 'Delete 2 items', await one('dialog', 'Delete 2 items?')))
  await until(() => rows().join() === 'B', 'one input')
})

test('a search over names and addresses is in the address, and the order is of one’s choice', async () => {
  await addedInput('Studio', 'rtsp://192.0.2.20/one')
  await addedInput('Gate', 'srt://192.0.2.30:9000')
  const console = await open()
  assert.deepEqual(rows(), ['Gate', 'Studio'])
  await click(await one('button', 'Name'))
  assert.deepEqual(rows(), ['Studio', 'Gate'])
  const box = await one('textbox', 'Search')
  await fill(box, '2.30')
  await press(box, 'Enter')
  await until(() => rows().join() === 'Gate', 'one input')
  assert.equal(console.place(), '/stream/input?key=2.30')
  await fill(box, 'zzz')
  await press(box, 'Enter')
  await says('Nothing found')
})

test('what others have to call is there to copy, without its secrets on the screen', async () => {
  await addedInput('In', 'srt://0.0.0.0:9100?mode=listener&latency=80&streamid=hidden&passphrase=hidden-too-here')
  await addedInput('Pull', 'srt://192.0.2.30:9000')
  const copied = clipboard()
  await open()
  assert.equal(all('button', /^URL/, await row('Pull')).length, 0)
  await click(await inRow('In', /^URL/))
  const dialog = await one('dialog')
  await says(/srt:\/\/hub\.test:9100\?mode=caller&latency=80&streamid=/, dialog)
  assert.ok(!words().includes('hidden'))
  await click(all('button', 'Copy', dialog)[0] as HTMLElement)
  assert.deepEqual(copied, ['srt://hub.test:9100?mode=caller&latency=80&streamid=hidden&passphrase=hidden-too-here'])
})

test('the URL is there for each address of the hub', async () => {
  await addedInput('In', 'srt://0.0.0.0:9100?mode=listener&latency=80')
  const console = await open()
  const addresses = ['192.0.2.1', '198.51.100.1'].map((address) => ({ iface: 'eth0', address }))
  console.instead = (path) =>
    path.includes('/system/addresses') ? Response.json({ result: 0, addresses, ports: {} }) : undefined
  await click(await inRow('In', /^URL/))
  const dialog = await one('dialog')
  for (const host of ['hub.test', '192.0.2.1', '198.51.100.1']) await says(`srt://${host}:9100?mode=caller`, dialog)
  assert.equal(all('button', 'Copy', dialog).length, 3)
})

test('an output is added and changed; what is not written anew is kept', async () => {
  await open(PLACES.outputs)
  await says('No outputs yet')
  let { field, list, write, send } = await adding('Add output')
  const port = await field('Port')
  await until(() => port.value === '9001', 'a free port')
  await write({ Name: 'Foyer', 'Stream ID': 'foyer' })
  await choose(await list('Encryption'), 'AES-128')
  await send()
  await saysOf(await field('Passphrase'), 'Required')
  await write({ Passphrase: 'long enough for it' })
  await send()
  await none('dialog')
  await says('srt://:9001', await row('Foyer'))
  await click(await inRow('Foyer', /^Edit/))
  ;({ field, list, write, send } = await form('Edit Foyer', 'Save'))
  assert.equal((await list('Protocol')).value, 'listener')
  assert.equal((await field('Stream ID')).value, 'foyer')
  assert.equal((await field('Passphrase')).value, '')
  await write({ Name: 'Foyer 2', 'Latency (ms)': '250' })
  await send()
  await none('dialog')
  await row('Foyer 2')
  const config = {
    mode: 'listener',
    'bind-port': 9001,
    'max-client-num': 8,
    'stream-id': 'foyer',
    latency: 250,
    bandwidth: 25,
    enc: 'aes-128'
  }
  assert.deepEqual(outputs(), [
    { name: 'Foyer 2', protocol: SRT, config: { ...config, passphrase: 'long enough for it' } }
  ])
})

test('an RTMP output has a login where a user name is given', async () => {
  await open(PLACES.outputs)
  const { list, write, send } = await adding('Add output')
  await choose(await list('Protocol'), 'RTMP')
  await write({ Name: 'Platform', Address: 'rtmp://live.example.com/app', 'Stream key': 'very-secret' })
  await write({ 'User name': 'me', Password: 'secret too' })
  await send()
  await none('dialog')
  const login = { 'enable-auth': true, username: 'me', password: 'secret too' }
  assert.deepEqual(outputs(), [
    {
      name: 'Platform',
      protocol: RTMP,
      config: { url: 'rtmp://live.example.com:1935/app', key: 'very-secret', ...login }
    }
  ])
  assert.ok(!document.body.innerHTML.includes('secret'))
})

test('each kind of output has its fields, with the usual values to begin with', async () => {
  await open(PLACES.outputs)
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
      { 'Stream key': 'hall', 'Max connections': '3' },
      { port: 554, key: 'hall', 'max-client-num': 3 },
      'rtsp://:554/****'
    ],
    ['HLS', { 'Stream key': 'hall', Segments: '4' }, { key: 'hall', 'seg-count': 4, 'seg-duration': 2 }, '/hls/'],
    [
      'NDI',
      { Group: 'hall', 'Multicast address': '239.1.0.0', 'Subnet mask': '255.255.0.0' },
      { group: 'hall', 'transport-mode': 0, 'mcast-ip': '239.1.0.0', 'mcast-sub-mask': '255.255.0.0' },
      '(NDI)'
    ]
  ]
  for (const [kind, values, config, address] of cases) {
    const { list, write, send } = await adding('Add output')
    await choose(await list('Protocol'), kind)
    await write({ Name: kind, ...values })
    await send()
    await none('dialog')
    await says(address, await row(kind))
    await says(kind.replace(' caller', ''), await row(kind))
    const made = outputs().at(-1)?.config as object
    assert.deepEqual({ ...made, ...config }, made, kind)
    await click(await inRow(kind, /^Edit/))
    const edit = await form(`Edit ${kind}`, 'Save')
    assert.equal((await edit.list('Protocol')).selectedOptions[0]?.textContent, kind)
    for (const [name, value] of Object.entries(values)) assert.equal((await edit.field(name)).value, value)
    await edit.send()
    await none('dialog')
    assert.deepEqual(outputs().at(-1)?.config, made, kind)
  }
})

test('what is wrong with the numbers of an output is said at each', async () => {
  await open(PLACES.outputs)
  const { field, list, write, send } = await adding('Add output')
  await write({ Name: 'x', 'Bandwidth overhead (%)': '101', 'Max connections': '0' })
  await send()
  await saysOf(await field('Bandwidth overhead (%)'), 'Must be between 5 and 100')
  await saysOf(await field('Max connections'), 'Must be between 1 and 64')
  await choose(await list('Protocol'), 'UDP')
  await write({ 'MTU (bytes)': '227', 'Multicast TTL': '256' })
  await saysOf(await field('MTU (bytes)'), 'Must be between 228 and 1500')
  await saysOf(await field('Multicast TTL'), 'Must be between 1 and 255')
  await choose(await list('Protocol'), 'HLS')
  await write({ Segments: '2', 'Segment duration (s)': '11' })
  await saysOf(await field('Segments'), 'Must be between 3 and 20')
  await saysOf(await field('Segment duration (s)'), 'Must be between 1 and 10')
  assert.deepEqual(outputs(), [])
})

test('from where an output is taken is a list, which is judged, changed and taken away', async () => {
  await open(PLACES.outputs)
  const { field, list, write, send } = await adding('Add output')
  await choose(await list('Protocol'), 'HLS')
  await write({ Name: 'Pages', 'Allowed addresses': '192.0.2.7, 300.0.0.0/8' })
  await send()
  await focuses('Allowed addresses')
  assert.equal((await field('Allowed addresses')).getAttribute('aria-invalid'), 'true')
  await write({ 'Allowed addresses': '192.0.2.7, 10.0.0.0/8' })
  await send()
  await none('dialog')
  const allowed = () => (outputs()[0]?.config as { 'allow-ip'?: string[] } | undefined)?.['allow-ip']
  assert.deepEqual(allowed(), ['192.0.2.7', '10.0.0.0/8'])
  await click(await inRow('Pages', /^Edit/))
  const edit = await form('Edit Pages', 'Save')
  assert.equal((await edit.field('Allowed addresses')).value, '192.0.2.7,10.0.0.0/8')
  await edit.write({ 'Allowed addresses': '' })
  await edit.send()
  await none('dialog')
  assert.equal(allowed(), undefined)
})

test('what a number may be stands below it', async () => {
  await open(PLACES.outputs)
  const { field } = await adding('Add output')
  await saysOf(await field('Latency (ms)'), '20-8000')
  await saysOf(await field('Bandwidth overhead (%)'), '5-100')
  await saysOf(await field('Port'), 'Players connect to it')
})

test('a target that another output has is said at its field', async () => {
  const config = { 'dst-ip': '192.0.2.30', 'dst-port': 5000 }
  await other.send(addOutput, { name: 'Wall', protocol: UDP, config })
  await open(PLACES.outputs)
  const { field, list, write, send } = await adding('Add output')
  await choose(await list('Protocol'), 'UDP')
  await write({ Name: 'Wall 2', Address: '192.0.2.30', Port: '5000' })
  await send()
  await saysOf(await field('Address'), 'The server already exists')
})

test('the URL of an output that players open has the key it is had with', async () => {
  const config = { key: 'hall-key' }
  await other.send(addOutput, { name: 'Pages', protocol: HTTP, config })
  await open(PLACES.outputs)
  const copied = clipboard()
  await click(await inRow('Pages', /^URL/))
  await says(/\/hls\/\*\*\*\*\/index\.m3u8/, await one('dialog'))
  await click(all('button', 'Copy')[0] as HTMLElement)
  assert.deepEqual(copied, [`${location.origin}/hls/hall-key/index.m3u8`])
})

test('the URL of an SRT listener has the stream ID that callers must come with', async () => {
  const config = { mode: 'listener', 'bind-port': 9001, 'stream-id': 'hall/1&2' } as const
  await other.send(addOutput, { name: 'Hall', protocol: SRT, config })
  await open(PLACES.outputs)
  const copied = clipboard()
  await click(await inRow('Hall', /^URL/))
  const dialog = await one('dialog', 'URL for the other end')
  await says('srt://hub.test:9001', dialog)
  await click(all('button', 'Copy', dialog)[0] as HTMLElement)
  assert.deepEqual(copied, ['srt://hub.test:9001?streamid=hall%2F1%262'])
  await click(all('button', 'QR code', dialog)[0] as HTMLElement)
  await one('img', 'QR code', await one('dialog', 'QR code'))
})

test('an output says which channel has it', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  await other.send(addChannelOutputs, { id, outputs: [await addedOutput('Foyer', 9001)] })
  await addedOutput('Spare', 9002)
  await open(PLACES.outputs)
  await one('link', 'News', await row('Foyer'))
  assert.equal(all('link', undefined, await row('Spare')).length, 0)
  navigate(link('outputs', { key: 'spare' }))
  await until(() => rows().join() === 'Spare', 'one output')
})

test('who may only look changes nothing; who may not see channels sees the rest', async () => {
  await addedInput('Studio')
  await addUser(hub, 'viewer', INPUT_OUTPUT_VIEW)
  await addUser(hub, 'editor', INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT | CHANNEL_VIEW)
  const console = await open(PLACES.inputs, 'viewer')
  await row('Studio')
  const asked: string[] = []
  console.instead = (path) => void (/\/(add|set|del)$/.test(path) && asked.push(path))
  for (const name of ['Add input', /^Edit/, /^Delete/]) {
    const button = await one('button', name)
    assert.equal(button.getAttribute('aria-disabled'), 'true', String(name))
    await click(button)
  }
  assert.equal(all('dialog').length, 0)
  assert.deepEqual(asked, [])
  await closeConsole()
  await open(PLACES.inputs, 'editor')
  assert.equal((await inRow('Studio', /^Edit/)).getAttribute('aria-disabled'), null)
})

test('NDI sources of the network are proposed by name; without a runtime it is said what is missing', async () => {
  const network = createNetwork('libndi.so.6')
  await replaceHub({ ndi: { folders: [network.folder] } })
  try {
    network.offers(['STUDIO (Cam 1)', '10.0.0.9:5961'])
    await open()
    const { list, field } = await adding('Add input')
    await choose(await list('Protocol'), 'NDI')
    await until(() => document.querySelector('option[value="STUDIO (Cam 1)"]') !== null, 'the source')
    assert.equal((await field('NDI name')).getAttribute('list'), document.querySelector('datalist')?.id)
    await closeConsole()
    rmSync(network.library)
    await replaceHub({ ndi: { folders: [network.folder] } })
    await open()
    await choose(await (await adding('Add input')).list('Protocol'), 'NDI')
    await says(/NDI runtime/)
  } finally {
    network.remove()
  }
})

test.run()
