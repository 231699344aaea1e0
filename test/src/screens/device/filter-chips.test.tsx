import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { acceptDevices, rejectDevices, setFavorite } from '../../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { acceptDevicesUpTo, selectionToolbar, selectRow, waitForRows } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  nameOf,
  queryAllByRole,
  selectOption,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('filters of the device list')

hubForEach(test)

const chips = async () => queryAllByRole('button', undefined, await findByRole('group', 'List')).map(nameOf)
const waitForChips = (expected: readonly string[]) =>
  until(
    async () => (await chips()).join() === expected.join(),
    () => `chips ${expected}; there are ${queryAllByRole('button').map(nameOf)}`
  )
const chip = (name: string | RegExp) => findByRole('button', name)
const isPressed = async (name: string | RegExp) => (await chip(name)).getAttribute('aria-pressed') === 'true'

test('each list of the menu is a filter with the number of its devices, and has its own address', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(3)
  hub.parts.registry.register(helloOf(4), '192.0.2.10')
  hub.parts.registry.register(helloOf(5), '192.0.2.10')
  await other.send(rejectDevices, { sn: [helloOf(5).sn] })
  await hub.clientAs().send(setFavorite, { sn: [first, second], favorite: true })
  hub.parts.registry.setOnline(second)
  hub.parts.registry.setObservation(second, { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await waitForChips([
    ...['All 3', 'Pending approval 1', 'Warnings 1', 'Firmware update 0', 'Favorites 2', 'Rejected 1']
  ])
  assert.ok(await isPressed('All 3'))
  for (const [name, route, rows] of [
    ['Pending approval 1', 'pendingDevices', ['Hall 4']],
    ['Warnings 1', 'warningDevices', ['Hall 2']],
    ['Favorites 2', 'favoriteDevices', ['Hall 1', 'Hall 2']],
    ['Rejected 1', 'rejectedDevices', ['Hall 5']],
    ['All 3', 'allDevices', ['Hall 1', 'Hall 2', 'Hall 3']]
  ] as const) {
    const button = await chip(name)
    button.focus()
    await click(button)
    await waitForRows([...rows])
    assert.equal(console.currentPath(), ROUTES[route])
    assert.ok(await isPressed(name), name)
    assert.equal(document.activeElement, await chip(name), 'the focus stays')
  }
  // The route alone shows the same.
  navigate(ROUTES.rejectedDevices)
  await waitForRows(['Hall 5'])
  assert.ok(await isPressed('Rejected 1'))
})

test('devices with new firmware are a filter, and the hint stays while they are selected', async () => {
  await acceptDevicesUpTo(1)
  hub.parts.registry.register(helloOf(2, { 'firmware-ver': '1.5.0' }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(2).sn] })
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await waitForRows(['Hall 1', 'Hall 2'])
  await uploadFile(other, firmwareFile('encodeAio', '1.5.0'))
  await waitForText('1.2.345 1.5.0 available', await findByRole('row', 'Hall 1'))
  await click(await chip('Firmware update 1'))
  await waitForRows(['Hall 1'])
  assert.equal(console.currentPath(), '/devices/all?update=1')
  await selectRow('Hall 1')
  const [first] = queryAllByRole('button', undefined, await selectionToolbar())
  assert.equal(first && nameOf(first), 'Update firmware')
  await waitForText('Select them, then choose Update firmware. Device firmware')
  // When the device has the version, it leaves the list.
  hub.parts.registry.register(helloOf(1, { 'firmware-ver': '1.5.0' }), '192.0.2.10')
  await waitForText('Nothing found')
  await chip('Firmware update 0')
  await click(await chip('All 2'))
  await waitForRows(['Hall 1', 'Hall 2'])
})

test('the other filters stay when a list is chosen, as far as it has them', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(3)
  const { id } = await other.send(addCatalog, { 'parent-id': 0, name: 'Campus' })
  await other.send(setCatalog, { id, devices: [first, second] })
  await hub.clientAs().send(setFavorite, { sn: [second, helloOf(3).sn], favorite: true })
  const console = await openConsole(hub, { at: linkTo('groupDevices', { catalog: String(id) }) })
  await waitForRows(['Hall 1', 'Hall 2'])
  assert.ok(await isPressed('Campus'))
  await click(await chip('Favorites 2'))
  await waitForRows(['Hall 2'])
  assert.equal(console.currentPath(), `/devices/favorite?group=${id}`)
  await selectOption(await findByRole('combobox', 'State'), 'Offline')
  await click(await chip('Warnings 0'))
  await waitForText('Nothing found')
  assert.equal(console.currentPath(), `/devices/warning?group=${id}`)
  await click(await chip('Pending approval 0'))
  assert.equal(console.currentPath(), ROUTES.pendingDevices)
  await click(await chip('Pending approval 0'))
  await waitForRows(['Hall 1', 'Hall 2', 'Hall 3'])
})

test('the choices of the list of all devices are there again at the next visit of the same user', async () => {
  const [first = ''] = await acceptDevicesUpTo(2)
  hub.parts.registry.setOnline(first)
  await addUser(hub, 'viewer', DEVICE_VIEW)
  let console = await openConsole(hub, { at: ROUTES.allDevices })
  await selectOption(await findByRole('combobox', 'State'), 'Online')
  await waitForRows(['Hall 1'])
  await closeConsole()
  console = await openConsole(hub, { at: ROUTES.allDevices })
  await waitForRows(['Hall 1'])
  assert.equal(console.currentPath(), '/devices/all?state=online')
  await closeConsole()
  // A link with its own filter shows what it says.
  await openConsole(hub, { at: linkTo('allDevices', { state: 'offline' }) })
  await waitForRows(['Hall 2'])
  await closeConsole()
  console = await openConsole(hub, { user: 'viewer', at: ROUTES.allDevices })
  await waitForRows(['Hall 1', 'Hall 2'])
  await closeConsole()
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('button', 'Clear filter'))
  await waitForRows(['Hall 1', 'Hall 2'])
  await waitForNone('button', 'Clear filter')
  await closeConsole()
  await openConsole(hub, { at: ROUTES.allDevices })
  await waitForRows(['Hall 1', 'Hall 2'])
})

test('lists that the user may not view are no filters', async () => {
  await acceptDevicesUpTo(1)
  await addUser(hub, 'viewer', DEVICE_VIEW)
  await openConsole(hub, { user: 'viewer', at: ROUTES.allDevices })
  await waitForChips(['All 1', 'Warnings 0', 'Favorites 0'])
})

test.run()
