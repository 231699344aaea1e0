import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { DEVICE_UPDATE_STATE, startRollout } from '../../../../contract/rollout.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import {
  addOnlineDevices,
  FILE,
  openFirmwareScreen,
  openUpgradeDialog,
  setDeviceStep,
  startUpdate,
  storedRollouts
} from '../../../kit/console/firmware-screen.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findRow, rowNames } from '../../../kit/console/table-rows.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('firmware rollouts')

hubForEach(test)

test.before.each(() => {
  // Stubs the transfer of firmware to devices, which other tests cover: the test sets the state of each device.
  hub.parts.firmware.rollouts.resumeRollout = (id) => hub.parts.store.changes.markChanged('rollout', id)
})

test('devices for a file are selected, and a rollout to several of them opens the list of rollouts', async () => {
  const [first = '', second = ''] = await addOnlineDevices(3)
  await uploadFile(other, FILE)
  const newer = await uploadFile(other, firmwareFile('encodeAio', '1.6.0'))
  const console = await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.5.0', 'Hall 1', 'Hall 2', 'Hall 3')
  const version = await findByRole<HTMLSelectElement>('combobox', 'Firmware', dialog)
  assert.deepEqual(queryAllByRole('option', undefined, version).map(nameOf), [
    'Ultra Encode AIO A 1.6.0',
    'Ultra Encode AIO A 1.5.0'
  ])
  assert.equal(version.selectedOptions[0]?.textContent, 'Ultra Encode AIO A 1.5.0')
  await selectOption(version, 'Ultra Encode AIO A 1.6.0')
  const wave = await findByRole('textbox', 'Batch size after the first device', dialog)
  await fill(wave, '0')
  await startUpdate(dialog)
  await waitForFieldMessage(wave, 'Must be between 1 and 1000')
  await fill(wave, '2')
  await startUpdate(dialog)
  await waitForText('Update queued: ')
  assert.equal(console.currentPath(), linkTo('firmware', { tab: 'rollouts' }))
  const [rollout] = await storedRollouts()
  assert.deepEqual([rollout?.first, rollout?.wave, rollout?.['stop-after'], rollout?.total], [1, 2, 1, 3])
  assert.equal(rollout?.['firmware-id'], newer)

  // The state of each device is shown in the words of the hub.
  const line = await findRow('Ultra Encode AIO A 1.6.0')
  assert.match(visibleText(line), /In progress 0 of 3 done, 0 failed Admin/)
  await click(await findByRole('button', 'Details: Ultra Encode AIO A 1.6.0'))
  await waitForText('Hall 1 Queued 1.2.345')
  const { id } = rollout
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.installing)
  await waitForText(/Hall 1 Installing: \d+ %/)
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.restarting)
  await waitForText('Hall 1 Restarting')
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.idle)
  await waitForText('Hall 1 Updated')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.failed, 12)
  await waitForText('Hall 2 Failed: The device is offline')
  await waitForText('1 of 3 done, 1 failed')
  // Failed devices are listed first.
  await until(
    () => nameOf(queryAllByRole('link', /^Hall /)[0] as HTMLElement) === 'Hall 2',
    'the failed one is the first'
  )
})

test('the list of devices for a file has a link back to all devices', async () => {
  await addOnlineDevices(2)
  const id = await uploadFile(other, FILE)
  const elsewhere = helloOf(3, { 'product-id': 1, 'module-name': 'Other' })
  hub.parts.registry.register(elsewhere, '192.0.2.10')
  await other.send(acceptDevices, { sn: [elsewhere.sn] })
  await openFirmwareScreen(linkTo('allDevices', { firmware: String(id) }))
  await findRow('Hall 2')
  assert.deepEqual(rowNames(), ['Hall 1', 'Hall 2'])
  await waitForText('Devices for firmware Ultra Encode AIO A 1.5.0. Select them, then choose Update firmware.')
  await click(await findByRole('button', 'Clear filter'))
  await until(() => rowNames().length === 3, 'all of them')
})

test('a test build requires consent to its disclaimer', async () => {
  await addOnlineDevices(1)
  await uploadFile(other, firmwareFile('encodeAio', '1.5.0'))
  await uploadFile(other, firmwareFile('encodeAio', '1.6.0', { test: true }))
  await uploadFile(other, firmwareFile('encodeAio', '1.7.0', { test: true }))
  await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.6.0', 'Hall 1')
  await waitForText('This is a test build', dialog)
  await startUpdate(dialog)
  await waitForText('Required', dialog)
  assert.equal((await storedRollouts()).length, 0)
  const agree = () => findByRole<HTMLInputElement>('checkbox', 'I have read this and agree', dialog)
  await click(await agree())
  // The consent does not hold for another file.
  const version = await findByRole('combobox', 'Firmware', dialog)
  await selectOption(version, 'Ultra Encode AIO A 1.5.0')
  assert.equal(queryAllByRole('checkbox', undefined, dialog).length, 0)
  await selectOption(version, 'Ultra Encode AIO A 1.7.0')
  assert.equal((await agree()).checked, false)
  await click(await agree())
  await startUpdate(dialog)
  await waitForNone('dialog', 'Update firmware')
  assert.equal((await storedRollouts())[0]?.test, 1)
})

test('a lower version warns that data and settings may be lost, and requires consent', async () => {
  await addOnlineDevices(2)
  await uploadFile(other, firmwareFile('encodeAio', '1.1.0'))
  await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.1.0', 'Hall 1')
  await waitForText(
    'Version 1.1.0 is lower than the installed 1.2.345. Data and settings may be lost. Install it?',
    dialog
  )
  await startUpdate(dialog)
  await waitForText('Required', dialog)
  assert.equal((await storedRollouts()).length, 0)
  await click(await findByRole('checkbox', 'I have read this and agree', dialog))
  await startUpdate(dialog)
  await waitForNone('dialog')
  assert.equal((await storedRollouts())[0]?.total, 1)
})

test('devices that are left out are listed with the reason, and can be retried', async () => {
  const [, second = ''] = await addOnlineDevices(2)
  await uploadFile(other, FILE)
  await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.5.0', 'Hall 1', 'Hall 2')
  hub.parts.registry.setOffline(second, 'gone')
  await startUpdate(dialog)
  // The hub has only queued the update: nothing is done yet.
  await waitForText('1 of 2 queued, 1 failed')
  await waitForText('Hall 1 Queued')
  await waitForText('Hall 2 The device is offline')
  assert.equal(
    (await findByRole<HTMLAnchorElement>('link', 'Show progress')).hash,
    `#${linkTo('firmware', { tab: 'rollouts' })}`
  )
  assert.equal((await storedRollouts())[0]?.total, 1)
  hub.parts.registry.setOnline(second)
  await click(await findByRole('button', 'Retry failed'))
  await waitForNone('dialog')
  assert.equal((await storedRollouts()).length, 2)
})

test('the dialog names the channels that are on air through the devices', async () => {
  const [first = '', second = ''] = await addOnlineDevices(3)
  await uploadFile(other, FILE)
  const onAir = { input: 1, slate: false, why: '' }
  const outputs = { start: 0, total: 0, list: [] as object[] }
  const list = [
    { name: 'News', input: { id: 1, sn: first }, 'on-air': onAir, outputs },
    { name: 'Choir', input: { id: 2, sn: first }, backups: [{ id: 1, sn: 'Z' }], 'on-air': onAir, outputs },
    { name: 'Foyer', input: { id: 1 }, 'on-air': onAir, outputs: { ...outputs, list: [{ sn: second, enable: true }] } },
    { name: 'Other', input: { id: 1, sn: 'X' }, 'on-air': onAir, outputs: { ...outputs, list: [{ enable: true }] } }
  ]
  const console = await openFirmwareScreen()
  console.intercept = (path) =>
    path.includes('/channel/dashboard')
      ? Response.json({ result: SUCCESS, start: 0, total: list.length, list })
      : undefined
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.5.0', 'Hall 1', 'Hall 2')
  await waitForText('Each device restarts: its pictures, streams and recordings are interrupted.', dialog)
  await waitForText(/On air through these devices: News, Foyer(?!,)/, dialog)
})

test('for devices of several models, the file that suits most is chosen, and only they are sent it', async () => {
  const [first = ''] = await addOnlineDevices(2)
  const other1 = helloOf(3, { 'product-id': 769, 'module-name': 'Ultra Stream SDI', name: 'Gymnasium' })
  hub.parts.registry.register(other1, '192.0.2.10')
  await other.send(acceptDevices, { sn: [other1.sn] })
  hub.parts.registry.setOnline(other1.sn)
  await uploadFile(other, FILE)
  await uploadFile(other, firmwareFile('streamSdi', '2.0.1'))
  const onAir = { input: 1, slate: false, why: '' }
  const outputs = { start: 0, total: 0, list: [] }
  const list = [
    { name: 'News', input: { id: 1, sn: first }, 'on-air': onAir, outputs },
    { name: 'Sports', input: { id: 1, sn: other1.sn }, 'on-air': onAir, outputs }
  ]
  const console = await openFirmwareScreen(ROUTES.allDevices)
  console.intercept = (path) =>
    path.includes('/channel/dashboard')
      ? Response.json({ result: SUCCESS, start: 0, total: list.length, list })
      : undefined
  for (const name of ['Hall 1', 'Hall 2', 'Gymnasium']) await click(await findByRole('checkbox', `Select ${name}`))
  await click(await findByRole('button', 'Update firmware'))
  const dialog = await findByRole('dialog', 'Update firmware')
  const version = await findByRole<HTMLSelectElement>('combobox', 'Firmware', dialog)
  await waitForFieldMessage(version, 'Compatible with 2 of 3 devices. The others are not updated.')
  assert.equal(version.selectedOptions[0]?.textContent, 'Ultra Encode AIO A 1.5.0')
  await waitForText('On air through these devices: News', dialog)
  assert.ok(!visibleText(dialog).includes('Sports'))
  await selectOption(version, /^Ultra Stream SDI/)
  await waitForText('On air through these devices: Sports', dialog)
  assert.ok(!visibleText(dialog).includes('News'))
  await selectOption(version, /^Ultra Encode AIO/)
  await startUpdate(dialog)
  await waitForText('Update queued: ')
  assert.equal((await storedRollouts())[0]?.total, 2)
})

test('without matching firmware no update can be started', async () => {
  await addOnlineDevices(1)
  await uploadFile(other, firmwareFile('streamSdi', '2.0.1'))
  await openFirmwareScreen(ROUTES.allDevices)
  await click(await findByRole('button', 'Actions: Hall 1'))
  await click(await findByRole('menuitem', 'Update firmware'))
  const dialog = await findByRole('dialog', 'Update firmware')
  const version = await findByRole('combobox', 'Firmware', dialog)
  await waitForFieldMessage(version, 'No compatible firmware: upload a .mwf file.')
  await startUpdate(dialog)
  await waitForFieldMessage(version, 'Required')
  assert.equal((await storedRollouts()).length, 0)
})

test('a rollout is paused, resumed, cancelled, retried and deleted', async () => {
  const serials = await addOnlineDevices(4)
  const [first = '', second = ''] = serials
  const file = await uploadFile(other, FILE)
  const { id } = await other.send(startRollout, { sn: serials, 'firmware-id': file, 'stop-after': 0 })
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.failed, 2)
  await openFirmwareScreen(linkTo('firmware', { tab: 'rollouts' }))
  const name = 'Ultra Encode AIO A 1.5.0'
  const offered = async () => {
    await click(await findByRole('button', `Actions: ${name}`))
    const items = queryAllByRole('menuitem').map(nameOf)
    await click(await findByRole('button', `Actions: ${name}`))
    return items
  }
  const steer = async (verb: string) => {
    await click(await findByRole('button', `Actions: ${name}`))
    await click(await findByRole('menuitem', verb))
  }
  await waitForText('In progress 0 of 4 done, 1 failed')
  assert.deepEqual(await offered(), ['Pause rollout', 'Retry failed', 'Cancel the rest'])
  await steer('Pause rollout')
  await waitForText('Paused 0 of 4')
  assert.deepEqual(await offered(), ['Resume rollout', 'Retry failed', 'Cancel the rest'])
  await steer('Resume rollout')
  await waitForText('In progress 0 of 4')
  await steer('Retry failed')
  await waitForText('0 of 4 done, 0 failed')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.updating)
  await steer('Cancel the rest')
  await waitForText('0 of 4 done, 3 failed')
  await click(await findByRole('button', `Details: ${name}`))
  await waitForText('Hall 1 Cancelled')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.idle)
  hub.parts.store.database.transaction(() => hub.parts.store.rollouts.setState(id, 'done', Date.now()))
  hub.parts.store.changes.markChanged('rollout', id)
  await waitForText('Done 1 of 4 done, 3 failed')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.failed)
  await waitForText('Completed with failures 0 of 4 done, 4 failed')
  await steer('Delete')
  await click(await findByRole('button', `Delete ${name}`, await findByRole('dialog', `Delete ${name}?`)))
  await waitForText('No rollouts yet')
  await findByRole('link', 'Choose devices')
})

test.run()
