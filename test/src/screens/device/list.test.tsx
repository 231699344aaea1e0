import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_ADV_CONTROL } from '../../../../contract/access/permissions.ts'
import { WRITE_FAILED } from '../../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../../contract/device/device.ts'
import { MODATOR } from '../../../../contract/device/products.ts'
import { DEVICE_WARNING_BITS, type DeviceStatus } from '../../../../contract/device/status.ts'
import { addChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { DIR_BOTH, DIR_OUTPUT } from '../../../../contract/stream/protocols.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { acceptDevicesUpTo, waitForRows } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { rowNames } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device list')

hubForEach(test)

test('the empty list shows the next step, with a link to pending devices', async () => {
  await openConsole(hub, { at: ROUTES.allDevices })
  await waitForText('No devices')
  registerDevices(hub, 2)
  const next = (await findByRole(
    'link',
    'Pending approval',
    document.querySelector('main') ?? undefined
  )) as HTMLAnchorElement
  assert.equal(next.hash, `#${ROUTES.pendingDevices}`)
  navigate(ROUTES.warningDevices)
  await waitForText('No devices')
})

test('a list that cannot be loaded shows the reason, and loads on retry', async () => {
  await acceptDevicesUpTo(1)
  const console = await openConsole(hub)
  console.intercept = (path) => (path.includes('/device/list') ? Response.json({ result: WRITE_FAILED }) : undefined)
  navigate(ROUTES.allDevices)
  const alert = await findByRole('alert', /^Failed to load/)
  await waitForText('Write error', alert)
  assert.deepEqual(rowNames(), [])
  console.intercept = () => undefined
  await click(await findByRole('button', 'Retry', alert))
  await waitForRows(['Hall 1'])
  await waitForNone('alert')
})

test('a loaded list stays when a later response fails', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await waitForRows(['Hall 1'])
  let requests = 0
  console.intercept = (path) =>
    path.includes('/device/list') && ++requests ? Response.json({ result: WRITE_FAILED }) : undefined
  hub.parts.registry.setOnline(sn)
  await until(() => requests > 0, 'the failed response')
  assert.deepEqual(rowNames(), ['Hall 1'])
  console.intercept = () => undefined
  await waitForText('Online', await findByRole('row', 'Hall 1'))
})

test('before the first response the list shows that it is loading', async () => {
  const console = await openConsole(hub)
  const answer = Promise.withResolvers<void>()
  console.intercept = (path) =>
    path.includes('/device/list') ? answer.promise.then(() => console.browser.raw('GET', path)) : undefined
  navigate(ROUTES.allDevices)
  await findByRole('status', 'Loading')
  assert.ok(!visibleText().includes('No devices'))
  answer.resolve()
  await waitForText('No devices')
  await waitForNone('status', 'Loading')
})

test('a user who may not view devices sees a notice, also from the hub', async () => {
  registerDevices(hub, 1)
  await addUser(hub, 'approver', DEVICE_ADV_CONTROL)
  await openConsole(hub, { user: 'approver', at: ROUTES.pendingDevices })
  await waitForText('You do not have access permission')
  assert.deepEqual(rowNames(), [])
})

test('an offline device shows the time since it was last seen, if it was ever online', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(2)
  const { registry, store } = hub.parts
  registry.setOnline(second)
  await openConsole(hub, { at: ROUTES.allDevices })
  await waitForText(/\bOffline\b(?! for)/, await findByRole('row', 'Hall 1'))
  await waitForText('Online', await findByRole('row', 'Hall 2'))
  registry.setOffline(second, 'gone')
  await waitForText(/Offline for \d+ s/, await findByRole('row', 'Hall 2'))
  store.devices.setOfflineSince(first, Date.now() - 2 * 86_400_000 - 3 * 3_600_000 - 1000)
  store.changes.markChanged('device', store.devices.bySerial(first)?.id)
  // The list has the largest unit only, the tooltip the whole duration.
  const row = await findByRole('row', 'Hall 1')
  await waitForText(/Offline for 2 d(?! 3 h)/, row)
  assert.ok(row.querySelector('[data-tip="Offline for 2 d 3 h"]'))
})

test('warnings are shown as text, in the list of all devices and in the list of devices with warnings', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(2)
  const { registry } = hub.parts
  for (const sn of [first, second]) registry.setOnline(sn)
  registry.setObservation(second, { status: {}, warns: DEVICE_WARNING_BITS.noSignal | DEVICE_WARNING_BITS.storageFull })
  await openConsole(hub, { at: ROUTES.allDevices })
  await waitForText('No signal Storage full', await findByRole('row', 'Hall 2'))
  assert.ok(!/No signal|Storage/.test(visibleText(await findByRole('row', 'Hall 1'))))
  navigate(ROUTES.warningDevices)
  await waitForRows(['Hall 2'])
  registry.setObservation(first, { status: {}, warns: DEVICE_WARNING_BITS.firmwareOld })
  await waitForRows(['Hall 1', 'Hall 2'])
  await waitForText('Firmware too old', await findByRole('row', 'Hall 1'))
  for (const sn of [first, second]) registry.setObservation(sn, { status: {}, warns: 0 })
  await waitForText('No devices')
})

test('a row shows the reported signal, the address, and the channels that use the device', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  hub.parts.registry.setOnline(sn)
  hub.parts.registry.setObservation(sn, { status: { eth: '10.0.0.7' }, warns: 0, input: '1920x1080p60' })
  const { id } = await other.send(addChannel, { name: 'Evening service' })
  const { list } = await other.send(listDevices, {})
  await other.send(setChannelInput, { id, input: list[0]?.id ?? 0 })
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('button', 'Columns'))
  for (const column of ['Ethernet', 'Channels']) await click(await findByRole('menuitem', column))
  for (const word of ['1920x1080p60', '10.0.0.7', 'Evening service'])
    await waitForText(word, await findByRole('row', 'Hall 1'))
  hub.parts.registry.setObservation(sn, { status: {}, warns: 0, input: 'no-signal' })
  await waitForText('No signal', await findByRole('row', 'Hall 1'))
})

test('hidden columns show family and direction', async () => {
  registerDevices(hub, 1)
  hub.parts.registry.register(helloOf(2, { dir: DIR_OUTPUT }), '192.0.2.10')
  hub.parts.registry.register(helloOf(3, { dir: DIR_BOTH }), '192.0.2.10')
  hub.parts.registry.register(helloOf(4, { dir: 0 }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [1, 2, 3, 4].map((index) => helloOf(index).sn) })
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('button', 'Columns'))
  await click(await findByRole('menuitem', 'Direction'))
  await click(await findByRole('menuitem', 'Family'))
  const message = ['Input', 'Output', 'Input and output', 'Management only']
  for (const [index, word] of message.entries()) {
    const row = await findByRole('row', `Hall ${index + 1}`)
    await until(() => [...row.children].some((cell) => visibleText(cell) === word), `Hall ${index + 1}: ${word}`)
    await waitForText('Ultra Encode', row)
  }
})

test('a model has the picture of its family, and rack units are marked', async () => {
  const chassis = helloOf(2, { sn: 'A506210600002', module: MODATOR, 'product-id': 1286, 'module-name': 'Modator 2U' })
  registerDevices(hub, 1)
  hub.parts.registry.register(chassis, '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(1).sn, chassis.sn] })
  localStorage.setItem('headend-columns-devices', JSON.stringify({ rack: true }))
  await openConsole(hub, { at: ROUTES.allDevices })
  for (const [name, family] of [
    ['Hall 1', 'Ultra Encode'],
    ['Hall 2', 'Modator']
  ] as const) {
    const row = await findByRole('row', name)
    await until(() => row.querySelector(`[data-tip="${family}"] svg.icon`) !== null, `the picture of ${family}`)
  }
  await waitForText('Rack', await findByRole('row', 'Hall 2'))
  assert.ok(!visibleText(await findByRole('row', 'Hall 1')).includes('Rack'))
})

test('ports and disks are shown in one line, without the free space, which lists do not contain', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  hub.parts.registry.setOnline(sn)
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
  hub.parts.registry.setObservation(sn, { status, warns: 0 })
  localStorage.setItem('headend-columns-devices', JSON.stringify({ inputs: true, disks: true }))
  await openConsole(hub, { at: ROUTES.allDevices })
  const row = await findByRole('row', 'Hall 1')
  await waitForText('SDI: 1280x720p50, Input: No signal', row)
  await waitForText('STICK: Connected, SD: Empty', row)
})

test('the serial number of a third-party device is shown without its prefix', async () => {
  const sn = 'X9990000112345678'
  hub.parts.registry.register(helloOf(1, { sn, module: 4278190080, 'module-name': 'Camera' }), '192.0.2.10')
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await waitForText(sn.slice(9), await findByRole('row', 'Hall 1'))
  assert.ok(!visibleText().includes(sn))
})

test.run()
