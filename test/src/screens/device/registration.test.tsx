import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices, deleteDevices } from '../../../../contract/device/device.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { deviceNamesIn, selectionToolbar, selectRow, waitForRows } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { buttonInRow } from '../../../kit/console/table-rows.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device registration')

hubForEach(test)

test('a pending device is listed with the data of its registration', async () => {
  registerDevices(hub, 1)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  const row = await findByRole('row', 'Hall 1')
  for (const word of ['B313210000001', 'Ultra Encode AIO', '192.0.2.10', 'Pending approval, offline', /\d s ago/])
    await waitForText(word, row)
  // Beside the buttons there is room for the firmware in wide windows only: users can show it.
  assert.ok(!visibleText(row).includes('1.2.345'))
  await click(await findByRole('button', 'Columns'))
  const columns = [...document.querySelectorAll<HTMLElement>('[role=menuitemcheckbox]')]
  await click(columns.find((column) => visibleText(column) === 'Firmware') as HTMLElement)
  await waitForText('1.2.345', row)
})

test('a newly registered device appears without a reload', async () => {
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await waitForText('No devices')
  await waitForText('Enter this hub’s address and port 8070 on the device, then accept it here.')
  registerDevices(hub, 1)
  await findByRole('row', 'Hall 1')
})

test('a device is accepted without a confirmation', async () => {
  registerDevices(hub, 2)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await buttonInRow('Hall 1', /^Accept/))
  await waitForRows(['Hall 2'])
  await waitForText('Hall 1 accepted. Now listed under All devices. Open')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1'])
  navigate(ROUTES.allDevices)
  await waitForRows(['Hall 1'])
})

test('a device is rejected after a confirmation, and can still be accepted', async () => {
  registerDevices(hub, 1)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await buttonInRow('Hall 1', /^Reject/))
  const question = await findByRole('dialog', 'Reject Hall 1?')
  await waitForText('can be accepted later', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  assert.deepEqual(await deviceNamesIn('waiting'), ['Hall 1'])
  await click(await buttonInRow('Hall 1', /^Reject/))
  await click(await findByRole('button', 'Reject Hall 1', await findByRole('dialog', 'Reject Hall 1?')))
  await waitForText('No devices')
  assert.deepEqual(await deviceNamesIn('rejected'), ['Hall 1'])
  navigate(ROUTES.rejectedDevices)
  await click(await buttonInRow('Hall 1', /^Accept/))
  await waitForText('No devices')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1'])
})

test('at the limit of the licence, the accept button gives the reason, and the device keeps waiting', async () => {
  const [first = ''] = registerDevices(hub, 2)
  await other.send(acceptDevices, { sn: [first] })
  const { settings } = hub.parts.store
  settings.set('license-limits', { ...settings.get('license-limits'), 'max-dev-count': 1 })
  await openConsole(hub, { at: ROUTES.pendingDevices })
  const accept = await buttonInRow('Hall 2', /^Accept/)
  await until(() => accept.dataset.tip === 'Registered devices: 1, the license allows 1', 'the reason')
  await click(accept)
  assert.deepEqual(await deviceNamesIn('waiting'), ['Hall 2'])
})

test('navigation closes confirmations and dialogs', async () => {
  registerDevices(hub, 1)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await buttonInRow('Hall 1', /^Reject/))
  await findByRole('dialog', 'Reject Hall 1?')
  navigate(ROUTES.allDevices)
  await waitForNone('dialog')
  assert.deepEqual(await deviceNamesIn('waiting'), ['Hall 1'])
  await click(await findByRole('button', 'Add device'))
  await findByRole('dialog', 'Add device')
  navigate(ROUTES.pendingDevices)
  await waitForNone('dialog')
})

test('several devices are selected and accepted with one call, and the selection is cleared', async () => {
  registerDevices(hub, 3)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await selectRow('Hall 1')
  await waitForText('1 selected', await selectionToolbar())
  await selectRow('Hall 3')
  await click(await findByRole('button', 'Accept 2 devices', await selectionToolbar()))
  await waitForRows(['Hall 2'])
  await waitForNone('toolbar')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1', 'Hall 3'])
  assert.equal(queryAllByRole('dialog').length, 0)
  // The message leads to them.
  await waitForText('Hall 1 and Hall 3 accepted. Now listed under All devices. Open')
  await click(await findByRole('link', 'Open'))
  await waitForRows(['Hall 1', 'Hall 3'])
})

test('several devices are rejected after one confirmation', async () => {
  registerDevices(hub, 2)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'Reject 2 devices', await selectionToolbar()))
  await click(await findByRole('button', 'Reject 2 devices', await findByRole('dialog', 'Reject 2 devices?')))
  await waitForText('No devices')
  assert.deepEqual(await deviceNamesIn('rejected'), ['Hall 1', 'Hall 2'])
})

test('if some devices fail, the reason is shown for each of them', async () => {
  const [, second = '', third = ''] = registerDevices(hub, 3)
  const console = await openConsole(hub, { at: ROUTES.pendingDevices })
  await waitForRows(['Hall 1', 'Hall 2', 'Hall 3'])
  console.muteFeed()
  await other.send(acceptDevices, { sn: [second] })
  await other.send(deleteDevices, { sn: [third] })
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'Accept 3 devices', await selectionToolbar()))
  const resultDialog = await findByRole('dialog', 'Accept')
  await waitForText('1 of 3 done, 2 failed', resultDialog)
  await waitForText('The status has been changed by another people', await findByRole('row', 'Hall 2', resultDialog))
  await waitForText(
    'This configuration has been deleted by another user.',
    await findByRole('row', 'Hall 3', resultDialog)
  )
  await waitForText('Done', await findByRole('row', 'Hall 1', resultDialog))
  await click(queryAllByRole('button', 'Close', resultDialog).at(-1) as HTMLElement)
  await waitForText('No devices')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1', 'Hall 2'])
})

test('a device that another user has decided on is reported, and the list is updated', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const console = await openConsole(hub, { at: ROUTES.pendingDevices })
  await findByRole('row', 'Hall 1')
  console.muteFeed()
  await other.send(acceptDevices, { sn: [sn] })
  await click(await buttonInRow('Hall 1', /^Accept/))
  await findByRole('alert', /^The status has been changed by another people/)
  await waitForText('No devices')
})

test('a rejected device is deleted after a confirmation, and can then register again', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  hub.parts.store.devices.setRegistrationState(sn, 102)
  await openConsole(hub, { at: ROUTES.rejectedDevices })
  await click(await buttonInRow('Hall 1', /^Delete/))
  await click(await findByRole('button', 'Delete Hall 1', await findByRole('dialog', 'Delete Hall 1?')))
  await waitForText('No devices')
  registerDevices(hub, 1)
  assert.deepEqual(await deviceNamesIn('waiting'), ['Hall 1'])
})

test('all pending devices are accepted, also those that are not loaded', async () => {
  registerDevices(hub, 300)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await findByRole('row', 'Hall 1')
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('checkbox', 'Select Hall 2'))
  await waitForText('299 selected', await selectionToolbar())
  await click(await findByRole('button', 'Accept 299 devices', await selectionToolbar()))
  await waitForRows(['Hall 2'])
  assert.equal((await deviceNamesIn('accepted')).length, 299)
  await waitForNone('dialog')
})

test.run()
