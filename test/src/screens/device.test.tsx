import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addCatalog, setCatalog } from '../../../contract/catalog.ts'
import {
  acceptDevices,
  type Device,
  type DeviceStatus,
  deleteDevices,
  listDevices,
  type RegistrationWord,
  RUNNING,
  WARNING
} from '../../../contract/device/device.ts'
import { DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../../contract/permissions.ts'
import { addChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { DIR_BOTH, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { all, choose, click, fill, nameOf, none, one, press, says, saysOf, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('device')

hubForEach(test)

/** Registers and accepts devices 1 to `count`. @returns their serials */
async function accepted(count: number): Promise<string[]> {
  const serials = register(hub, count)
  assert.equal((await other.send(acceptDevices, { sn: serials })).result, 0)
  return serials
}

/** The names of the devices that the hub has in a state. */
async function at(state: RegistrationWord): Promise<string[]> {
  const { list } = await other.send(listDevices, { 'reg-state': state, sort: 'name', order: 'ascending' })
  return list.map((device: Device) => device.name)
}

/** As on a platform that cannot tell what is on screen: everything is. */
function showEverything(): void {
  Object.assign(globalThis, { IntersectionObserver: undefined })
}

const rows = () => all('row').map(nameOf)
const shows = (names: string[]) =>
  until(() => rows().join() === names.join(), `rows ${names}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${rows()}\n${words()}`)
  })
const inRow = async (name: string, button: RegExp) => one('button', button, await one('row', name))
const inMenu = async (name: string, item: string | RegExp) => {
  await click(await inRow(name, /^Actions/))
  return one('menuitem', item)
}
const tick = async (name: string) => click(await one('checkbox', `Select ${name}`))
const bar = () => one('toolbar', 'Actions')
const tile = async (name: string) => {
  const tiles = () => all('listitem').filter((item) => item.querySelector('footer') && words(item).includes(name))
  await until(() => tiles().length === 1, `the tile of ${name}`)
  return tiles()[0] as HTMLElement
}
async function search(text: string): Promise<void> {
  const box = await one('textbox', 'Search name or serial')
  await fill(box, text)
  await press(box, 'Enter')
}

test('a device that waits is listed with what it said of itself', async () => {
  register(hub, 1)
  await openConsole(hub, { at: PLACES.pendingDevices })
  const row = await one('row', 'Hall 1')
  for (const word of ['B313210000001', 'Ultra Encode AIO', '192.0.2.10', '1.2.345', 'Offline', /\d s ago/])
    await says(word, row)
})

test('a device that registers meanwhile appears by itself', async () => {
  await openConsole(hub, { at: PLACES.pendingDevices })
  await says('No devices')
  await says('Enter this hub’s address and port 8070 in a device, then accept it.')
  register(hub, 1)
  await one('row', 'Hall 1')
})

test('a device is accepted at once', async () => {
  register(hub, 2)
  await openConsole(hub, { at: PLACES.pendingDevices })
  await click(await inRow('Hall 1', /^Accept/))
  await shows(['Hall 2'])
  await says('Operation succeeded')
  assert.deepEqual(await at('accepted'), ['Hall 1'])
  navigate(PLACES.allDevices)
  await shows(['Hall 1'])
})

test('a device is rejected after a question, and may still be accepted', async () => {
  register(hub, 1)
  await openConsole(hub, { at: PLACES.pendingDevices })
  await click(await inRow('Hall 1', /^Reject/))
  const question = await one('dialog', 'Reject Hall 1?')
  await says('can still be accepted', question)
  await click(await one('button', 'Cancel', question))
  await none('dialog')
  assert.deepEqual(await at('waiting'), ['Hall 1'])
  await click(await inRow('Hall 1', /^Reject/))
  await click(await one('button', 'Reject Hall 1', await one('dialog', 'Reject Hall 1?')))
  await says('No devices')
  assert.deepEqual(await at('rejected'), ['Hall 1'])
  navigate(PLACES.rejectedDevices)
  await click(await inRow('Hall 1', /^Accept/))
  await says('No devices')
  assert.deepEqual(await at('accepted'), ['Hall 1'])
})

test('a question and a dialog go with their page', async () => {
  register(hub, 1)
  await openConsole(hub, { at: PLACES.pendingDevices })
  await click(await inRow('Hall 1', /^Reject/))
  await one('dialog', 'Reject Hall 1?')
  navigate(PLACES.allDevices)
  await none('dialog')
  assert.deepEqual(await at('waiting'), ['Hall 1'])
  await click(await one('button', 'Add device'))
  await one('dialog', 'Add device')
  navigate(PLACES.pendingDevices)
  await none('dialog')
})

test('several are chosen and accepted with one call, and the choice is over', async () => {
  register(hub, 3)
  await openConsole(hub, { at: PLACES.pendingDevices })
  await tick('Hall 1')
  await says('1 selected', await bar())
  await tick('Hall 3')
  await click(await one('button', 'Accept 2 devices', await bar()))
  await shows(['Hall 2'])
  await none('toolbar')
  assert.deepEqual(await at('accepted'), ['Hall 1', 'Hall 3'])
  assert.equal(all('dialog').length, 0)
})

test('several are rejected after one question', async () => {
  register(hub, 2)
  await openConsole(hub, { at: PLACES.pendingDevices })
  await click(await one('checkbox', 'Select all'))
  await click(await one('button', 'Reject 2 devices', await bar()))
  await click(await one('button', 'Reject 2 devices', await one('dialog', 'Reject 2 devices?')))
  await says('No devices')
  assert.deepEqual(await at('rejected'), ['Hall 1', 'Hall 2'])
})

test('where some of several fail, it is told of each of them why', async () => {
  const [, second = '', third = ''] = register(hub, 3)
  const console = await openConsole(hub, { at: PLACES.pendingDevices })
  await shows(['Hall 1', 'Hall 2', 'Hall 3'])
  console.hush()
  await other.send(acceptDevices, { sn: [second] })
  await other.send(deleteDevices, { sn: [third] })
  await click(await one('checkbox', 'Select all'))
  await click(await one('button', 'Accept 3 devices', await bar()))
  const told = await one('dialog', 'Accept')
  await says('1 of 3 done, 2 not', told)
  await says('The status has been changed by another people', await one('row', 'Hall 2', told))
  await says('This configuration has been deleted by another user.', await one('row', 'Hall 3', told))
  await says('Done', await one('row', 'Hall 1', told))
  await click(all('button', 'Close', told).at(-1) as HTMLElement)
  await says('No devices')
  assert.deepEqual(await at('accepted'), ['Hall 1', 'Hall 2'])
})

test('a device that somebody else decided on is said to be, and the list says how it is', async () => {
  const [sn = ''] = register(hub, 1)
  const console = await openConsole(hub, { at: PLACES.pendingDevices })
  await one('row', 'Hall 1')
  console.hush()
  await other.send(acceptDevices, { sn: [sn] })
  await click(await inRow('Hall 1', /^Accept/))
  await one('alert', /^The status has been changed by another people/)
  await says('No devices')
})

test('without devices it says what to do next, and where those are that wait', async () => {
  await openConsole(hub, { at: PLACES.allDevices })
  await says('No devices')
  register(hub, 2)
  const next = (await one('link', 'Pending Approval', document.querySelector('main') ?? undefined)) as HTMLAnchorElement
  assert.equal(next.hash, `#${PLACES.pendingDevices}`)
  navigate(PLACES.warningDevices)
  await says('No devices')
})

test('a list that cannot be loaded says why, and is there on retry', async () => {
  await accepted(1)
  const console = await openConsole(hub)
  console.instead = (path) => (path.includes('/device/list') ? Response.json({ result: 15 }) : undefined)
  navigate(PLACES.allDevices)
  const alert = await one('alert', /^Could not be loaded/)
  await says('Write error', alert)
  assert.deepEqual(rows(), [])
  console.instead = () => undefined
  await click(await one('button', 'Retry', alert))
  await shows(['Hall 1'])
  await none('alert')
})

test('a list that was loaded stays when a later answer fails', async () => {
  const [sn = ''] = await accepted(1)
  const console = await openConsole(hub, { at: PLACES.allDevices })
  await shows(['Hall 1'])
  let asked = 0
  console.instead = (path) => (path.includes('/device/list') && ++asked ? Response.json({ result: 15 }) : undefined)
  hub.hub.registry.up(sn)
  await until(() => asked > 0, 'the answer that fails')
  assert.deepEqual(rows(), ['Hall 1'])
  console.instead = () => undefined
  await says('Online', await one('row', 'Hall 1'))
})

test('before the first answer it says that it loads', async () => {
  const console = await openConsole(hub)
  const answer = Promise.withResolvers<void>()
  console.instead = (path) =>
    path.includes('/device/list') ? answer.promise.then(() => console.browser.raw('GET', path)) : undefined
  navigate(PLACES.allDevices)
  await one('status', 'Loading')
  assert.ok(!words().includes('No devices'))
  answer.resolve()
  await says('No devices')
  await none('status', 'Loading')
})

test('who may not see devices is told so by the hub as well', async () => {
  register(hub, 1)
  await addUser(hub, 'approver', DEVICE_ADV_CONTROL)
  await openConsole(hub, { user: 'approver', at: PLACES.pendingDevices })
  await says('You do not have access permission')
  assert.deepEqual(rows(), [])
})

test('who may look only sees why nothing can be done', async () => {
  await accepted(1)
  await addUser(hub, 'viewer', DEVICE_VIEW)
  await openConsole(hub, { user: 'viewer', at: PLACES.allDevices })
  const remove = await inMenu('Hall 1', 'Delete')
  assert.equal(remove.getAttribute('aria-disabled'), 'true')
  await click(remove)
  assert.equal(all('dialog').length, 0)
  remove.dispatchEvent(new Event('pointerover', { bubbles: true }))
  await one('tooltip', 'You do not have operation permission')
})

test('a search is in the address, holds after a reload, and is taken back in one step', async () => {
  await accepted(12)
  let console = await openConsole(hub, { at: PLACES.allDevices })
  await until(() => rows().length === 12, 'all rows')
  await search('hall 1')
  await shows(['Hall 1', 'Hall 10', 'Hall 11', 'Hall 12'])
  assert.equal(console.place(), '/devices/all?key=hall+1')
  await closeConsole()
  console = await openConsole(hub, { at: '/devices/all?key=210000007' })
  await shows(['Hall 7'])
  const box = await one<HTMLInputElement>('textbox', 'Search name or serial')
  assert.equal(box.value, '210000007')
  await search('nothing of the kind')
  await says('Nothing found')
  await click(await one('button', 'Remove filter'))
  await until(() => rows().length === 12, 'all rows')
  assert.equal(console.place(), PLACES.allDevices)
  await until(() => box.isConnected && box.value === '', 'the box is empty')
})

test('filters by family and state are in the address, and count together', async () => {
  const [first = '', second = ''] = await accepted(2)
  const stream = helloOf(3, { sn: 'D301210000003', module: 1, 'module-name': 'Ultra Stream HDMI', 'product-id': 769 })
  hub.hub.registry.hello(stream, '192.0.2.10')
  await other.send(acceptDevices, { sn: [stream.sn] })
  for (const sn of [first, stream.sn]) hub.hub.registry.up(sn)
  const console = await openConsole(hub, { at: PLACES.allDevices })
  await shows(['Hall 1', 'Hall 2', 'Hall 3'])
  const family = await one('combobox', 'Family')
  assert.deepEqual(all('option', undefined, family).map(nameOf).slice(0, 3), [
    'Family: all',
    'Ultra Stream',
    'Ultra Encode'
  ])
  await choose(family, 'Ultra Encode')
  await shows(['Hall 1', 'Hall 2'])
  await choose(await one('combobox', 'State'), 'Offline')
  await shows(['Hall 2'])
  assert.equal(console.place(), '/devices/all?family=2&state=offline')
  hub.hub.registry.up(second)
  await says('Nothing found')
  await choose(await one('combobox', 'State'), 'Online')
  await shows(['Hall 1', 'Hall 2'])
  await choose(await one('combobox', 'Family'), 'Family: all')
  await shows(['Hall 1', 'Hall 2', 'Hall 3'])
})

test('an offline device says since when, where it was ever seen', async () => {
  const [first = '', second = ''] = await accepted(2)
  const { registry, store } = hub.hub
  registry.up(second)
  await openConsole(hub, { at: PLACES.allDevices })
  await says(/\bOffline\b(?! for)/, await one('row', 'Hall 1'))
  await says('Online', await one('row', 'Hall 2'))
  registry.down(second, 'gone')
  await says(/Offline for \d+ s/, await one('row', 'Hall 2'))
  store.devices.setOffline(first, Date.now() - 2 * 86_400_000 - 3 * 3_600_000 - 1000)
  store.changes.bump('device', store.devices.bySerial(first)?.id)
  await says('Offline for 2 d 3 h', await one('row', 'Hall 1'))
})

test('warnings are words, in the list and in the list of those that warn', async () => {
  const [first = '', second = ''] = await accepted(2)
  const { registry } = hub.hub
  for (const sn of [first, second]) registry.up(sn)
  registry.observed(second, { status: {}, warns: WARNING.noSignal | WARNING.storageFull })
  await openConsole(hub, { at: PLACES.allDevices })
  await says('No signal Storage full', await one('row', 'Hall 2'))
  assert.ok(!/No signal|Storage/.test(words(await one('row', 'Hall 1'))))
  navigate(PLACES.warningDevices)
  await shows(['Hall 2'])
  registry.observed(first, { status: {}, warns: WARNING.firmwareOld })
  await shows(['Hall 1', 'Hall 2'])
  await says('Firmware too old', await one('row', 'Hall 1'))
  for (const sn of [first, second]) registry.observed(sn, { status: {}, warns: 0 })
  await says('No devices')
})

test('a row says the signal as the device has it, its address, and the channels that use it', async () => {
  const [sn = ''] = await accepted(1)
  hub.hub.registry.up(sn)
  hub.hub.registry.observed(sn, { status: { eth: '10.0.0.7' }, warns: 0, input: '1920x1080p60' })
  const { id } = await other.send(addChannel, { name: 'Evening service' })
  const { list } = await other.send(listDevices, {})
  await other.send(setChannelInput, { id, input: list[0]?.id ?? 0 })
  await openConsole(hub, { at: PLACES.allDevices })
  for (const word of ['1920x1080p60', '10.0.0.7', 'Evening service']) await says(word, await one('row', 'Hall 1'))
  hub.hub.registry.observed(sn, { status: {}, warns: 0, input: 'no-signal' })
  await says('No signal', await one('row', 'Hall 1'))
})

test('columns that are hidden at first say family and direction', async () => {
  register(hub, 1)
  hub.hub.registry.hello(helloOf(2, { dir: DIR_OUTPUT }), '192.0.2.10')
  hub.hub.registry.hello(helloOf(3, { dir: DIR_BOTH }), '192.0.2.10')
  hub.hub.registry.hello(helloOf(4, { dir: 0 }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [1, 2, 3, 4].map((index) => helloOf(index).sn) })
  await openConsole(hub, { at: PLACES.allDevices })
  await click(await one('button', 'Columns'))
  await click(await one('menuitem', 'Direction'))
  await click(await one('menuitem', 'Family'))
  const said = ['Input', 'Output', 'Input and output', 'Management only']
  for (const [index, word] of said.entries()) {
    const row = await one('row', `Hall ${index + 1}`)
    await until(() => [...row.children].some((cell) => words(cell) === word), `Hall ${index + 1}: ${word}`)
    await says('Ultra Encode', row)
  }
})

test('ports and disks are said in a line, without the free space that lists are not told', async () => {
  const [sn = ''] = await accepted(1)
  hub.hub.registry.up(sn)
  const status: DeviceStatus = {
    inputs: [
      { name: 'SDI', signal: '1280x720p50' },
      { name: '', signal: 'no-signal' }
    ],
    disks: [
      { kind: 'usb', state: 'ok', total: 61_056, free: 20_000, label: 'STICK' },
      { kind: 'sd', state: 'none' }
    ]
  }
  hub.hub.registry.observed(sn, { status, warns: 0 })
  localStorage.setItem('headend-columns-devices', JSON.stringify({ inputs: true, disks: true }))
  await openConsole(hub, { at: PLACES.allDevices })
  const row = await one('row', 'Hall 1')
  await says('SDI: 1280x720p50, Input: No signal', row)
  await says('STICK: Connected, SD: Empty', row)
})

test('a serial number of a third party is shown without what was put before it', async () => {
  const sn = 'X9990000112345678'
  hub.hub.registry.hello(helloOf(1, { sn, module: 4278190080, 'module-name': 'Camera' }), '192.0.2.10')
  await openConsole(hub, { at: PLACES.pendingDevices })
  await says(sn.slice(9), await one('row', 'Hall 1'))
  assert.ok(!words().includes(sn))
})

test('pictures are another view of the same devices, and in the address', async () => {
  const [first = '', second = ''] = await accepted(2)
  hub.hub.registry.hello(helloOf(3, { preview: false }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(3).sn] })
  showEverything()
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9])
  const wanted: string[] = []
  const unwanted: string[] = []
  hub.hub.links.pictures = (sn, _how, onPicture) => {
    wanted.push(sn)
    onPicture(jpeg)
    return () => void unwanted.push(sn)
  }
  const { registry } = hub.hub
  registry.up(first)
  registry.observed(first, { status: {}, warns: WARNING.usbFull, input: '1280x720p50' })
  registry.up(helloOf(3).sn)
  const console = await openConsole(hub, { at: link('allDevices', { key: 'hall' }) })
  await shows(['Hall 1', 'Hall 2', 'Hall 3'])
  await click(await one('button', 'Pictures'))
  assert.equal(console.place(), '/devices/all?key=hall&view=view')
  for (const word of ['Online', '1280x720p50', 'USB drive full']) await says(word, await tile('Hall 1'))
  await one('img', 'Live picture of Hall 1')
  await says('Offline', await tile('Hall 2'))
  await says('Ultra Encode AIO', await tile('Hall 2'))
  await says('No picture', await tile('Hall 3'))
  assert.deepEqual(wanted, [first])
  registry.up(second)
  await one('img', 'Live picture of Hall 2')
  registry.down(first, 'gone')
  await says(/Offline for \d+ s/, await tile('Hall 1'))
  await none('img', 'Live picture of Hall 1')
  await search('hall 2')
  await until(() => all('listitem').filter((item) => item.querySelector('footer')).length === 1, 'one tile')
  await click(await one('button', 'Pictures'))
  await shows(['Hall 2'])
  assert.equal(console.place(), '/devices/all?key=hall+2&view=list')
  await until(() => unwanted.includes(first) && unwanted.includes(second), 'no picture is wanted any more')
})

test('a tile has the actions of a row', async () => {
  await accepted(1)
  await openConsole(hub, { at: link('allDevices', { view: 'view' }) })
  await click(await one('button', 'Actions: Hall 1', await tile('Hall 1')))
  await click(await one('menuitem', 'Delete'))
  await click(await one('button', 'Delete Hall 1', await one('dialog', 'Delete Hall 1?')))
  await says('No devices')
  assert.deepEqual(await at('accepted'), [])
})

test('deleting asks, says what it takes away, and may be left', async () => {
  await accepted(3)
  await openConsole(hub, { at: PLACES.allDevices })
  await click(await inMenu('Hall 1', 'Delete'))
  const question = await one('dialog', 'Delete Hall 1?')
  await says('Channels that use it lose their input', question)
  question.dispatchEvent(new Event('cancel', { cancelable: true }))
  await none('dialog')
  assert.equal((await at('accepted')).length, 3)
  await tick('Hall 2')
  await tick('Hall 3')
  await click(await one('button', 'Delete 2 devices', await bar()))
  await click(await one('button', 'Delete 2 devices', await one('dialog', 'Delete 2 devices?')))
  await shows(['Hall 1'])
  assert.deepEqual(await at('accepted'), ['Hall 1'])
})

test('a rejected device is deleted after a question, and may then register again', async () => {
  const [sn = ''] = register(hub, 1)
  hub.hub.store.devices.setState(sn, 102)
  await openConsole(hub, { at: PLACES.rejectedDevices })
  await click(await inRow('Hall 1', /^Delete/))
  await click(await one('button', 'Delete Hall 1', await one('dialog', 'Delete Hall 1?')))
  await says('No devices')
  register(hub, 1)
  assert.deepEqual(await at('waiting'), ['Hall 1'])
})

test('names are listed in the order of their numbers, and the other way round on request', async () => {
  await accepted(11)
  await openConsole(hub, { at: PLACES.allDevices })
  const inOrder = Array.from({ length: 11 }, (_, index) => `Hall ${index + 1}`)
  await shows(inOrder)
  await click(await one('button', 'Name'))
  await shows(inOrder.reverse())
})

test('of many devices only the page around what is in sight is asked for and drawn', async () => {
  await accepted(400)
  const asked: URLSearchParams[] = []
  const console = await openConsole(hub)
  console.instead = (path) => {
    if (path.includes('/device/list?')) asked.push(new URL(path, 'http://hub').searchParams)
    return undefined
  }
  navigate(PLACES.allDevices)
  await one('row', 'Hall 1')
  assert.ok(rows().length < 60, `${rows().length} rows`)
  assert.equal(document.querySelector('table')?.getAttribute('aria-rowcount'), '401')
  const scroller = document.querySelector('.page section.scroll') as HTMLElement
  scroller.scrollTop = 37 * 300
  scroller.dispatchEvent(new Event('scroll'))
  await one('row', 'Hall 301')
  assert.ok(rows().length < 60)
  assert.ok(asked.length >= 2 && asked.every((query) => Number(query.get('count')) <= 150))
  hub.hub.registry.hello(helloOf(301, { name: 'Hall 301 b' }), '192.0.2.10')
  await one('row', 'Hall 301 b')
  assert.ok(asked.at(-1)?.get('mark'), 'kept by differences')
})

test('all that wait are accepted, also those that are not here', async () => {
  register(hub, 300)
  await openConsole(hub, { at: PLACES.pendingDevices })
  await one('row', 'Hall 1')
  await click(await one('checkbox', 'Select all'))
  await click(await one('checkbox', 'Select Hall 2'))
  await says('299 selected', await bar())
  await click(await one('button', 'Accept 299 devices', await bar()))
  await shows(['Hall 2'])
  assert.equal((await at('accepted')).length, 299)
  await none('dialog')
})

test('the order is in the address, and the hub keeps it', async () => {
  await accepted(2)
  hub.hub.registry.hello(helloOf(3, { name: 'Aula', 'firmware-ver': '0.9.1' }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(3).sn] })
  // Among equals the newest comes first: here none is newer.
  hub.hub.store.database.run('UPDATE device SET apply_date = 1')
  const console = await openConsole(hub, { at: PLACES.allDevices })
  await shows(['Aula', 'Hall 1', 'Hall 2'])
  await click(await one('button', 'Serial number'))
  await shows(['Hall 1', 'Hall 2', 'Aula'])
  assert.equal(console.place(), '/devices/all?sort=sn&order=ascending')
  await click(await one('button', 'Serial number'))
  await shows(['Aula', 'Hall 2', 'Hall 1'])
  assert.equal(console.place(), '/devices/all?sort=sn&order=descending')
  await click(await one('button', 'Firmware'))
  await shows(['Aula', 'Hall 1', 'Hall 2'])
  navigate('/devices/all?sort=nothing&order=sideways')
  await shows(['Aula', 'Hall 1', 'Hall 2'])
})

test('filters by group, direction and warning are in the address', async () => {
  const [first = '', second = ''] = await accepted(3)
  hub.hub.registry.hello(helloOf(4, { dir: DIR_OUTPUT }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(4).sn] })
  const { id } = await other.send(addCatalog, { 'parent-id': 0, name: 'Campus' })
  await other.send(setCatalog, { id, devices: [first] })
  hub.hub.registry.up(second)
  hub.hub.registry.observed(second, { status: {}, warns: WARNING.noSignal })
  const console = await openConsole(hub, { at: PLACES.allDevices })
  await choose(await one('combobox', 'Group'), 'Campus')
  await shows(['Hall 1'])
  await says('Campus', await one('row', 'Hall 1'))
  assert.equal(console.place(), `/devices/all?group=${id}`)
  await choose(await one('combobox', 'Group'), 'No group')
  await shows(['Hall 2', 'Hall 3', 'Hall 4'])
  await choose(await one('combobox', 'Direction'), 'Output')
  await shows(['Hall 4'])
  assert.equal(console.place(), '/devices/all?group=0&dir=output')
  await choose(await one('combobox', 'Direction'), 'Direction: all')
  await choose(await one('combobox', 'State'), 'Warnings')
  await shows(['Hall 2'])
  assert.equal(console.place(), '/devices/all?group=0&state=warning')
})

test('favorites are one’s own list', async () => {
  await accepted(3)
  await openConsole(hub, { at: PLACES.allDevices })
  await click(await inMenu('Hall 1', 'Add to favorites'))
  await tick('Hall 3')
  await click(await one('button', 'Add to favorites', await bar()))
  await none('toolbar')
  navigate(PLACES.favoriteDevices)
  await shows(['Hall 1', 'Hall 3'])
  await click(await inMenu('Hall 1', 'Remove from favorites'))
  await shows(['Hall 3'])
  const { list } = await hub.enter().send(listDevices, { 'is-favorite': 1 })
  assert.deepEqual(
    list.map(({ name }) => name),
    ['Hall 3']
  )
})

test('devices are moved to a group without being dragged', async () => {
  await accepted(3)
  const campus = (await other.send(addCatalog, { 'parent-id': 0, name: 'Campus' })).id
  const hall = (await other.send(addCatalog, { 'parent-id': campus, name: 'Hall' })).id
  await openConsole(hub, { at: PLACES.allDevices })
  await tick('Hall 1')
  await tick('Hall 2')
  await click(await one('button', 'Move to group', await bar()))
  const dialog = await one('dialog', 'Move to group')
  const group = await one('combobox', 'Group', dialog)
  assert.deepEqual(all('option', undefined, group).map(words), ['No group', 'Campus', 'Hall'])
  await choose(group, 'Hall')
  await click(await one('button', 'Move to group', dialog))
  await none('dialog')
  await none('toolbar')
  const { list } = await other.send(listDevices, { catalog: hall, sort: 'name', order: 'ascending' })
  assert.deepEqual(
    list.map(({ name }) => name),
    ['Hall 1', 'Hall 2']
  )
})

test('what can be done follows the family and what the device does', async () => {
  const hellos = [
    helloOf(1),
    helloOf(2, { module: 1, 'product-id': 769 }),
    helloOf(3, { module: 4278190080, 'product-id': 1 }),
    helloOf(4, { 'product-id': 785 })
  ]
  for (const hello of hellos) hub.hub.registry.hello(hello, '192.0.2.10')
  await other.send(acceptDevices, { sn: hellos.map(({ sn }) => sn) })
  for (const { sn } of hellos) hub.hub.registry.up(sn)
  hub.hub.registry.observed(hellos[1]?.sn ?? '', { status: { 'cur-status': RUNNING.recording }, warns: 0 })
  await openConsole(hub, { at: PLACES.allDevices })
  const offered = async (name: string) => {
    await click(await inRow(name, /^Actions/))
    const names = all('menuitem').map(nameOf)
    await click(await inRow(name, /^Actions/))
    return names.filter((item) => !/favorites|group|Security|firmware|Delete/.test(item))
  }
  assert.deepEqual(await offered('Hall 1'), ['Start recording', 'Start streaming', 'Rename', 'Connection', 'Reboot'])
  assert.deepEqual(await offered('Hall 2'), ['Stop recording', 'Start streaming', 'Rename', 'Reboot'])
  assert.deepEqual(await offered('Hall 3'), [])
  assert.deepEqual(await offered('Hall 4'), ['Rename', 'Connection', 'Reboot'])
})

test('a device that is offline is told nothing, and it says why', async () => {
  await accepted(1)
  await openConsole(hub, { at: PLACES.allDevices })
  const reboot = await inMenu('Hall 1', 'Reboot')
  assert.equal(reboot.getAttribute('aria-disabled'), 'true')
  assert.equal(reboot.dataset.tip, 'The device is offline')
  await click(reboot)
  assert.equal(all('dialog').length, 0)
})

test('of what a device is called its family’s rule decides, and the hub’s word stands at the field', async () => {
  const [sn = ''] = await accepted(1)
  hub.hub.registry.up(sn)
  const console = await openConsole(hub, { at: PLACES.allDevices })
  console.hush()
  const sent: string[] = []
  console.instead = (path, body) => {
    if (!path.endsWith('/device/rename')) return undefined
    sent.push(body ?? '')
    const detail = { sn, result: 7, field: 'name', fault: 'characters' }
    return Response.json(
      sent.length > 1 ? { result: 0, details: [{ sn, result: 0 }] } : { ...detail, details: [detail] }
    )
  }
  await click(await inMenu('Hall 1', 'Rename'))
  const dialog = await one('dialog', 'Rename Hall 1')
  const name = await one('textbox', 'Name', dialog)
  await fill(name, 'Hall/1')
  await click(await one('button', 'Save', dialog))
  await until(() => name.getAttribute('aria-invalid') === 'true', 'the fault')
  assert.deepEqual(sent, [])
  await fill(name, 'Stage')
  await click(await one('button', 'Save', dialog))
  await until(() => sent.length === 1 && name.getAttribute('aria-invalid') === 'true', 'the refusal')
  await fill(name, 'Stage 2')
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  assert.deepEqual(JSON.parse(sent[1] ?? ''), { sn, name: 'Stage 2' })
  await says('Operation succeeded')
})

test('the connection of several is set at once, of those halves that have their own', async () => {
  const serials = await accepted(2)
  const console = await openConsole(hub, { at: PLACES.allDevices })
  await click(await one('checkbox', 'Select all'))
  await click(await one('button', 'More', await bar()))
  await click(await one('menuitem', 'Connection'))
  const dialog = await one('dialog', 'Connection')
  assert.equal(all('combobox', 'Stream', dialog).length, 0)
  await choose(await one('combobox', 'From the device', dialog), 'SRT')
  await choose(await one('combobox', 'Stream', dialog), 'Sub stream')
  const latency = await one('textbox', 'Latency (ms)', dialog)
  await fill(latency, '19')
  await click(await one('button', 'Save', dialog))
  await until(() => latency.getAttribute('aria-invalid') === 'true', 'the fault')
  await fill(latency, '121')
  let sent = ''
  console.instead = (path, body) => {
    if (path.endsWith('/device/config')) sent = body ?? ''
    return undefined
  }
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  assert.deepEqual(JSON.parse(sent), {
    sn: serials,
    config: { input: { protocol: 2, 'stream-index': 1, latency: 121 } }
  })
  await says('Operation succeeded')
  const { list } = await other.send(listDevices, {})
  assert.deepEqual(
    list.map(({ config }) => config?.input),
    [1, 2].map(() => ({ protocol: 2, 'stream-index': 1, latency: 121 }))
  )
})

test('who sees a device is set for it alone, and inherited again', async () => {
  const [sn = ''] = await accepted(1)
  const viewer = await addUser(hub, 'viewer', DEVICE_VIEW)
  await openConsole(hub, { at: PLACES.allDevices })
  await click(await inMenu('Hall 1', 'Security'))
  let dialog = await one('dialog', 'Who sees Hall 1')
  await click(await one('checkbox', 'Inherit', dialog))
  await one('checkbox', 'All, also those to come', dialog)
  for (const box of all('checkbox', undefined, dialog) as HTMLInputElement[]) if (box.checked) await click(box)
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  assert.deepEqual((await viewer.send(listDevices, {})).list, [])
  await click(await inMenu('Hall 1', 'Security'))
  dialog = await one('dialog', 'Who sees Hall 1')
  await click(await one('checkbox', 'Inherit', dialog))
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  assert.deepEqual(
    (await viewer.send(listDevices, {})).list.map((device) => device.sn),
    [sn]
  )
})

test('a device is added by its address, and what is wrong stands at its field', async () => {
  const console = await openConsole(hub, { at: PLACES.allDevices })
  console.hush()
  let sent = ''
  console.instead = (path, body) => {
    if (!path.endsWith('/device/add')) return undefined
    const first = sent === ''
    sent = body ?? ''
    return Response.json(first ? { result: 36 } : { result: 0, id: 1, sn: 'X' })
  }
  await click(await one('button', 'Add device'))
  const dialog = await one('dialog', 'Add device')
  await fill(await one('textbox', 'Address', dialog), 'encoder.example')
  await fill(await one('textbox', 'User name', dialog), 'admin')
  const password = await one('textbox', 'Password', dialog)
  await fill(password, 'wrong')
  await click(await one('button', 'Add device', dialog))
  await saysOf(password, 'Authorization failed')
  await fill(password, 'right')
  await click(await one('button', 'Add device', dialog))
  await none('dialog')
  const values = { address: 'encoder.example', https: false, user: 'admin', password: 'right' }
  assert.deepEqual(JSON.parse(sent), values)
})

test('the view one chose is kept for its list', async () => {
  await accepted(1)
  await openConsole(hub, { at: PLACES.allDevices })
  await click(await one('button', 'Pictures'))
  await tile('Hall 1')
  navigate(PLACES.warningDevices)
  await says('No devices')
  assert.equal((await one('button', 'Pictures')).getAttribute('aria-pressed'), 'false')
  navigate(PLACES.allDevices)
  await tile('Hall 1')
  await click(await one('button', 'Pictures'))
  await shows(['Hall 1'])
  navigate(PLACES.warningDevices)
  navigate(PLACES.allDevices)
  await shows(['Hall 1'])
})

test('tiles are chosen like rows', async () => {
  await accepted(3)
  await openConsole(hub, { at: link('allDevices', { view: 'view' }) })
  await tile('Hall 1')
  await tick('Hall 1')
  await tick('Hall 3')
  await click(await one('button', 'Delete 2 devices', await bar()))
  await click(await one('button', 'Delete 2 devices', await one('dialog', 'Delete 2 devices?')))
  await until(() => all('listitem').filter((item) => item.querySelector('footer')).length === 1, 'one tile')
  assert.deepEqual(await at('accepted'), ['Hall 2'])
})

test.run()
