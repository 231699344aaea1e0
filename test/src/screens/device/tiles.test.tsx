import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import {
  acceptDevicesUpTo,
  deviceNamesIn,
  disableIntersectionObserver,
  findTile,
  searchDevices,
  selectionToolbar,
  selectRow,
  waitForRows
} from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device tiles')

hubForEach(test)

test('tiles are another view of the same devices, kept in the URL', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(2)
  hub.parts.registry.register(helloOf(3, { preview: false }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(3).sn] })
  disableIntersectionObserver()
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9])
  const subscribedSerials: string[] = []
  const cancelledSerials: string[] = []
  hub.parts.links.subscribePreviews = (sn, _how, onImage) => {
    subscribedSerials.push(sn)
    onImage(jpeg)
    return () => void cancelledSerials.push(sn)
  }
  const { registry } = hub.parts
  registry.setOnline(first)
  registry.setObservation(first, { status: {}, warns: DEVICE_WARNING_BITS.usbFull, input: '1280x720p50' })
  registry.setOnline(helloOf(3).sn)
  const console = await openConsole(hub, { at: linkTo('allDevices', { key: 'hall' }) })
  await waitForRows(['Hall 1', 'Hall 2', 'Hall 3'])
  await click(await findByRole('button', 'Pictures'))
  assert.equal(console.currentPath(), '/devices/all?key=hall&view=view')
  for (const word of ['Warning', '1280x720p50', 'USB drive full']) await waitForText(word, await findTile('Hall 1'))
  await findByRole('img', 'Live picture of Hall 1')
  await waitForText('Offline', await findTile('Hall 2'))
  await waitForText('Ultra Encode AIO', await findTile('Hall 2'))
  await waitForText('No picture', await findTile('Hall 3'))
  assert.deepEqual(subscribedSerials, [first])
  registry.setOnline(second)
  await findByRole('img', 'Live picture of Hall 2')
  registry.setOffline(first, 'gone')
  await waitForText(/Offline for \d+ s/, await findTile('Hall 1'))
  await waitForNone('img', 'Live picture of Hall 1')
  await searchDevices('hall 2')
  await until(() => queryAllByRole('listitem').filter((item) => item.querySelector('footer')).length === 1, 'one tile')
  await click(await findByRole('button', 'Pictures'))
  await waitForRows(['Hall 2'])
  assert.equal(console.currentPath(), '/devices/all?key=hall+2&view=list')
  await until(
    () => cancelledSerials.includes(first) && cancelledSerials.includes(second),
    'no preview is requested any longer'
  )
})

test('a tile has the actions of a row', async () => {
  await acceptDevicesUpTo(1)
  await openConsole(hub, { at: linkTo('allDevices', { view: 'view' }) })
  await click(await findByRole('button', 'Actions: Hall 1', await findTile('Hall 1')))
  await click(await findByRole('menuitem', 'Delete'))
  await click(await findByRole('button', 'Delete Hall 1', await findByRole('dialog', 'Delete Hall 1?')))
  await waitForText('No devices')
  assert.deepEqual(await deviceNamesIn('accepted'), [])
})

test('the selected view is kept, and is the same for all filters of the list', async () => {
  await acceptDevicesUpTo(1)
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('button', 'Pictures'))
  await findTile('Hall 1')
  navigate(ROUTES.warningDevices)
  await waitForText('No devices')
  assert.equal((await findByRole('button', 'Pictures')).getAttribute('aria-pressed'), 'true')
  navigate(ROUTES.allDevices)
  await findTile('Hall 1')
  await click(await findByRole('button', 'Pictures'))
  await waitForRows(['Hall 1'])
  navigate(ROUTES.warningDevices)
  navigate(ROUTES.allDevices)
  await waitForRows(['Hall 1'])
})

test('tiles are selected like rows', async () => {
  await acceptDevicesUpTo(3)
  await openConsole(hub, { at: linkTo('allDevices', { view: 'view' }) })
  await findTile('Hall 1')
  await selectRow('Hall 1')
  await selectRow('Hall 3')
  await click(await findByRole('button', 'Delete 2 devices', await selectionToolbar()))
  await click(await findByRole('button', 'Delete 2 devices', await findByRole('dialog', 'Delete 2 devices?')))
  await until(() => queryAllByRole('listitem').filter((item) => item.querySelector('footer')).length === 1, 'one tile')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 2'])
})

test.run()
