import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices, deleteDevices } from '../../../../contract/device/device.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console.ts'
import { register } from '../../../kit/device.ts'
import { deviceNamesIn, selectionToolbar, selectRow, waitForRows } from '../../../kit/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/hub-for-each.ts'
import { all, click, none, one, says } from '../../../kit/page.ts'
import { buttonInRow } from '../../../kit/rows.ts'

const test = suite('device registration')

hubForEach(test)

test('a pending device is listed with the data of its registration', async () => {
  register(hub, 1)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  const row = await one('row', 'Hall 1')
  for (const word of ['B313210000001', 'Ultra Encode AIO', '192.0.2.10', '1.2.345', 'Offline', /\d s ago/])
    await says(word, row)
})

test('a newly registered device appears by itself', async () => {
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await says('No devices')
  await says('Enter this hub’s address and port 8070 in a device, then accept it.')
  register(hub, 1)
  await one('row', 'Hall 1')
})

test('a device is accepted without a confirmation', async () => {
  register(hub, 2)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await buttonInRow('Hall 1', /^Accept/))
  await waitForRows(['Hall 2'])
  await says('Operation succeeded')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1'])
  navigate(ROUTES.allDevices)
  await waitForRows(['Hall 1'])
})

test('a device is rejected after a confirmation, and can still be accepted', async () => {
  register(hub, 1)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await buttonInRow('Hall 1', /^Reject/))
  const question = await one('dialog', 'Reject Hall 1?')
  await says('can still be accepted', question)
  await click(await one('button', 'Cancel', question))
  await none('dialog')
  assert.deepEqual(await deviceNamesIn('waiting'), ['Hall 1'])
  await click(await buttonInRow('Hall 1', /^Reject/))
  await click(await one('button', 'Reject Hall 1', await one('dialog', 'Reject Hall 1?')))
  await says('No devices')
  assert.deepEqual(await deviceNamesIn('rejected'), ['Hall 1'])
  navigate(ROUTES.rejectedDevices)
  await click(await buttonInRow('Hall 1', /^Accept/))
  await says('No devices')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1'])
})

test('navigation closes confirmations and dialogs', async () => {
  register(hub, 1)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await buttonInRow('Hall 1', /^Reject/))
  await one('dialog', 'Reject Hall 1?')
  navigate(ROUTES.allDevices)
  await none('dialog')
  assert.deepEqual(await deviceNamesIn('waiting'), ['Hall 1'])
  await click(await one('button', 'Add device'))
  await one('dialog', 'Add device')
  navigate(ROUTES.pendingDevices)
  await none('dialog')
})

test('several devices are selected and accepted with one call, and the selection is cleared', async () => {
  register(hub, 3)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await selectRow('Hall 1')
  await says('1 selected', await selectionToolbar())
  await selectRow('Hall 3')
  await click(await one('button', 'Accept 2 devices', await selectionToolbar()))
  await waitForRows(['Hall 2'])
  await none('toolbar')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1', 'Hall 3'])
  assert.equal(all('dialog').length, 0)
})

test('several devices are rejected after one confirmation', async () => {
  register(hub, 2)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await click(await one('checkbox', 'Select all'))
  await click(await one('button', 'Reject 2 devices', await selectionToolbar()))
  await click(await one('button', 'Reject 2 devices', await one('dialog', 'Reject 2 devices?')))
  await says('No devices')
  assert.deepEqual(await deviceNamesIn('rejected'), ['Hall 1', 'Hall 2'])
})

test('if some devices fail, the reason is shown for each of them', async () => {
  const [, second = '', third = ''] = register(hub, 3)
  const console = await openConsole(hub, { at: ROUTES.pendingDevices })
  await waitForRows(['Hall 1', 'Hall 2', 'Hall 3'])
  console.hush()
  await other.send(acceptDevices, { sn: [second] })
  await other.send(deleteDevices, { sn: [third] })
  await click(await one('checkbox', 'Select all'))
  await click(await one('button', 'Accept 3 devices', await selectionToolbar()))
  const resultDialog = await one('dialog', 'Accept')
  await says('1 of 3 done, 2 failed', resultDialog)
  await says('The status has been changed by another people', await one('row', 'Hall 2', resultDialog))
  await says('This configuration has been deleted by another user.', await one('row', 'Hall 3', resultDialog))
  await says('Done', await one('row', 'Hall 1', resultDialog))
  await click(all('button', 'Close', resultDialog).at(-1) as HTMLElement)
  await says('No devices')
  assert.deepEqual(await deviceNamesIn('accepted'), ['Hall 1', 'Hall 2'])
})

test('a device that another user has decided on is reported, and the list is updated', async () => {
  const [sn = ''] = register(hub, 1)
  const console = await openConsole(hub, { at: ROUTES.pendingDevices })
  await one('row', 'Hall 1')
  console.hush()
  await other.send(acceptDevices, { sn: [sn] })
  await click(await buttonInRow('Hall 1', /^Accept/))
  await one('alert', /^The status has been changed by another people/)
  await says('No devices')
})

test('a rejected device is deleted after a confirmation, and can then register again', async () => {
  const [sn = ''] = register(hub, 1)
  hub.context.store.devices.setRegistrationState(sn, 102)
  await openConsole(hub, { at: ROUTES.rejectedDevices })
  await click(await buttonInRow('Hall 1', /^Delete/))
  await click(await one('button', 'Delete Hall 1', await one('dialog', 'Delete Hall 1?')))
  await says('No devices')
  register(hub, 1)
  assert.deepEqual(await deviceNamesIn('waiting'), ['Hall 1'])
})

test('all pending devices are accepted, also those that are not loaded', async () => {
  register(hub, 300)
  await openConsole(hub, { at: ROUTES.pendingDevices })
  await one('row', 'Hall 1')
  await click(await one('checkbox', 'Select all'))
  await click(await one('checkbox', 'Select Hall 2'))
  await says('299 selected', await selectionToolbar())
  await click(await one('button', 'Accept 299 devices', await selectionToolbar()))
  await waitForRows(['Hall 2'])
  assert.equal((await deviceNamesIn('accepted')).length, 299)
  await none('dialog')
})

test.run()
