import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { DEVICE_UPDATE_STATE, startRollout } from '../../../../contract/firmware.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { helloOf } from '../../../kit/device.ts'
import { addFile, firmwareFile } from '../../../kit/firmware.ts'
import {
  addOnlineDevices,
  FILE,
  openFirmwareScreen,
  openUpgradeDialog,
  setDeviceStep,
  startUpdate,
  storedRollouts
} from '../../../kit/firmware-screen.ts'
import { hub, hubForEach, other } from '../../../kit/hub-for-each.ts'
import { all, choose, click, fill, nameOf, none, one, says, saysOf, words } from '../../../kit/page.ts'
import { row, rowNames } from '../../../kit/rows.ts'
import { until } from '../../../kit/until.ts'

const test = suite('firmware rollouts')

hubForEach(test)

test.before.each(() => {
  // Stubs the transfer of firmware to devices, which other tests cover: the test sets the state of each device.
  hub.context.firmware.rollouts.resumeRollout = (id) => hub.context.store.changes.markChanged('rollout', id)
})

test('devices for a file are selected, and a rollout to several of them opens the list of rollouts', async () => {
  const [first = '', second = ''] = await addOnlineDevices(3)
  await addFile(other, FILE)
  const newer = await addFile(other, firmwareFile('encodeAio', '1.6.0'))
  const console = await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.5.0', 'Hall 1', 'Hall 2', 'Hall 3')
  const version = await one<HTMLSelectElement>('combobox', 'Firmware', dialog)
  assert.deepEqual(all('option', undefined, version).map(nameOf), [
    'Ultra Encode AIO A 1.6.0',
    'Ultra Encode AIO A 1.5.0'
  ])
  assert.equal(version.selectedOptions[0]?.textContent, 'Ultra Encode AIO A 1.5.0')
  await choose(version, 'Ultra Encode AIO A 1.6.0')
  const wave = await one('textbox', 'Devices at a time, after the first one', dialog)
  await fill(wave, '0')
  await startUpdate(dialog)
  await saysOf(wave, 'Must be between 1 and 1000')
  await fill(wave, '2')
  await startUpdate(dialog)
  await says('Operation succeeded')
  assert.equal(console.place(), linkTo('firmware', { tab: 'rollouts' }))
  const [rollout] = await storedRollouts()
  assert.deepEqual([rollout?.first, rollout?.wave, rollout?.['stop-after'], rollout?.total], [1, 2, 1, 3])
  assert.equal(rollout?.['firmware-id'], newer)

  // The state of each device is shown in the words of the hub.
  const line = await row('Ultra Encode AIO A 1.6.0')
  assert.match(words(line), /In progress 0 of 3 done, 0 failed Admin/)
  await click(await one('button', 'Details: Ultra Encode AIO A 1.6.0'))
  await says('Hall 1 Waiting 1.2.345')
  const { id } = rollout
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.installing)
  await says(/Hall 1 Installing: \d+ %/)
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.restarting)
  await says('Hall 1 Restarting')
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.idle)
  await says('Hall 1 Updated')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.failed, 12)
  await says('Hall 2 Failed: The device is offline')
  await says('1 of 3 done, 1 failed')
  // Failed devices are listed first.
  await until(() => nameOf(all('link', /^Hall /)[0] as HTMLElement) === 'Hall 2', 'the failed one is the first')
})

test('the list of devices for a file has a link back to all devices', async () => {
  await addOnlineDevices(2)
  const id = await addFile(other, FILE)
  const elsewhere = helloOf(3, { 'product-id': 1, 'module-name': 'Other' })
  hub.context.registry.register(elsewhere, '192.0.2.10')
  await other.send(acceptDevices, { sn: [elsewhere.sn] })
  await openFirmwareScreen(linkTo('allDevices', { firmware: String(id) }))
  await row('Hall 2')
  assert.deepEqual(rowNames(), ['Hall 1', 'Hall 2'])
  await click(await one('button', 'Remove filter'))
  await until(() => rowNames().length === 3, 'all of them')
})

test('a test build requires consent to its disclaimer', async () => {
  await addOnlineDevices(1)
  await addFile(other, firmwareFile('encodeAio', '1.5.0'))
  await addFile(other, firmwareFile('encodeAio', '1.6.0', { test: true }))
  await addFile(other, firmwareFile('encodeAio', '1.7.0', { test: true }))
  await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.6.0', 'Hall 1')
  await says('This is a test build', dialog)
  await startUpdate(dialog)
  await says('Required', dialog)
  assert.equal((await storedRollouts()).length, 0)
  const agree = () => one<HTMLInputElement>('checkbox', 'I have read this and agree', dialog)
  await click(await agree())
  // The consent does not hold for another file.
  const version = await one('combobox', 'Firmware', dialog)
  await choose(version, 'Ultra Encode AIO A 1.5.0')
  assert.equal(all('checkbox', undefined, dialog).length, 0)
  await choose(version, 'Ultra Encode AIO A 1.7.0')
  assert.equal((await agree()).checked, false)
  await click(await agree())
  await startUpdate(dialog)
  await none('dialog', 'Update firmware')
  assert.equal((await storedRollouts())[0]?.test, 1)
})

test('a lower version warns that data and settings may be lost, and requires consent', async () => {
  await addOnlineDevices(2)
  await addFile(other, firmwareFile('encodeAio', '1.1.0'))
  await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.1.0', 'Hall 1')
  await says('Version 1.1.0 is lower than the installed 1.2.345. Data and settings may be lost. Install it?', dialog)
  await startUpdate(dialog)
  await says('Required', dialog)
  assert.equal((await storedRollouts()).length, 0)
  await click(await one('checkbox', 'I have read this and agree', dialog))
  await startUpdate(dialog)
  await none('dialog')
  assert.equal((await storedRollouts())[0]?.total, 1)
})

test('devices that are left out are listed with the reason, and can be retried', async () => {
  const [, second = ''] = await addOnlineDevices(2)
  await addFile(other, FILE)
  await openFirmwareScreen()
  const dialog = await openUpgradeDialog('Ultra Encode AIO A 1.5.0', 'Hall 1', 'Hall 2')
  hub.context.registry.setOffline(second, 'gone')
  await startUpdate(dialog)
  await says('1 of 2 done, 1 failed')
  await says('Hall 2 The device is offline')
  assert.equal((await storedRollouts())[0]?.total, 1)
  hub.context.registry.setOnline(second)
  await click(await one('button', 'Retry failed'))
  await none('dialog')
  assert.equal((await storedRollouts()).length, 2)
})

test('without matching firmware no update can be started', async () => {
  await addOnlineDevices(1)
  await addFile(other, firmwareFile('streamSdi', '2.0.1'))
  await openFirmwareScreen(ROUTES.allDevices)
  await click(await one('button', 'Actions: Hall 1'))
  await click(await one('menuitem', 'Update firmware'))
  const dialog = await one('dialog', 'Update firmware')
  const version = await one('combobox', 'Firmware', dialog)
  await saysOf(version, 'No matching firmware: upload a .mwf file.')
  await startUpdate(dialog)
  await saysOf(version, 'Required')
  assert.equal((await storedRollouts()).length, 0)
})

test('a rollout is paused, resumed, cancelled, retried and deleted', async () => {
  const serials = await addOnlineDevices(4)
  const [first = '', second = ''] = serials
  const file = await addFile(other, FILE)
  const { id } = await other.send(startRollout, { sn: serials, 'firmware-id': file, 'stop-after': 0 })
  setDeviceStep(id, first, DEVICE_UPDATE_STATE.failed, 2)
  await openFirmwareScreen(linkTo('firmware', { tab: 'rollouts' }))
  const name = 'Ultra Encode AIO A 1.5.0'
  const offered = async () => {
    await click(await one('button', `Actions: ${name}`))
    const items = all('menuitem').map(nameOf)
    await click(await one('button', `Actions: ${name}`))
    return items
  }
  const steer = async (verb: string) => {
    await click(await one('button', `Actions: ${name}`))
    await click(await one('menuitem', verb))
  }
  await says('In progress 0 of 4 done, 1 failed')
  assert.deepEqual(await offered(), ['Pause rollout', 'Retry failed', 'Cancel the rest'])
  await steer('Pause rollout')
  await says('Paused 0 of 4')
  assert.deepEqual(await offered(), ['Resume rollout', 'Retry failed', 'Cancel the rest'])
  await steer('Resume rollout')
  await says('In progress 0 of 4')
  await steer('Retry failed')
  await says('0 of 4 done, 0 failed')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.updating)
  await steer('Cancel the rest')
  await says('0 of 4 done, 3 failed')
  await click(await one('button', `Details: ${name}`))
  await says('Hall 1 Cancelled')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.idle)
  hub.context.store.database.transaction(() => hub.context.store.rollouts.setState(id, 'done', Date.now()))
  hub.context.store.changes.markChanged('rollout', id)
  await says('Done 1 of 4 done, 3 failed')
  setDeviceStep(id, second, DEVICE_UPDATE_STATE.failed)
  await says('Ended with failures 0 of 4 done, 4 failed')
  await steer('Delete')
  await click(await one('button', `Delete ${name}`, await one('dialog', `Delete ${name}?`)))
  await says('No rollout yet')
})

test.run()
