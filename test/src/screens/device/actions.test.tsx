import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { addCatalog, listCatalogs } from '../../../../contract/catalog.ts'
import { AUTH_FAILED, CLIENT_NOT_EXIST, INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../../contract/device/device.ts'
import { VENDOR_API_CLASS } from '../../../../contract/device/products.ts'
import { DEVICE_STATUS_BITS } from '../../../../contract/device/status.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import {
  acceptDevicesUpTo,
  deviceNamesIn,
  menuItemOf,
  selectionToolbar,
  selectRow,
  waitForRows
} from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  findFormDialog,
  nameOf,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device actions')

hubForEach(test)

test('a user who may only view devices is offered no other actions', async () => {
  await acceptDevicesUpTo(1)
  await addUser(hub, 'viewer', DEVICE_VIEW)
  await openConsole(hub, { user: 'viewer', at: ROUTES.allDevices })
  await menuItemOf('Hall 1', 'Add to favorites')
  assert.deepEqual(queryAllByRole('menuitem').map(nameOf), ['Add to favorites'])
})

test('deleting asks for confirmation with the consequences, and can be cancelled', async () => {
  await acceptDevicesUpTo(3)
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall 1', 'Delete'))
  const question = await findByRole('dialog', 'Delete Hall 1?')
  await waitForText('Channels that use it lose their input', question)
  question.dispatchEvent(new Event('cancel', { cancelable: true }))
  await waitForNone('dialog')
  assert.equal((await deviceNamesIn('accepted')).length, 3)
  await selectRow('Hall 2')
  await selectRow('Hall 3')
  await click(await findByRole('button', 'Delete 2 devices', await selectionToolbar()))
  await click(await findByRole('button', 'Delete 2 devices', await findByRole('dialog', 'Delete 2 devices?')))
  await waitForRows(['Hall 1'])
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1'])
})

test('favorites are a list of the user', async () => {
  await acceptDevicesUpTo(3)
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall 1', 'Add to favorites'))
  await selectRow('Hall 3')
  await click(await findByRole('button', 'More', await selectionToolbar()))
  await click(await findByRole('menuitem', 'Add to favorites'))
  await waitForNone('toolbar')
  navigate(ROUTES.favoriteDevices)
  await waitForRows(['Hall 1', 'Hall 3'])
  await click(await menuItemOf('Hall 1', 'Remove from favorites'))
  await waitForRows(['Hall 3'])
  const { list } = await hub.clientAs().send(listDevices, { 'is-favorite': 1 })
  assert.deepEqual(
    list.map(({ name }) => name),
    ['Hall 3']
  )
})

test('devices are moved to a group without drag and drop', async () => {
  await acceptDevicesUpTo(3)
  const campus = (await other.send(addCatalog, { 'parent-id': 0, name: 'Campus' })).id
  const hall = (await other.send(addCatalog, { 'parent-id': campus, name: 'Hall' })).id
  await openConsole(hub, { at: ROUTES.allDevices })
  await selectRow('Hall 1')
  await selectRow('Hall 2')
  await click(await findByRole('button', 'Move to group', await selectionToolbar()))
  const dialog = await findByRole('dialog', 'Move to group: Hall 1 and Hall 2')
  const group = await findByRole('combobox', 'Group', dialog)
  assert.deepEqual(queryAllByRole('option', undefined, group).map(visibleText), [
    'No group',
    'Campus',
    'Hall',
    'New group'
  ])
  await selectOption(group, 'Hall')
  await click(await findByRole('button', 'Move to group', dialog))
  await waitForNone('dialog')
  await waitForNone('toolbar')
  const { list } = await other.send(listDevices, { catalog: hall, sort: 'name', order: 'ascending' })
  assert.deepEqual(
    list.map(({ name }) => name),
    ['Hall 1', 'Hall 2']
  )
})

test('a device is moved to a group that is added for it; a name that exists is an error', async () => {
  await acceptDevicesUpTo(1)
  await other.send(addCatalog, { 'parent-id': 0, name: 'Campus' })
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall 1', 'Move to group'))
  const dialog = await findByRole('dialog', 'Move to group: Hall 1')
  await selectOption(await findByRole('combobox', 'Group', dialog), 'New group')
  const name = await findByRole<HTMLInputElement>('textbox', 'Name of the new group', dialog)
  await fill(name, 'Campus')
  await click(await findByRole('button', 'Move to group', dialog))
  await waitForFieldMessage(name, 'The name already exists')
  await fill(name, 'Foyer')
  await click(await findByRole('button', 'Move to group', dialog))
  await waitForNone('dialog')
  const group = (await other.send(listCatalogs, {})).list.find((each) => each.name === 'Foyer')
  assert.equal(group?.['num-all'], 1)
})

test('the actions depend on the family and the activity of a device', async () => {
  const hellos = [
    helloOf(1),
    helloOf(2, { module: 1, 'product-id': 769 }),
    helloOf(3, { module: 4278190080, 'product-id': 1 }),
    helloOf(4, { 'product-id': 785 }),
    helloOf(5, { module: 4278190080, 'product-id': 1, 'api-class': VENDOR_API_CLASS })
  ]
  for (const hello of hellos) hub.parts.registry.register(hello, '192.0.2.10')
  await other.send(acceptDevices, { sn: hellos.map(({ sn }) => sn) })
  for (const { sn } of hellos) hub.parts.registry.setOnline(sn)
  hub.parts.registry.setObservation(hellos[1]?.sn ?? '', {
    status: { 'cur-status': DEVICE_STATUS_BITS.recording },
    warns: 0
  })
  await openConsole(hub, { at: ROUTES.allDevices })
  const offered = async (name: string) => {
    await click(await buttonInRow(name, /^Actions/))
    const names = queryAllByRole('menuitem').map(nameOf)
    await click(await buttonInRow(name, /^Actions/))
    return names.filter((item) => !/favorites|group|Access|firmware|Delete/.test(item))
  }
  assert.deepEqual(await offered('Hall 1'), [
    'Start recording',
    'Start streaming',
    'Rename',
    'Edit tags',
    'Connection',
    'Replace in channels',
    'Swap',
    'Reboot'
  ])
  assert.deepEqual(await offered('Hall 2'), [
    'Stop recording',
    'Start streaming',
    'Rename',
    'Edit tags',
    'Replace in channels',
    'Swap',
    'Reboot'
  ])
  assert.deepEqual(await offered('Hall 3'), ['Edit tags', 'Replace in channels', 'Swap'])
  assert.deepEqual(await offered('Hall 4'), [
    'Rename',
    'Edit tags',
    'Connection',
    'Replace in channels',
    'Swap',
    'Reboot'
  ])
  // A third-party device that is the vendor's own.
  assert.deepEqual(await offered('Hall 5'), [
    'Rename',
    'Edit tags',
    'Connection',
    'Replace in channels',
    'Swap',
    'Reboot'
  ])
})

test('the bar of selected devices has what is most used first, and deleting last, apart from the rest', async () => {
  const [sn = ''] = await acceptDevicesUpTo(2)
  hub.parts.registry.setOnline(sn)
  hub.parts.registry.register(helloOf(3, { module: 4278190080, 'product-id': 1, name: 'Camera' }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(3).sn] })
  await openConsole(hub, { at: ROUTES.allDevices })
  const buttons = async () => queryAllByRole('button', undefined, await selectionToolbar()).map(nameOf)
  await selectRow('Hall 1')
  await selectRow('Hall 2')
  const close = 'Clear selection'
  assert.deepEqual(await buttons(), [
    ...['Move to group', 'Connection', 'Update firmware', 'Reboot 2 devices', 'More', 'Delete 2 devices'],
    close
  ])
  const remove = await findByRole('button', 'Delete 2 devices', await selectionToolbar())
  assert.ok(remove.closest('.apart'), 'apart')
  // The lists stay in view while devices are selected.
  await findByRole('button', 'Warnings 0')
  await click(await findByRole('button', close))
  // What cannot be done with a device is not offered for it.
  await selectRow('Camera')
  assert.deepEqual(await buttons(), ['Move to group', 'More', 'Delete', close])
})

test('commands to an offline device are disabled, with the reason', async () => {
  await acceptDevicesUpTo(1)
  await openConsole(hub, { at: ROUTES.allDevices })
  const reboot = await menuItemOf('Hall 1', 'Reboot')
  assert.equal(reboot.getAttribute('aria-disabled'), 'true')
  assert.equal(reboot.dataset.tip, 'The device is offline')
  await click(reboot)
  assert.equal(queryAllByRole('dialog').length, 0)
})

test('a device name is validated by the rule of its family, and a refusal of the hub is shown at the field', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  hub.parts.registry.setOnline(sn)
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  console.muteFeed()
  const requestBodies: string[] = []
  console.intercept = (path, body) => {
    if (!path.endsWith('/device/rename')) return undefined
    requestBodies.push(body ?? '')
    const detail = { sn, result: INVALID_ARG, field: 'name', fault: 'characters' }
    return Response.json(
      requestBodies.length > 1
        ? { result: SUCCESS, details: [{ sn, result: SUCCESS }] }
        : { ...detail, details: [detail] }
    )
  }
  await click(await menuItemOf('Hall 1', 'Rename'))
  const dialog = await findByRole('dialog', 'Rename Hall 1')
  const name = await findByRole('textbox', 'Name', dialog)
  await fill(name, 'Hall/1')
  await click(await findByRole('button', 'Save', dialog))
  await until(() => name.getAttribute('aria-invalid') === 'true', 'the error')
  assert.deepEqual(requestBodies, [])
  await fill(name, 'Stage')
  await click(await findByRole('button', 'Save', dialog))
  await until(() => requestBodies.length === 1 && name.getAttribute('aria-invalid') === 'true', 'the refusal')
  await fill(name, 'Stage 2')
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  assert.deepEqual(JSON.parse(requestBodies[1] ?? ''), { sn, name: 'Stage 2' })
  await waitForText('Stage 2 saved Open')
})

test('the connection of several devices is set at once, for the directions with own settings', async () => {
  const serials = await acceptDevicesUpTo(2)
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'Connection', await selectionToolbar()))
  const dialog = await findByRole('dialog', 'Connection')
  assert.equal(queryAllByRole('combobox', 'Stream', dialog).length, 0)
  await selectOption(await findByRole('combobox', 'From the device', dialog), 'SRT')
  await selectOption(await findByRole('combobox', 'Stream', dialog), 'Sub stream')
  const latency = await findByRole('textbox', 'Latency (ms)', dialog)
  await fill(latency, '19')
  await click(await findByRole('button', 'Save', dialog))
  await until(() => latency.getAttribute('aria-invalid') === 'true', 'the error')
  await fill(latency, '121')
  let requestBody = ''
  console.intercept = (path, body) => {
    if (path.endsWith('/device/config')) requestBody = body ?? ''
    return undefined
  }
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  assert.deepEqual(JSON.parse(requestBody), {
    sn: serials,
    config: { input: { protocol: 2, 'stream-index': 1, latency: 121 } },
    'dry-run': 'if-off-air'
  })
  await waitForText(' saved')
  const { list } = await other.send(listDevices, {})
  assert.deepEqual(
    list.map(({ config }) => config?.input),
    [1, 2].map(() => ({ protocol: 2, 'stream-index': 1, latency: 121 }))
  )
})

test('RTMP is offered for the stream of a device, without a latency', async () => {
  const serials = await acceptDevicesUpTo(1)
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall 1', 'Connection'))
  const dialog = await findByRole('dialog', 'Connection')
  await selectOption(await findByRole('combobox', 'From the device', dialog), 'RTMP')
  await findByRole('combobox', 'Stream', dialog)
  await waitForNone('textbox', 'Latency (ms)')
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  const { list } = await other.send(listDevices, { key: serials[0] })
  assert.deepEqual(list[0]?.config, { input: { protocol: 1, 'stream-index': 0 } })
})

test('the visibility of a device is set for it alone, and inherited again', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  const viewer = await addUser(hub, 'viewer', DEVICE_VIEW)
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall 1', 'Access'))
  let dialog = await findFormDialog('Access to Hall 1')
  await click(await findByRole('checkbox', 'Inherit', dialog))
  await findByRole('checkbox', 'Everyone, including new groups', dialog)
  for (const box of queryAllByRole('checkbox', undefined, dialog) as HTMLInputElement[])
    if (box.checked) await click(box)
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  assert.deepEqual((await viewer.send(listDevices, {})).list, [])
  await click(await menuItemOf('Hall 1', 'Access'))
  dialog = await findFormDialog('Access to Hall 1')
  await click(await findByRole('checkbox', 'Inherit', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  assert.deepEqual(
    (await viewer.send(listDevices, {})).list.map((device) => device.sn),
    [sn]
  )
})

test('a device is added by its address, and errors are shown at their fields', async () => {
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  console.muteFeed()
  let requestBody = ''
  const results = [{ result: CLIENT_NOT_EXIST }, { result: AUTH_FAILED }, { result: SUCCESS, id: 1, sn: 'X' }]
  console.intercept = (path, body) => {
    if (!path.endsWith('/device/add')) return undefined
    requestBody = body ?? ''
    return Response.json(results.shift())
  }
  await click(await findByRole('button', 'Add device'))
  const dialog = await findByRole('dialog', 'Add device')
  const address = await findByRole('textbox', 'Address', dialog)
  await fill(address, 'encoder.example')
  await fill(await findByRole('textbox', 'User name', dialog), 'admin')
  const password = await findByRole('textbox', 'Password', dialog)
  await fill(password, 'wrong')
  await click(await findByRole('button', 'Add device', dialog))
  await waitForFieldMessage(address, 'Another device responds at this address.')
  await click(await findByRole('button', 'Add device', dialog))
  await waitForFieldMessage(password, 'Authorization failed')
  await fill(password, 'right')
  await click(await findByRole('button', 'Add device', dialog))
  await waitForNone('dialog')
  const values = { address: 'encoder.example', https: false, user: 'admin', password: 'right' }
  assert.deepEqual(JSON.parse(requestBody), values)
})

test.run()
