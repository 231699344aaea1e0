// Wrong values in the forms of the console, and the message at their fields: names, keys, numbers and network
// addresses.
import { suite } from 'uvu'
import { ROUTES } from '../../../src/paths.ts'
import { addNamedChannel, openChannelList } from '../../kit/console/channel-list.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { acceptDevicesUpTo, menuItemOf } from '../../kit/console/device-list.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { setNdiMachineName } from '../../kit/console/ndi-matrix.ts'
import { blur, click, fill, findByRole, selectOption, waitForFieldMessage } from '../../kit/console/page.ts'
import { findForm, openAddDialog, openSourceList } from '../../kit/console/source-list.ts'

const test = suite('wrong values')

hubForEach(test)

const CHARACTERS = 'Contains characters that are not allowed'
const OUTER_SPACE = 'Cannot begin or end with a space'
const REQUIRED = 'Required'
const INVALID = 'Invalid entry'
const NUMBER = 'Invalid number'
const unitsTo = (max: number) => `Must be 1 to ${max} characters long; ^ and letters other than A-Z count as 3`
const charactersTo = (max: number) => `Must be 1 to ${max} characters long`
const between = (min: number | string, max: number | string) => `Must be between ${min} and ${max}`

type Values = readonly (readonly [value: string, message: string])[]

/** Types each value into a field, and waits for the message at the field. */
async function enter(field: HTMLElement, values: Values): Promise<void> {
  for (const [value, message] of values) {
    await fill(field, value)
    await blur(field)
    await waitForFieldMessage(field, message)
  }
}

const NAMES: Values = [
  [' Hall', OUTER_SPACE],
  ['Hall ', OUTER_SPACE],
  ['Hall/1', CHARACTERS],
  ['x'.repeat(65), charactersTo(64)],
  ['演'.repeat(22), unitsTo(64)],
  ['^'.repeat(22), unitsTo(64)],
  ['', REQUIRED]
]

test('names of channels, inputs, outputs and devices', async () => {
  for (const sn of await acceptDevicesUpTo(1)) hub.parts.registry.setOnline(sn)
  await addNamedChannel('News')
  await openChannelList()
  await click(await findByRole('button', 'Add channel'))
  const channel = await findForm('Add channel', 'Add channel')
  await enter(await channel.field('Name'), NAMES)
  await closeConsole()
  await openSourceList(ROUTES.inputs)
  await enter(await (await openAddDialog('Add input')).field('Name'), NAMES)
  await closeConsole()
  await setNdiMachineName('Studio')
  await openSourceList(ROUTES.outputs)
  const { field, list } = await openAddDialog('Add output')
  await enter(await field('Name'), NAMES)
  // Receivers show the name of an NDI output: the runtime replaces some characters, and announces at most 60 bytes of
  // both it and the machine's name.
  await selectOption(await list('Protocol'), 'NDI')
  await enter(await field('Name'), [
    ['Hall "1"', CHARACTERS],
    ['Hall:1', CHARACTERS],
    ['演播室'.repeat(7), 'Too long: at most 54 bytes, a Chinese character takes 3'],
    [' a', OUTER_SPACE]
  ])
  await closeConsole()
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall 1', 'Rename'))
  await enter(await findByRole('textbox', 'Name', await findByRole('dialog', 'Rename Hall 1')), [
    ...NAMES.filter(([value]) => value !== 'Hall/1'),
    ['演播室', CHARACTERS],
    ['Hall/1', CHARACTERS]
  ])
})

test('the name of a device group', async () => {
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('button', 'Actions: Device groups'))
  await click(await findByRole('menuitem', 'Add group'))
  await enter(await findByRole('textbox', 'Name', await findByRole('dialog')), [
    [' Hall', OUTER_SPACE],
    ['x'.repeat(33), charactersTo(32)],
    ['演'.repeat(11), unitsTo(32)],
    ['', REQUIRED]
  ])
})

test('stream keys and the URL of a live stream', async () => {
  await openSourceList(ROUTES.outputs)
  const { field, list } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'RTMP')
  await enter(await field('Stream key'), [
    ['key ', OUTER_SPACE],
    ['k'.repeat(64), charactersTo(63)],
    ['钥'.repeat(22), unitsTo(63)],
    ['', REQUIRED]
  ])
  await enter(await field('Address'), [
    ['live.example.com', INVALID],
    ['live.example.com/', INVALID],
    ['live.example.com/a b', 'Cannot contain any space'],
    ['live.example.com:0/app', between(1, 65535)],
    ['1.2.3.256/app', INVALID],
    ['http://live.example.com/app', 'Use rtmp, srt, udp, rtp, rtsp or http'],
    ['', REQUIRED]
  ])
})

test('ports, latency, overhead, buffer and limits', async () => {
  await openSourceList(ROUTES.outputs)
  const output = await openAddDialog('Add output')
  await enter(await output.field('Port'), [
    ['0', between(1, 65535)],
    ['65536', between(1, 65535)],
    ['9001x', NUMBER],
    ['-1', NUMBER],
    ['1.5', NUMBER],
    ['', REQUIRED]
  ])
  await enter(await output.field('Latency (ms)'), [
    ['19', between(20, 8000)],
    ['8001', between(20, 8000)],
    ['1e3', NUMBER],
    ['', REQUIRED]
  ])
  await selectOption(await output.list('Protocol'), 'RTSP')
  await enter(await output.field('Port'), [
    ['553', 'Must be 554, or between 1024 and 65535'],
    ['65536', 'Must be 554, or between 1024 and 65535'],
    ['5 5 4', NUMBER]
  ])
  await closeConsole()
  await openSourceList(ROUTES.inputs)
  const input = await openAddDialog('Add input')
  for (const kind of ['RTMP', 'RTMPS', 'RTSP', 'NDI']) {
    await selectOption(await input.list('Protocol'), kind)
    await enter(await input.field('Buffer (ms)'), [
      ['0', between(1, 2000)],
      ['2001', between(1, 2000)],
      ['ten', NUMBER]
    ])
  }
})

test('addresses, domains, masks and lists of addresses', async () => {
  await openSourceList(ROUTES.inputs)
  const input = await openAddDialog('Add input')
  const addresses: Values = [
    ['0.1.2.3', INVALID],
    ['1.2.3', INVALID],
    ['1.2.3.256', INVALID],
    ['single', INVALID],
    ['-a.example', INVALID],
    [`${'x'.repeat(64)}.example`, INVALID]
  ]
  await enter(await input.field('Address'), [...addresses, ['', REQUIRED]])
  await selectOption(await input.list('Protocol'), 'RTP')
  await enter(await input.field('Sender address'), [...addresses, ['cam.example', INVALID]])
  await closeConsole()
  await openSourceList(ROUTES.outputs)
  const output = await openAddDialog('Add output')
  await enter(await output.field('Allowed addresses'), [
    ['10.0.0.0/33', INVALID],
    ['10.0.0.1, cam.example', INVALID]
  ])
  await selectOption(await output.list('Protocol'), 'UDP')
  await enter(await output.field('Address'), [...addresses, ['', REQUIRED]])
  await selectOption(await output.list('Protocol'), 'NDI')
  await selectOption(await output.list('Transport'), 'UDP multicast')
  await enter(await output.field('Multicast address'), [
    ['223.255.255.255', between('224.0.0.0', '239.255.255.255')],
    ['240.0.0.0', between('224.0.0.0', '239.255.255.255')],
    ['group', INVALID]
  ])
  await enter(await output.field('Subnet mask'), [
    ['255.0.255.0', INVALID],
    ['255.255.255', INVALID],
    ['0.0.0.0', INVALID]
  ])
})

test.run()
