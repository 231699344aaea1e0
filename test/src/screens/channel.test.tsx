import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices, listDevices, setDeviceSecurity } from '../../../contract/device/device.ts'
import { CHANNEL_CONTROL, CHANNEL_VIEW } from '../../../contract/permissions.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  channelDashboard,
  enableChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { CONNECTION, DIR_OUTPUT, RTMP, SOURCE, SRT } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput, listInputs, type SrtOutput } from '../../../contract/stream/source.ts'
import type { LegObserved } from '../../../engine/interfaces/channel.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { openConsole } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { CARRIES, measure } from '../../kit/measured.ts'
import {
  all,
  choose,
  click,
  fill,
  focuses,
  leave,
  nameOf,
  none,
  one,
  press,
  saidOf,
  says,
  saysOf,
  words
} from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('channel')

hubForEach(test)

/** What the hub has of its channels, in the order of their names. */
async function channels(): Promise<Channel[]> {
  return (await other.send(channelDashboard, { sort: 'name', order: 'ascending' })).list
}
const outputs = () => hub.hub.store.sources.outputs().map(({ name, protocol, config }) => ({ name, protocol, config }))

async function addedChannel(name: string): Promise<number> {
  return (await other.send(addChannel, { name })).id
}
/** Gives a channel an SRT listener. @returns its id */
async function addedOutput(channel: number, name: string, port: number): Promise<number> {
  const config = { mode: 'listener', 'bind-port': port } as const
  const { id } = await other.send(addOutput, { name, protocol: SRT, config })
  assert.equal((await other.send(addChannelOutputs, { id: channel, outputs: [id] })).result, 0)
  return id
}
/** Registers and accepts devices. @returns their node ids */
async function addedDevices(count: number): Promise<number[]> {
  await other.send(acceptDevices, { sn: register(hub, count) })
  const { list } = await other.send(listDevices, { sort: 'sn', order: 'ascending' })
  return list.map(({ id }) => id)
}
/** A channel that a device sends to, with an output, and started. */
async function startedChannel(): Promise<{ id: number; output: number }> {
  const id = await addedChannel('News')
  const [device = 0] = await addedDevices(1)
  await other.send(setChannelInput, { id, input: device })
  const output = await addedOutput(id, 'Hall screen', 9001)
  await other.send(enableChannel, { id, enable: true })
  return { id, output }
}

const IDLE: LegObserved = { state: SOURCE.initializing, connState: CONNECTION.waiting, kbps: 0, livingTimeS: 0 }

const row = (name: string) => one('row', name)
const rows = () => all('row').map(nameOf)
const inRow = async (name: string, button: string | RegExp) => one('button', button, await row(name))
const open = async () => {
  const console = await openConsole(hub, { at: PLACES.channels })
  await until(() => all('button', 'Add channel').length > 0, 'the list')
  return console
}
async function fromMenu(name: string, item: string): Promise<void> {
  await click(await inRow(name, `Actions: ${name}`))
  await click(await one('menuitem', item))
}
/** Opens the dialog for a new channel, and waits until it knows which port is free. */
async function adding() {
  await click(all('button', 'Add channel')[0] as HTMLElement)
  return form('Add channel', 'Add channel', 'SRT output port')
}
/** @param proposed the field that the dialog fills in as soon as the hub has answered */
async function form(title: string, verb: string, proposed?: string) {
  const dialog = await one('dialog', title)
  const field = (name: string) => one<HTMLInputElement>('textbox', name, dialog)
  if (proposed) {
    const free = await field(proposed)
    await until(() => free.value !== '', 'a free port')
  }
  return {
    dialog,
    field,
    list: (name: string) => one<HTMLSelectElement>('combobox', name, dialog),
    send: async () => click(await one('button', verb, dialog))
  }
}

test('without channels it says what one is, and how to add one', async () => {
  await open()
  await says('No channels yet')
  await says(/one input to many outputs/)
  assert.equal(all('button', 'Add channel').length, 2)
  await click(all('button', 'Add channel')[1] as HTMLElement)
  const { dialog } = await form('Add channel', 'Add channel')
  await focuses('Name')
  await click(await one('button', 'Cancel', dialog))
  await none('dialog')
  assert.deepEqual(await channels(), [])
})

test('a channel is added with a device and an SRT output on a free port', async () => {
  const [device] = await addedDevices(2)
  hub.hub.registry.hello(helloOf(3, { dir: DIR_OUTPUT }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(3).sn] })
  await addedOutput(await addedChannel('Old'), 'Old SRT', 9001)
  await open()
  const { field, list, send } = await adding()
  assert.equal((await field('SRT output port')).value, '9002')
  await fill(await field('Name'), 'Evening service')
  const devices = await list('Device or source')
  await one('option', 'Ultra Encode · Hall 2 (Offline)', devices)
  assert.equal(all('option', /Hall 3/, devices).length, 0, 'a device that cannot send is none')
  await choose(devices, /Hall 1/)
  await send()
  await none('dialog')
  await says('Operation succeeded')
  await says('Stopped', await row('Evening service'))
  await says('Hall 1', await row('Evening service'))
  await says('0 of 1 outputs live', await row('Evening service'))
  const [made] = await channels()
  assert.deepEqual([made?.name, made?.config.enable, made?.input?.id], ['Evening service', false, device])
  assert.deepEqual(
    made?.outputs.list.map(({ name, addr }) => [name, addr]),
    [['Evening service SRT', 'srt://:9002']]
  )
})

/** Opens the dialog for a new input over the one for a channel. */
async function addingInput() {
  await click(await one('button', 'Add input'))
  return form('Add input', 'Add input')
}

test('a channel is added with a new input, whose URL is stored as the allow-list reads it', async () => {
  await open()
  const { field, list, send } = await adding()
  await fill(await field('Name'), 'News')
  const input = await addingInput()
  await fill(await input.field('Name'), 'Studio')
  await fill(await input.field('Address'), 'SRT://192.0.2.20:9000?latency=200&nonsense=-f+x')
  await input.send()
  await none('dialog', 'Add input')
  const { list: made } = await other.send(listInputs, {})
  assert.deepEqual(
    made.map(({ name, config }) => [name, config.url]),
    [['Studio', 'srt://192.0.2.20:9000?mode=caller&latency=200']]
  )
  const chosen = await list('Device or source')
  assert.equal(chosen.value, String(made[0]?.id), 'it is chosen at once')
  await send()
  await none('dialog')
  await says('Studio', await row('News'))
  assert.equal((await channels())[0]?.input?.id, made[0]?.id)
})

test('a source that exists can be the input of another channel', async () => {
  const { id } = await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  await open()
  const { field, list, send } = await adding()
  await fill(await field('Name'), 'News')
  await choose(await list('Device or source'), 'RTMP · Studio')
  await send()
  await none('dialog')
  assert.equal((await channels())[0]?.input?.id, id)
})

test('a channel is added without input and without output', async () => {
  await open()
  const { field, send } = await adding()
  await fill(await field('Name'), 'Later')
  await fill(await field('SRT output port'), '')
  await send()
  await none('dialog')
  await says('None', await row('Later'))
  await says('0 of 0 outputs live', await row('Later'))
  const [made] = await channels()
  assert.equal(made?.input, null)
  assert.equal(made?.outputs.total, 0)
})

test('what is wrong is said beside its field when it was left, and goes while one types', async () => {
  await open()
  const { field } = await adding()
  const name = await field('Name')
  assert.equal(saidOf(name), '')
  await fill(name, '')
  await leave(name)
  await saysOf(name, 'Required')
  await fill(name, ' x')
  await saysOf(name, 'Cannot begin or end with a space')
  await fill(name, 'x'.repeat(65))
  await saysOf(name, 'Must be 1 to 64 characters long')
  await fill(name, '漢'.repeat(22))
  await saysOf(name, 'Must be 1 to 64 characters long; ^ and letters other than A-Z count as 3')
  await fill(name, '漢'.repeat(21))
  await saysOf(name, '')
  await fill(name, 'a/b')
  await saysOf(name, 'Has characters that are not allowed')
})

test('sending shows all that is wrong, the first of it has the focus, and the hub hears nothing', async () => {
  const console = await open()
  const { field, send } = await adding()
  const asked: string[] = []
  console.instead = (path) => void (path.includes('/add') && asked.push(path))
  await fill(await field('SRT output port'), '70000')
  await send()
  await saysOf(await field('Name'), 'Required')
  await saysOf(await field('SRT output port'), 'Must be between 1 and 65535')
  await focuses('Name')
  await fill(await field('Name'), 'x')
  await send()
  await focuses('SRT output port')
  const input = await addingInput()
  await fill(await input.field('Address'), 'ftp://x')
  await input.send()
  await focuses('Name')
  await saysOf(await input.field('Address'), 'Invalid entry')
  await saysOf(await input.field('Port'), 'Required')
  await fill(await input.field('Address'), 'rtmp://192.0.2.300/x')
  await saysOf(await input.field('Address'), 'Invalid entry')
  assert.deepEqual(asked, [])
})

test('a name that is taken is said at its field, until it is changed', async () => {
  await addedChannel('News')
  await open()
  const { field, send } = await adding()
  const name = await field('Name')
  await fill(name, 'News')
  await send()
  await saysOf(name, 'The name already exists')
  await focuses('Name')
  assert.equal((await channels()).length, 1)
  await fill(name, 'News 2')
  await saysOf(name, '')
  await send()
  await none('dialog')
  assert.deepEqual(
    (await channels()).map((channel) => channel.name),
    ['News', 'News 2']
  )
})

test('a port that is taken is said at its field, and the channel is taken back', async () => {
  await addedOutput(await addedChannel('Old'), 'Old SRT', 9500)
  await open()
  const { field, send } = await adding()
  await fill(await field('Name'), 'News')
  const port = await field('SRT output port')
  await fill(port, '9500')
  await send()
  await saysOf(port, 'Port 9500 occupied: output Old SRT')
  await focuses('SRT output port')
  assert.deepEqual(
    (await channels()).map((channel) => channel.name),
    ['Old']
  )
  await fill(port, '9501')
  await send()
  await none('dialog')
  await row('News')
})

test('a source name that is taken is said at its field, and nothing is left of what was made before', async () => {
  await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  await open()
  const { field } = await adding()
  await fill(await field('Name'), 'News')
  const input = await addingInput()
  await fill(await input.field('Name'), 'Studio')
  await fill(await input.field('Address'), 'rtmp://192.0.2.20/live/y')
  await input.send()
  await click(await one('button', 'Cancel', await one('dialog', 'The name already exists')))
  await saysOf(await input.field('Name'), 'The name already exists')
  assert.equal(saidOf(await field('Name')), '')
  assert.deepEqual(await channels(), [])
  assert.deepEqual(outputs(), [])
})

test('what only the hub can tell of a URL is said in its form too', async () => {
  await open()
  await adding()
  const input = await addingInput()
  await fill(await input.field('Name'), 'Studio')
  // Without a path: an application and a stream are missing.
  await fill(await input.field('Address'), 'rtmp://192.0.2.20')
  await input.send()
  await saysOf(await input.list('Protocol'), 'Invalid entry')
  await focuses('Protocol')
  await fill(await input.field('Address'), 'srt://192.0.2.20:9000?latency=19')
  await input.send()
  await saysOf(await input.field('Latency (ms)'), 'Must be between 20 and 8000')
  assert.deepEqual(await channels(), [])
  assert.deepEqual(outputs(), [])
})

test('what the hub does not take stays in the dialog, and is told', async () => {
  const console = await open()
  const { dialog, field, send } = await adding()
  await fill(await field('Name'), 'News')
  console.instead = (path) => (path.includes('/channel/add') ? Response.json({ result: 1006 }) : undefined)
  await send()
  await one('alert', /^Limit exceeded/)
  assert.equal((await field('Name')).value, 'News')
  assert.equal(dialog.isConnected, true)
})

test('a channel is started and stopped; where nobody watches nothing is asked', async () => {
  await addedChannel('News')
  await open()
  await click(await inRow('News', /^Start/))
  await says('Waiting for a push', await row('News'))
  await inRow('News', /^Stop/)
  assert.equal((await channels())[0]?.config.enable, true)
  await says('1/256 channels, 1/64 started, 0 live')
  await click(await inRow('News', /^Stop/))
  await says('Stopped', await row('News'))
  assert.equal(all('dialog').length, 0)
  assert.equal((await channels())[0]?.config.enable, false)
})

test('a channel that carries says its rate and for how long; stopped it says neither', async () => {
  const { id, output } = await startedChannel()
  measure(hub, id, CARRIES, { [output]: CARRIES })
  await open()
  for (const word of ['Running', 'Hall 1', '4.2 Mbps', '1 h 2 min', '1 of 1 outputs live'])
    await says(word, await row('News'))
  await says('1/256 channels, 1/64 started, 1 live')
  await other.send(enableChannel, { id, enable: false })
  await says('Stopped', await row('News'))
  await until(() => !words().includes('bps'), 'no rate')
  await says('0 of 1 outputs live', await row('News'))
  assert.ok(!/\d (h|min|s)\b/.test(words(await row('News'))), words(await row('News')))
  await says('1/256 channels, 0/64 started, 0 live')
})

test('stopping asks where somebody watches, and only then', async () => {
  const { id, output } = await startedChannel()
  measure(hub, id, CARRIES, { [output]: CARRIES })
  await open()
  await says('1 of 1 outputs live', await row('News'))
  await click(await inRow('News', /^Stop/))
  const question = await one('dialog', 'Stop News?')
  await says(/lose the picture/, question)
  await click(await one('button', 'Cancel', question))
  await none('dialog')
  assert.equal((await channels())[0]?.config.enable, true)
  measure(hub, id, CARRIES, { [output]: IDLE })
  await says('0 of 1 outputs live', await row('News'))
  await click(await inRow('News', /^Stop/))
  await says('Stopped', await row('News'))
  assert.equal(all('dialog').length, 0)
})

test('an input that fails says so, and why', async () => {
  const { id, output } = await startedChannel()
  const reason = 'said the address is taken'
  measure(
    hub,
    id,
    { ...IDLE, state: SOURCE.failed, connState: CONNECTION.notAuthorized, reason: 'wrong-passphrase' },
    { [output]: { ...IDLE, state: SOURCE.failed, connState: CONNECTION.creationFailed, reason } }
  )
  await open()
  await says('Authorization failed', await row('News'))
  assert.ok(!words(await row('News')).includes('bps'))
  await click(await inRow('News', 'Details: News'))
  await says('Creation failed')
  await says('the address is taken')
  setLanguage('zh')
  await says('流程序提示：the address is taken')
})

test('several are started, stopped and deleted at once', async () => {
  for (const name of ['A', 'B', 'C']) await addedChannel(name)
  await open()
  await row('C')
  const tick = async (name: string) => click(await one('checkbox', `Select ${name}`))
  const act = async (verb: string) => click(await one('button', verb, await one('toolbar', 'Actions')))
  await tick('A')
  await tick('B')
  await act('Start 2 items')
  await none('toolbar')
  await says('3/256 channels, 2/64 started, 0 live')
  await click(await one('checkbox', 'Select all'))
  await act('Stop 3 items')
  await says('3/256 channels, 0/64 started, 0 live')
  await tick('A')
  await tick('C')
  await act('Delete 2 items')
  await click(await one('button', 'Delete 2 items', await one('dialog', 'Delete 2 items?')))
  await until(() => rows().join() === 'B', 'one channel')
  assert.deepEqual(
    (await channels()).map(({ name }) => name),
    ['B']
  )
})

test('beside what is used stands what the licence allows; more is refused with both numbers', async () => {
  const used = await addedChannel('News')
  await addedOutput(used, 'Hall screen', 9001)
  await addedChannel('Sport')
  await other.send(enableChannel, { id: used, enable: true })
  const { settings } = hub.hub.store
  settings.set('license-limits', {
    ...settings.get('license-limits'),
    'max-channel-count': 4,
    'max-live-count': 1,
    'max-output-count': 3,
    'max-srt-count': 2
  })
  await open()
  await says('2/4 channels, 1/1 started, 0 live, 1/3 outputs on, 1/2 SRT servers')
  await click(await inRow('Sport', /^Start/))
  await says('The license allows 1 channels at a time, and 1 are started.')
  assert.equal((await channels())[1]?.config.enable, false)
})

test('as pictures they are in the order of their names, with their state and rate, and can be chosen and started', async () => {
  const [device = 0] = await addedDevices(1)
  const id = await addedChannel('News')
  await addedChannel('Choir')
  await other.send(setChannelInput, { id, input: device })
  await other.send(enableChannel, { id, enable: true })
  measure(hub, id, CARRIES)
  const console = await open()
  await click(await one('button', 'Pictures'))
  assert.equal(console.place(), '/stream/channels?view=view')
  const tiles = () => all('listitem').filter((item) => item.querySelector('footer'))
  await until(() => tiles().length === 2, 'two tiles')
  const [choir, news] = tiles() as [HTMLElement, HTMLElement]
  for (const word of ['Choir', 'Stopped', 'None', 'No picture']) await says(word, choir)
  for (const word of ['News', 'Running', '4.2 Mbps']) await says(word, news)
  assert.equal((await one<HTMLAnchorElement>('link', 'News', news)).hash, `#/stream/channel/detail/${id}`)
  await click(await one('checkbox', 'Select Choir'))
  await click(await one('button', 'Start', await one('toolbar', 'Actions')))
  await says('Waiting for a push', choir)
  await click(await one('button', 'Pictures'))
  await row('Choir')
})

test('a channel is deleted after a question; its input and outputs are kept', async () => {
  const id = await addedChannel('News')
  const source = await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  await other.send(setChannelInput, { id, input: source.id })
  await addedOutput(id, 'Hall screen', 9001)
  await open()
  await click(await inRow('News', /^Delete/))
  const question = await one('dialog', 'Delete News?')
  await says('Inputs and outputs are kept.', question)
  await click(await one('button', 'Cancel', question))
  await none('dialog')
  assert.equal((await channels()).length, 1)
  await click(await inRow('News', /^Delete/))
  await click(await one('button', 'Delete News', await one('dialog', 'Delete News?')))
  await says('No channels yet')
  assert.deepEqual(await channels(), [])
  assert.equal((await other.send(listInputs, {})).list.length, 1)
  assert.equal(outputs().length, 1)
})

test('a channel is renamed in its settings; a name that is taken is said at its field', async () => {
  await addedChannel('Old')
  await addedChannel('News')
  await open()
  await fromMenu('News', 'Settings')
  const { field, send } = await form('Settings: News', 'Save')
  const name = await field('Name')
  assert.equal(name.value, 'News')
  await fill(name, 'Old')
  await send()
  await saysOf(name, 'The name already exists')
  await fill(name, 'Zulu')
  await send()
  await none('dialog')
  await until(() => rows().join() === 'Old,Zulu', 'the new name')
  assert.deepEqual(
    (await channels()).map((channel) => channel.name),
    ['Old', 'Zulu']
  )
})

test('the input is changed to another device, to a new URL, and to none', async () => {
  const [first = 0, second = 0] = await addedDevices(2)
  const id = await addedChannel('News')
  await other.send(setChannelInput, { id, input: first })
  await open()
  const change = async () => {
    await fromMenu('News', 'Change input')
    return form('Change input: News', 'Change input')
  }
  let { list, send } = await change()
  const devices = await list('Device or source')
  await one('option', /Hall 2/, devices)
  assert.equal(devices.value, String(first), 'the present one is chosen')
  await choose(devices, /Hall 2/)
  await send()
  await none('dialog')
  await says('Hall 2', await row('News'))
  assert.equal((await channels())[0]?.input?.id, second)

  await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  ;({ send } = await change())
  const input = await addingInput()
  await fill(await input.field('Name'), 'Studio')
  await fill(await input.field('Address'), 'rtsp://192.0.2.20/one')
  await input.send()
  await click(await one('button', 'Cancel', await one('dialog', 'The name already exists')))
  await saysOf(await input.field('Name'), 'The name already exists')
  await fill(await input.field('Name'), 'Studio 2')
  await input.send()
  await none('dialog', 'Add input')
  await send()
  await none('dialog')
  await says('Studio 2', await row('News'))
  assert.equal((await channels())[0]?.input?.addr, 'rtsp://192.0.2.20:554/****')

  await other.send(addInput, { name: 'Foyer', config: { type: 1, url: 'ntkndi://ndi?name=FOYER' } })
  ;({ list, send } = await change())
  await choose(await list('Device or source'), 'NDI · Foyer')
  await send()
  await none('dialog')
  await says('Foyer', await row('News'))

  ;({ list, send } = await change())
  await choose(await list('Device or source'), 'None')
  await send()
  await none('dialog')
  await says('None', await row('News'))
  assert.equal((await channels())[0]?.input, null)
})

test('an SRT listener is added, with encryption', async () => {
  await addedChannel('News')
  await addedOutput(await addedChannel('Old'), 'Old SRT', 9001)
  await open()
  await fromMenu('News', 'Add output')
  const { field, list, send } = await form('Add output: News', 'Add output', 'Port')
  assert.equal((await field('Name')).value, 'News 1')
  assert.equal((await field('Port')).value, '9002')
  assert.equal((await field('Latency (ms)')).value, '120')
  await fill(await field('Port'), '9001')
  await send()
  await saysOf(await field('Port'), 'Port 9001 occupied: output Old SRT')
  await fill(await field('Port'), '9003')
  await fill(await field('Latency (ms)'), '19')
  await choose(await list('Encryption'), 'AES-256')
  await fill(await field('Passphrase'), 'short')
  await send()
  await saysOf(await field('Latency (ms)'), 'Must be between 20 and 8000')
  await saysOf(await field('Passphrase'), 'Must be 10 to 79 characters long')
  assert.equal((await field('Passphrase')).type, 'password')
  await focuses('Latency (ms)')
  await fill(await field('Latency (ms)'), '250')
  await fill(await field('Passphrase'), 'long enough for it')
  await send()
  await none('dialog')
  await says('0 of 1 outputs live', await row('News'))
  const config: SrtOutput = {
    mode: 'listener',
    'bind-port': 9003,
    'max-client-num': 8,
    latency: 250,
    bandwidth: 25,
    enc: 'aes-256'
  }
  assert.deepEqual(outputs().at(-1), {
    name: 'News 1',
    protocol: SRT,
    config: { ...config, passphrase: 'long enough for it' }
  })
  await click(await inRow('News', 'Details: News'))
  await says('srt://hub.test:9003')
  assert.ok(!words().includes('long enough'))
})

test('an SRT caller is added', async () => {
  await addedChannel('News')
  await open()
  await fromMenu('News', 'Add output')
  const { field, list, send } = await form('Add output: News', 'Add output', 'Port')
  await choose(await list('Protocol'), 'SRT caller')
  await fill(await field('Port'), '')
  await send()
  await saysOf(await field('Address'), 'Required')
  await saysOf(await field('Port'), 'Required')
  await focuses('Address')
  await fill(await field('Address'), 'not an address')
  await saysOf(await field('Address'), 'Invalid entry')
  await fill(await field('Address'), 'live.example.com')
  await fill(await field('Port'), '7001')
  await fill(await field('Stream ID'), 'publish/news')
  await send()
  await none('dialog')
  assert.deepEqual(outputs(), [
    {
      name: 'News 1',
      protocol: SRT,
      config: {
        mode: 'caller',
        'dst-ip': 'live.example.com',
        'dst-port': 7001,
        'stream-id': 'publish/news',
        latency: 120,
        bandwidth: 25,
        enc: 'disable'
      }
    }
  ])
  await click(await inRow('News', 'Details: News'))
  await says('srt://live.example.com:7001')
})

test('an RTMP push is added, and its key is shown nowhere', async () => {
  await addedChannel('News')
  await open()
  await click(await inRow('News', 'Details: News'))
  await click(await one('button', 'Add output'))
  const { field, list, send, dialog } = await form('Add output: News', 'Add output', 'Port')
  await choose(await list('Protocol'), 'RTMP')
  assert.equal(all('combobox', 'Encryption', dialog).length, 0)
  await send()
  await saysOf(await field('Address'), 'Required')
  await saysOf(await field('Stream key'), 'Required')
  await fill(await field('Address'), 'srt://192.0.2.20:9000')
  await saysOf(await field('Address'), 'Use rtmp, srt, udp, rtp, rtsp or http')
  await fill(await field('Address'), 'rtmp://live.example.com/app')
  await fill(await field('Stream key'), 'very-secret')
  await fill(await field('Name'), 'Platform')
  await send()
  await none('dialog')
  assert.deepEqual(outputs(), [
    { name: 'Platform', protocol: RTMP, config: { url: 'rtmp://live.example.com:1935/app', key: 'very-secret' } }
  ])
  await says('RTMP rtmp://live.example.com:1935/app')
  assert.ok(!document.body.innerHTML.includes('very-secret'))
})

test('an output name that is taken is said at its field, and no output is left over', async () => {
  const id = await addedChannel('News')
  await addedOutput(id, 'News 2', 9001)
  await open()
  await fromMenu('News', 'Add output')
  const { field, send } = await form('Add output: News', 'Add output', 'Port')
  assert.equal((await field('Name')).value, 'News 2')
  await send()
  await saysOf(await field('Name'), 'The name already exists')
  await fill(await field('Name'), 'News 3')
  assert.equal(outputs().length, 1)
  await send()
  await none('dialog')
  assert.deepEqual(
    outputs().map(({ name }) => name),
    ['News 2', 'News 3']
  )
})

test('an output is taken out and kept; one that is watched only after a question', async () => {
  const { id, output: first } = await startedChannel()
  const second = await addedOutput(id, 'Foyer', 9002)
  measure(hub, id, CARRIES, { [first]: CARRIES, [second]: IDLE })
  await open()
  await click(await inRow('News', 'Details: News'))
  await click(await one('button', 'Take out: Foyer'))
  await none('button', 'Take out: Foyer')
  assert.equal(all('dialog').length, 0)
  await click(await one('button', 'Take out: Hall screen'))
  const question = await one('dialog', 'Take out Hall screen?')
  await click(await one('button', 'Cancel', question))
  await none('dialog')
  assert.equal((await channels())[0]?.outputs.total, 1)
  await click(await one('button', 'Take out: Hall screen'))
  await click(await one('button', 'Take out Hall screen', await one('dialog', 'Take out Hall screen?')))
  await says('0 of 0 outputs live', await row('News'))
  assert.deepEqual(
    outputs().map(({ name }) => name),
    ['Hall screen', 'Foyer']
  )
  assert.equal((await channels())[0]?.outputs.total, 0)
})

test('a channel that somebody else deleted meanwhile is said to be', async () => {
  const id = await addedChannel('News')
  const console = await open()
  await row('News')
  console.hush()
  hub.hub.store.channels.remove(id)
  hub.hub.applyChannel(id)
  await click(await inRow('News', /^Start/))
  await one('alert', /^This configuration has been deleted by another user\./)
  await says('No channels yet')
})

test('a search is in the address, and holds after a reload', async () => {
  for (const name of ['Evening service', 'News', 'Late news']) await addedChannel(name)
  const console = await open()
  const box = await one('textbox', 'Search')
  await fill(box, 'news')
  await press(box, 'Enter')
  await until(() => rows().join() === 'Late news,News', 'two channels')
  assert.equal(console.place(), '/stream/channels?key=news')
  navigate(link('channels', { key: 'service' }))
  await until(() => rows().join() === 'Evening service', 'one channel')
  const [, news] = await channels()
  await other.send(setChannelInput, { id: news?.id ?? 0, input: (await addedDevices(1))[0] ?? 0 })
  await addedOutput((await channels())[2]?.id ?? 0, 'Hall screen', 9001)
  await fill(box, 'hall')
  await press(box, 'Enter')
  await until(() => rows().join() === 'Late news,News', 'the one with that input, and the one with that output')
  await other.send(enableChannel, { id: news?.id ?? 0, enable: true })
  await fill(box, 'stopped')
  await press(box, 'Enter')
  await until(() => rows().join() === 'Evening service,News', 'those in that state')
  await fill(box, 'zzz')
  await press(box, 'Enter')
  await says('Nothing found')
})

test('who may only look sees all of it, and can do nothing', async () => {
  await addedOutput(await addedChannel('News'), 'Hall screen', 9001)
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  const console = await openConsole(hub, { user: 'viewer', at: PLACES.channels })
  await click(await inRow('News', 'Details: News'))
  await says('Hall screen')
  const asked: string[] = []
  console.instead = (path) => void (/add|set|del|enable/.test(path) && asked.push(path))
  for (const name of ['Add channel', /^Start/, /^Delete: News/, 'Add output', /^Take out: Hall/]) {
    const button = await one('button', name)
    assert.equal(button.getAttribute('aria-disabled'), 'true', String(name))
    await click(button)
  }
  await click(await inRow('News', 'Actions: News'))
  const items = all('menuitem')
  // The settings can be looked at.
  const settings = items.pop()
  for (const item of items) {
    assert.equal(item.getAttribute('aria-disabled'), 'true', nameOf(item))
    await click(item)
  }
  assert.equal(all('dialog').length, 0)
  await click(settings as HTMLElement)
  await none('button', 'Save', await one('dialog', 'Settings: News'))
  assert.deepEqual(asked, [])
})

test('who may control starts and stops, and edits nothing', async () => {
  await addedChannel('News')
  await addUser(hub, 'operator', CHANNEL_VIEW | CHANNEL_CONTROL)
  await openConsole(hub, { user: 'operator', at: PLACES.channels })
  assert.equal((await inRow('News', /^Delete/)).getAttribute('aria-disabled'), 'true')
  await click(await inRow('News', /^Start/))
  await inRow('News', /^Stop/)
  assert.equal((await channels())[0]?.config.enable, true)
})

test('an input that one may not see has no name, and that is said', async () => {
  const [device = 0] = await addedDevices(1)
  const id = await addedChannel('Studio')
  await other.send(setChannelInput, { id, input: device })
  const { sn } = helloOf(1)
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openConsole(hub, { user: 'viewer', at: PLACES.channels })
  await says('Hall 1', await row('Studio'))
  const security = { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 }
  assert.equal((await other.send(setDeviceSecurity, { sn, security })).result, 0)
  await says('Hidden device', await row('Studio'))
  assert.ok(!words(document.body).includes('Hall 1'))
})

test.run()
