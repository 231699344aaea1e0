import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { DIR_OUTPUT } from '../../../../contract/stream/protocols.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { acceptDevicesUpTo, searchDevices, waitForRows } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, nameOf, queryAllByRole, selectOption, waitForText } from '../../../kit/console/page.ts'
import { rowNames } from '../../../kit/console/table-rows.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device filters')

hubForEach(test)

test('a search is kept in the URL and after a reload, and is removed in one step', async () => {
  await acceptDevicesUpTo(12)
  let console = await openConsole(hub, { at: ROUTES.allDevices })
  await until(() => rowNames().length === 12, 'all rows')
  await searchDevices('hall 1')
  await waitForRows(['Hall 1', 'Hall 10', 'Hall 11', 'Hall 12'])
  assert.equal(console.currentPath(), '/devices/all?key=hall+1')
  await closeConsole()
  console = await openConsole(hub, { at: '/devices/all?key=210000007' })
  await waitForRows(['Hall 7'])
  const box = await findByRole<HTMLInputElement>('textbox', 'Search name or serial')
  assert.equal(box.value, '210000007')
  await searchDevices('nothing of the kind')
  await waitForText('Nothing found')
  await click(await findByRole('button', 'Clear filter'))
  await until(() => rowNames().length === 12, 'all rows')
  assert.equal(console.currentPath(), ROUTES.allDevices)
  await until(() => box.isConnected && box.value === '', 'the box is empty')
})

test('filters by family and state are kept in the URL, and are combined', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(2)
  const stream = helloOf(3, { sn: 'D301210000003', module: 1, 'module-name': 'Ultra Stream HDMI', 'product-id': 769 })
  hub.parts.registry.register(stream, '192.0.2.10')
  await other.send(acceptDevices, { sn: [stream.sn] })
  for (const sn of [first, stream.sn]) hub.parts.registry.setOnline(sn)
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await waitForRows(['Hall 1', 'Hall 2', 'Hall 3'])
  const family = await findByRole('combobox', 'Family')
  assert.deepEqual(queryAllByRole('option', undefined, family).map(nameOf).slice(0, 3), [
    'Family: all',
    'Ultra Stream',
    'Ultra Encode'
  ])
  // The order of the catalogue, not of the numbers.
  assert.deepEqual(queryAllByRole('option', undefined, family).map(nameOf).slice(-2), ['Third Party', 'Others'])
  await selectOption(family, 'Ultra Encode')
  await waitForRows(['Hall 1', 'Hall 2'])
  await selectOption(await findByRole('combobox', 'State'), 'Offline')
  await waitForRows(['Hall 2'])
  assert.equal(console.currentPath(), '/devices/all?family=2&state=offline')
  hub.parts.registry.setOnline(second)
  await waitForText('Nothing found')
  await selectOption(await findByRole('combobox', 'State'), 'Online')
  await waitForRows(['Hall 1', 'Hall 2'])
  await selectOption(await findByRole('combobox', 'Family'), 'Family: all')
  await waitForRows(['Hall 1', 'Hall 2', 'Hall 3'])
})

test('names are sorted by their numbers, and descending on request', async () => {
  await acceptDevicesUpTo(11)
  await openConsole(hub, { at: ROUTES.allDevices })
  const inOrder = Array.from({ length: 11 }, (_, index) => `Hall ${index + 1}`)
  await waitForRows(inOrder)
  await click(await findByRole('button', 'Name'))
  await waitForRows(inOrder.reverse())
})

test('of many devices only the page around the visible rows is requested and rendered', async () => {
  await acceptDevicesUpTo(400)
  const requests: URLSearchParams[] = []
  const console = await openConsole(hub)
  console.intercept = (path) => {
    if (path.includes('/device/list?')) requests.push(new URL(path, 'http://hub').searchParams)
    return undefined
  }
  navigate(ROUTES.allDevices)
  await findByRole('row', 'Hall 1')
  assert.ok(rowNames().length < 60, `${rowNames().length} rows`)
  assert.equal(document.querySelector('table')?.getAttribute('aria-rowcount'), '401')
  const scroller = document.querySelector('.page section.scroll') as HTMLElement
  scroller.scrollTop = 37 * 300
  scroller.dispatchEvent(new Event('scroll'))
  await findByRole('row', 'Hall 301')
  assert.ok(rowNames().length < 60)
  assert.ok(requests.length >= 2 && requests.every((query) => Number(query.get('count')) <= 150))
  hub.parts.registry.register(helloOf(301, { name: 'Hall 301 b' }), '192.0.2.10')
  await findByRole('row', 'Hall 301 b')
  assert.ok(requests.at(-1)?.get('mark'), 'kept by differences')
})

test('the order is kept in the URL, and the hub applies it', async () => {
  await acceptDevicesUpTo(2)
  hub.parts.registry.register(helloOf(3, { name: 'Aula', 'firmware-ver': '0.9.1' }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(3).sn] })
  // The hub sorts equal devices by registration time, newest first: here all times are equal.
  hub.parts.store.database.run('UPDATE device SET apply_date = 1')
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await waitForRows(['Aula', 'Hall 1', 'Hall 2'])
  await click(await findByRole('button', 'Serial number'))
  await waitForRows(['Hall 1', 'Hall 2', 'Aula'])
  assert.equal(console.currentPath(), '/devices/all?sort=sn&order=ascending')
  await click(await findByRole('button', 'Serial number'))
  await waitForRows(['Aula', 'Hall 2', 'Hall 1'])
  assert.equal(console.currentPath(), '/devices/all?sort=sn&order=descending')
  await click(await findByRole('button', 'Firmware'))
  await waitForRows(['Aula', 'Hall 1', 'Hall 2'])
  navigate('/devices/all?sort=nothing&order=sideways')
  await waitForRows(['Aula', 'Hall 1', 'Hall 2'])
})

test('filters by group, direction and warning are kept in the URL', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(3)
  hub.parts.registry.register(helloOf(4, { dir: DIR_OUTPUT }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(4).sn] })
  const { id } = await other.send(addCatalog, { 'parent-id': 0, name: 'Campus' })
  await other.send(setCatalog, { id, devices: [first] })
  hub.parts.registry.setOnline(second)
  hub.parts.registry.setObservation(second, { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await selectOption(await findByRole('combobox', 'Group'), 'Campus')
  await waitForRows(['Hall 1'])
  // The column of the groups is one of the further columns.
  assert.equal(queryAllByRole('button', 'Group').length, 0)
  await click(await findByRole('button', 'Columns'))
  await click(await findByRole('menuitem', 'Group'))
  await waitForText('Campus', await findByRole('row', 'Hall 1'))
  assert.equal(console.currentPath(), `/devices/all?group=${id}`)
  await selectOption(await findByRole('combobox', 'Group'), 'No group')
  await waitForRows(['Hall 2', 'Hall 3', 'Hall 4'])
  await selectOption(await findByRole('combobox', 'Direction'), 'Output')
  await waitForRows(['Hall 4'])
  assert.equal(console.currentPath(), '/devices/all?group=0&dir=output')
  await selectOption(await findByRole('combobox', 'Direction'), 'Direction: all')
  await selectOption(await findByRole('combobox', 'State'), 'Warnings')
  await waitForRows(['Hall 2'])
  assert.equal(console.currentPath(), '/devices/all?group=0&state=warning')
})

test.run()
