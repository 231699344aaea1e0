import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { DEVICE_VIEW, FIRMWARE_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { addCatalog } from '../../../../contract/catalog.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { THIRD_PARTY } from '../../../../contract/device/products.ts'
import { addChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { addPreset as addStoredPreset } from '../../../../contract/stream/preset.ts'
import { RTMP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../../contract/stream/source.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  press,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('search')

hubForEach(test)

const accept = async (count: number) => other.send(acceptDevices, { sn: registerDevices(hub, count) })
const addSource = (name: string, url: string) => other.send(addInput, { name, config: { type: 1, url } })
const searchBox = () => findByRole<HTMLInputElement>('textbox', 'Search everything')
const devices = () => findByRole('article', 'Devices')
const inputs = () => findByRole('article', 'Inputs')
const items = (card: Element) => [...card.querySelectorAll('li')].map((item) => visibleText(item))
async function search(text: string): Promise<void> {
  const box = await searchBox()
  await fill(box, text)
  await press(box, 'Enter')
}

test('Enter opens the search from any page, with matching devices and inputs and links to them', async () => {
  await accept(12)
  await addSource('Hall 1 camera', 'rtsp://10.0.0.1/live')
  await addSource('Foyer', 'srt://10.0.0.2:9000')
  const console = await openConsole(hub, { at: ROUTES.warningDevices })
  await search('hall 1')
  await until(() => console.currentPath().startsWith('/search?for=hall+1'), 'the search')
  await waitForText('Hall 12', await devices())
  assert.deepEqual(queryAllByRole('link', undefined, await devices()).map(nameOf), [
    'All',
    'Hall 1',
    'Hall 10',
    'Hall 11',
    'Hall 12'
  ])
  assert.equal((await searchBox()).value, 'hall 1')
  await waitForText('Hall 1 camera rtsp://10.0.0.1:554/****', await inputs())
  await search('210000002')
  await waitForText('Hall 2 B313210000002', await devices())
  assert.equal(items(await devices()).length, 1)
  await waitForNone('article', 'Inputs')
  await search('nothing of the kind')
  await waitForText('Nothing found')
  await waitForNone('article', 'Devices')
})

test('before Enter nothing changes, and the box is empty again on another page', async () => {
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  mock.timers.enable({ apis: ['setTimeout'] })
  await fill(await searchBox(), 'hall')
  mock.timers.tick(60_000)
  mock.timers.reset()
  assert.equal(console.currentPath(), ROUTES.allDevices)
  await press(await searchBox(), 'Enter')
  await waitForText('Nothing found')
  await click(await findByRole('link', 'Channels'))
  await until(() => console.currentPath() === ROUTES.channels, 'another page')
  assert.equal((await searchBox()).value, '')
})

test('on the search screen the results follow the input, without a history entry for each letter', async () => {
  await accept(12)
  const console = await openConsole(hub, { at: ROUTES.warningDevices })
  await search('hall')
  await waitForText('Hall 12', await devices())
  const before = history.length
  await fill(await searchBox(), 'hall 2')
  await until(
    () => console.currentPath() === '/search?for=hall+2&search-navigation=warningDevices',
    'the progress of the update'
  )
  const card = await devices()
  await until(() => items(card).length === 1, 'one remaining row')
  await waitForText('1 result')
  assert.equal(history.length, before)
})

test('the previous menu entry stays highlighted, also on opened pages; an unknown entry is ignored', async () => {
  await accept(1)
  const console = await openConsole(hub, { at: ROUTES.warningDevices })
  const here = () => queryAllByRole('link').filter((entry) => entry.getAttribute('aria-current') === 'page')
  await search('hall')
  await waitForText('Hall 1', await devices())
  assert.deepEqual(here().map(nameOf), ['Warnings'])
  await search('hall 1')
  await until(() => console.currentPath() === '/search?for=hall+1&search-navigation=warningDevices', 'the stored value')
  await click(await findByRole('link', 'Hall 1', await devices()))
  await until(() => console.currentPath().startsWith('/device/detail/'), 'the device')
  assert.deepEqual(here().map(nameOf), ['Warnings'])
  for (const wrong of ['nowhere', 'toString']) {
    navigate(`/search?for=hall&search-navigation=${wrong}`)
    await devices()
    assert.deepEqual(here().map(nameOf), ['All'], wrong)
  }
})

test('the search shows fifty results and links to the full list', async () => {
  await accept(60)
  const console = await openConsole(hub, { at: linkTo('search', { for: 'hall' }) })
  const more = await findByRole('link', 'All', await devices())
  await waitForText('Devices 60', await devices())
  assert.equal(items(await devices()).length, 50)
  await click(more)
  await until(() => console.currentPath() === '/devices/all?key=hall', 'the list')
})

test('a device without a page links to the filtered list; the serial number of a third-party device is shortened', async () => {
  hub.parts.registry.register(helloOf(1, { module: 254 }), '192.0.2.10')
  hub.parts.registry.register(helloOf(2, { module: THIRD_PARTY, sn: '123456789ABC' }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(1).sn, '123456789ABC'] })
  await openConsole(hub, { at: linkTo('search', { for: 'hall' }) })
  const entry = await findByRole('link', 'Hall 1')
  assert.equal(entry.getAttribute('href'), `#/devices/all?key=${helloOf(1).sn}`)
  await waitForText('Hall 2 ABC', await devices())
})

test('an input links to the channels that use it, and shows no secret', async () => {
  const { id } = await addSource('Gate', 'rtsp://guard:hush@10.0.0.3/gate')
  await addSource('Tower', 'ntkndi://ndi?name=TOWER%20(Cam%201)&url=10.0.0.9')
  const channel = await other.send(addChannel, { name: 'Entrance' })
  await other.send(setChannelInput, { id: channel.id, input: id })
  addSignedInUser(hub, 'looker', DEVICE_VIEW | INPUT_OUTPUT_VIEW)
  await openConsole(hub, { user: 'looker', at: linkTo('search') })
  const expected = 'Gate rtsp://guard:****@10.0.0.3:554/****'
  await waitForText(expected, await inputs())
  assert.deepEqual(queryAllByRole('link', undefined, await inputs()).map(nameOf), ['All', 'Gate', 'Tower'])
  await closeConsole()
  const console = await openConsole(hub, { at: linkTo('search', { for: 'a' }) })
  await waitForText(`${expected} Entrance`, await inputs())
  await click(await findByRole('link', 'Entrance', await inputs()))
  await until(() => console.currentPath() === linkTo('channelDetail', { channelId: String(channel.id) }), 'the channel')
  await search('tower')
  await waitForText('Tower ntkndi://ndi?name=TOWER%20(Cam%201)&url=10.0.0.9', await inputs())
})

test('renamed objects disappear from the results, and new ones appear', async () => {
  await accept(1)
  await openConsole(hub, { at: linkTo('search', { for: 'hall' }) })
  await findByRole('link', 'Hall 1')
  hub.parts.registry.register(helloOf(1, { name: 'Foyer' }), '192.0.2.10')
  await waitForText('Nothing found')
  await addSource('Hall camera', 'rtsp://10.0.0.1/live')
  await waitForText('Hall camera', await inputs())
})

test('a user with permission to view one kind only gets no other; without any permission there is no search', async () => {
  await accept(1)
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  addSignedInUser(hub, 'nobody', FIRMWARE_VIEW)
  await openConsole(hub, { user: 'looker', at: linkTo('search', { for: 'hall' }) })
  await findByRole('link', 'Hall 1')
  await waitForNone('article', 'Inputs')
  await closeConsole()
  await openConsole(hub, { user: 'nobody' })
  await waitForNone('textbox', 'Search everything')
})

test('the screen is translated into Chinese', async () => {
  await accept(1)
  await openConsole(hub, { at: linkTo('search', { for: 'hall' }) })
  await devices()
  setLanguage('zh')
  await findByRole('textbox', '全局搜索')
  await waitForText('1 全部', await findByRole('article', '设备'))
})

test('channels, outputs, groups, users and presets are found, each by its name', async () => {
  await other.send(addChannel, { name: 'Sunday service' })
  await other.send(addOutput, {
    name: 'Sunday site',
    protocol: RTMP,
    config: { url: 'rtmp://10.0.0.9/live', key: 'k' }
  })
  await other.send(addCatalog, { 'parent-id': 0, name: 'Sunday rooms' })
  await other.send(addStoredPreset, { name: 'Sunday preset', protocol: RTMP, config: { url: 'rtmp://10.0.0.9/live' } })
  addSignedInUser(hub, 'sunday', DEVICE_VIEW)
  await openConsole(hub, { at: linkTo('search', { for: 'sunday' }) })
  await waitForText('Sunday service Stopped', await findByRole('article', 'Channels'))
  await waitForText('Sunday site rtmp://10.0.0.9:1935/live', await findByRole('article', 'Outputs'))
  await findByRole('link', 'Sunday rooms', await findByRole('article', 'Device groups'))
  await findByRole('link', 'sunday', await findByRole('article', 'Users'))
  await findByRole('link', 'Sunday preset', await findByRole('article', 'Presets'))
  await waitForNone('article', 'Devices')
  await search('youtube')
  click(await findByRole('link', 'YouTube', await findByRole('article', 'Presets')))
  const dialog = await findByRole('dialog', 'Add output')
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'Name', dialog)).value, 'YouTube')
  await findByRole('textbox', 'Stream key', dialog)
  click(await findByRole('button', 'Cancel', dialog))
  navigate(linkTo('search', { for: 'youtube' }))
  await findByRole('link', 'YouTube', await findByRole('article', 'Presets'))
  await waitForNone('article', 'Channels')
})

test('the arrow keys lead from the box through the results and back', async () => {
  for (const name of ['Hall 1', 'Hall 2']) await other.send(addChannel, { name })
  await openConsole(hub, { at: linkTo('search', { for: 'hall' }) })
  await findByRole('link', 'Hall 2', await findByRole('article', 'Channels'))
  const box = await searchBox()
  box.focus()
  const focused = () => nameOf(document.activeElement as HTMLElement)
  await press(box, 'ArrowDown')
  assert.equal(focused(), 'Hall 1')
  await press(document.activeElement as Element, 'ArrowDown')
  assert.equal(focused(), 'Hall 2')
  await press(document.activeElement as Element, 'ArrowUp')
  await press(document.activeElement as Element, 'ArrowUp')
  assert.equal(document.activeElement, box)
})

test.run()
