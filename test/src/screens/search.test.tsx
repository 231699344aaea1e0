import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../contract/device.ts'
import { INPUT_OUTPUT_VIEW } from '../../../contract/permissions.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { addUser, type Client, startHub, type TestHub } from '../../kit/hub.ts'
import { all, fill, focuses, nameOf, none, one, press, says, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('search')

let hub: TestHub
let other: Client

test.before.each(async () => {
  hub = await startHub()
  other = hub.enter()
})
test.after.each(async () => {
  await closeConsole()
  await hub.close()
})

const accept = async (count: number) => other.send(acceptDevices, { sn: register(hub, count) })
const field = () => one<HTMLInputElement>('textbox', 'Search')
const found = async () => all('link', undefined, await one('article', 'Devices')).map(nameOf)
async function enter(text: string): Promise<void> {
  const box = await field()
  box.focus()
  await fill(box, text)
  await press(box, 'Enter')
}

test('the slash leads to the search from wherever nothing is typed', async () => {
  await openConsole(hub, { at: PLACES.allDevices })
  const own = await one('textbox', 'Search name or serial')
  own.focus()
  await press(own, '/')
  await focuses('Search name or serial')
  own.blur()
  await press(document.body, '/')
  await focuses('Search')
})

test('Enter leads to what is found, with the part that fits marked; Enter again opens the first', async () => {
  await accept(12)
  const console = await openConsole(hub, { at: PLACES.warningDevices })
  await enter('hall 1')
  await until(() => console.place().startsWith('/search?key=hall+1'), 'the search')
  await says('Ultra Encode AIO')
  assert.deepEqual(await found(), ['Hall 1', 'Hall 10', 'Hall 11', 'Hall 12'])
  assert.deepEqual([...new Set([...document.querySelectorAll('mark')].map((mark) => mark.textContent))], ['Hall 1'])
  await press(await field(), 'Enter')
  await until(() => console.place().startsWith('/device/detail/B313210000001/0'), 'the first')
})

test('what is found follows as one types on, by serial numbers too', async () => {
  await accept(3)
  const console = await openConsole(hub, { at: link('search', { key: 'hall' }) })
  await until(() => document.querySelectorAll('mark').length === 3, 'three are found')
  assert.equal((await field()).value, 'hall')
  await fill(await field(), '210000002')
  await until(() => document.querySelectorAll('mark').length === 1, 'one is found')
  assert.deepEqual(await found(), ['Hall 2'])
  assert.equal(console.place(), '/search?key=210000002')
  await fill(await field(), 'nothing of the kind')
  await says('Nothing is called like that')
  await fill(await field(), '')
  await says('Type a name or serial number')
})

test('the menu entry one came from stays highlighted, also on what is opened; an unknown one is none', async () => {
  await accept(1)
  const console = await openConsole(hub, { at: PLACES.warningDevices })
  const here = () => all('link').filter((entry) => entry.getAttribute('aria-current') === 'page')
  await enter('hall')
  await one('article', 'Devices')
  assert.deepEqual(here().map(nameOf), ['Warnings'])
  await press(await field(), 'Enter')
  await until(() => console.place().startsWith('/device/detail/'), 'the device')
  assert.deepEqual(here().map(nameOf), ['Warnings'])
  for (const wrong of ['nowhere', 'toString']) {
    navigate(`/search?key=hall&search-navigation=${wrong}`)
    await one('article', 'Devices')
    assert.deepEqual(here().map(nameOf), ['All'], wrong)
  }
})

test('a device without a page of its own leads to the list with it alone', async () => {
  hub.hub.registry.hello(helloOf(1, { module: 254 }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(1).sn] })
  const console = await openConsole(hub, { at: link('search', { key: 'hall' }) })
  await one('link', 'Hall 1')
  await press(await field(), 'Enter')
  await until(() => console.place().startsWith(`/devices/all?key=${helloOf(1).sn}`), 'the list')
  const row = await one('row', 'Hall 1')
  assert.equal(all('link', undefined, row).length, 0)
})

test('a device that is called otherwise meanwhile is found no more', async () => {
  await accept(1)
  await openConsole(hub, { at: link('search', { key: 'hall' }) })
  await one('link', 'Hall 1')
  hub.hub.registry.hello(helloOf(1, { name: 'Foyer' }), '192.0.2.10')
  await says('Nothing is called like that')
  assert.ok(!words().includes('Foyer'))
})

test('who may not see devices has no search', async () => {
  await addUser(hub, 'nobody', INPUT_OUTPUT_VIEW)
  await openConsole(hub, { user: 'nobody' })
  await none('textbox', 'Search')
})

test.run()
