import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../contract/device/device.ts'
import { THIRD_PARTY } from '../../../contract/device/products.ts'
import { DEVICE_VIEW, INPUT_OUTPUT_VIEW, USER_CONTROL } from '../../../contract/permissions.ts'
import { addChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { join } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { all, click, fill, nameOf, none, one, press, says, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('search')

hubForEach(test)

const accept = async (count: number) => other.send(acceptDevices, { sn: register(hub, count) })
const save = (name: string, url: string) => other.send(addInput, { name, config: { type: 1, url } })
const field = () => one<HTMLInputElement>('textbox', 'Find devices and presets')
const devices = () => one('article', 'Devices')
const presets = () => one('article', 'Presets')
const items = (card: Element) => [...card.querySelectorAll('li')].map((item) => words(item))
async function enter(text: string): Promise<void> {
  const box = await field()
  await fill(box, text)
  await press(box, 'Enter')
}

test('Enter leads from any page to the devices and presets whose names fit, and on to others', async () => {
  await accept(12)
  await save('Hall 1 camera', 'rtsp://10.0.0.1/live')
  await save('Foyer', 'srt://10.0.0.2:9000')
  const console = await openConsole(hub, { at: PLACES.warningDevices })
  await enter('hall 1')
  await until(() => console.place().startsWith('/search?for=hall+1'), 'the search')
  await says('Hall 12', await devices())
  assert.deepEqual(all('link', undefined, await devices()).map(nameOf), [
    'All',
    'Hall 1',
    'Hall 10',
    'Hall 11',
    'Hall 12'
  ])
  assert.equal((await field()).value, 'hall 1')
  await says('Hall 1 camera rtsp://10.0.0.1:554/**** RTSP', await presets())
  await enter('210000002')
  await says('Hall 2 B313210000002', await devices())
  assert.equal(items(await devices()).length, 1)
  await says('Nothing found', await presets())
  await enter('nothing of the kind')
  await says('Nothing found', await devices())
  assert.equal(items(await devices()).length, 0)
})

test('nothing is left of a page before Enter, and the box is empty again on another page', async () => {
  const console = await openConsole(hub, { at: PLACES.allDevices })
  await fill(await field(), 'hall')
  await new Promise((resolve) => setTimeout(resolve, 400))
  assert.equal(console.place(), PLACES.allDevices)
  await press(await field(), 'Enter')
  await devices()
  await click(await one('link', 'Channels'))
  await until(() => console.place() === PLACES.channels, 'another page')
  assert.equal((await field()).value, '')
})

test('where one searches, what is found follows what is typed, without a step back for each letter', async () => {
  await accept(12)
  const console = await openConsole(hub, { at: PLACES.warningDevices })
  await enter('hall')
  await says('Hall 12', await devices())
  const before = history.length
  await fill(await field(), 'hall 2')
  await until(() => console.place() === '/search?for=hall+2&search-navigation=warningDevices', 'it is followed')
  const card = await devices()
  await until(() => items(card).length === 1, 'one is left')
  assert.equal(history.length, before)
})

test('the menu entry one came from stays highlighted, also on what is opened; an unknown one is none', async () => {
  await accept(1)
  const console = await openConsole(hub, { at: PLACES.warningDevices })
  const here = () => all('link').filter((entry) => entry.getAttribute('aria-current') === 'page')
  await enter('hall')
  await says('Hall 1', await devices())
  assert.deepEqual(here().map(nameOf), ['Warnings'])
  await enter('hall 1')
  await until(() => console.place() === '/search?for=hall+1&search-navigation=warningDevices', 'it is kept')
  await click(await one('link', 'Hall 1', await devices()))
  await until(() => console.place().startsWith('/device/detail/'), 'the device')
  assert.deepEqual(here().map(nameOf), ['Warnings'])
  for (const wrong of ['nowhere', 'toString']) {
    navigate(`/search?for=hall&search-navigation=${wrong}`)
    await devices()
    assert.deepEqual(here().map(nameOf), ['All'], wrong)
  }
})

test('all that fit are a step away in the list, of which the search shows fifty', async () => {
  await accept(60)
  const console = await openConsole(hub, { at: link('search', { for: 'hall' }) })
  const more = await one('link', 'All', await devices())
  await says('Devices 60', await devices())
  assert.equal(items(await devices()).length, 50)
  await click(more)
  await until(() => console.place() === '/devices/all?key=hall', 'the list')
})

test('a device without a page of its own leads to the list with it alone; a third party’s serial is short', async () => {
  hub.hub.registry.hello(helloOf(1, { module: 254 }), '192.0.2.10')
  hub.hub.registry.hello(helloOf(2, { module: THIRD_PARTY, sn: '123456789ABC' }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(1).sn, '123456789ABC'] })
  await openConsole(hub, { at: link('search', { for: 'hall' }) })
  const entry = await one('link', 'Hall 1')
  assert.equal(entry.getAttribute('href'), `#/devices/all?key=${helloOf(1).sn}`)
  await says('Hall 2 ABC', await devices())
})

test('a preset leads to the channels that use it, and shows no secret', async () => {
  const { id } = await save('Gate', 'rtsp://guard:hush@10.0.0.3/gate')
  await save('Tower', 'ntkndi://ndi?name=TOWER%20(Cam%201)&url=10.0.0.9')
  const channel = await other.send(addChannel, { name: 'Entrance' })
  await other.send(setChannelInput, { id: channel.id, input: id })
  join(hub, 'looker', DEVICE_VIEW | INPUT_OUTPUT_VIEW)
  await openConsole(hub, { user: 'looker', at: link('search') })
  const shown = 'Gate rtsp://guard:****@10.0.0.3:554/**** RTSP'
  await says(shown, await presets())
  assert.equal(all('link', undefined, await presets()).length, 0)
  await closeConsole()
  const console = await openConsole(hub, { at: link('search', { for: 'a' }) })
  await says(`${shown} Entrance`, await presets())
  await click(await one('link', 'Entrance', await presets()))
  await until(() => console.place() === '/stream/channels?key=Entrance', 'the channel')
  await enter('tower')
  await says('Tower ntkndi://ndi?name=TOWER%20(Cam%201)&url=10.0.0.9 NDI', await presets())
})

test('what is called otherwise meanwhile is found no more, and what is saved is found', async () => {
  await accept(1)
  await openConsole(hub, { at: link('search', { for: 'hall' }) })
  await one('link', 'Hall 1')
  hub.hub.registry.hello(helloOf(1, { name: 'Foyer' }), '192.0.2.10')
  await says('Nothing found', await devices())
  await save('Hall camera', 'rtsp://10.0.0.1/live')
  await says('Hall camera', await presets())
})

test('who may see one kind only is told so for the other; who may see neither has no search', async () => {
  await accept(1)
  join(hub, 'looker', DEVICE_VIEW)
  join(hub, 'nobody', USER_CONTROL)
  await openConsole(hub, { user: 'looker', at: link('search', { for: 'hall' }) })
  await one('link', 'Hall 1')
  await says('You do not have access permission', await presets())
  await closeConsole()
  await openConsole(hub, { user: 'nobody' })
  await none('textbox', 'Find devices and presets')
})

test('it is there in Chinese as well', async () => {
  await accept(1)
  await openConsole(hub, { at: link('search', { for: 'hall' }) })
  await devices()
  setLanguage('zh')
  await one('textbox', '查找设备和预设')
  await says('1 全部', await one('article', '设备'))
  await says('未找到', await one('article', '预设'))
})

test.run()
