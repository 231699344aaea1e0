import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../contract/device/device.ts'
import {
  cancelUpload,
  listFirmware,
  listRollouts,
  sendPiece,
  startRollout,
  UPDATE
} from '../../../contract/firmware.ts'
import { DEVICE_CONTROL, DEVICE_VIEW, FIRMWARE_VIEW } from '../../../contract/permissions.ts'
import { setDoor } from '../../../src/link/fetch-json.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { addFile, firmwareFile, type TestFile } from '../../kit/firmware.ts'
import { join } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { all, choose, click, drawn, fill, nameOf, none, one, says, saysOf, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('firmware')

hubForEach(test)

const FILE = firmwareFile('encodeAio', '1.5.0')

test.before.each(() => {
  // How devices take firmware is tested elsewhere: here they stay as the test says.
  hub.hub.firmware.rollouts.advance = (id) => hub.hub.store.changes.bump('rollout', id)
})

const row = (name: string) => one('row', name)
const rows = () => all('row').map(nameOf)
const open = (at: string = PLACES.firmware) => openConsole(hub, { at })
const files = async () => (await other.send(listFirmware, {})).list

/** Chooses a file to upload. */
async function upload({ name, bytes }: TestFile): Promise<void> {
  await one('button', 'Upload firmware')
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [new File([bytes], name, { lastModified: 1 })], configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
  await drawn()
}

/** Registers and accepts devices, which are there from then on. @returns their serials */
async function online(count: number): Promise<string[]> {
  const serials = register(hub, count)
  await other.send(acceptDevices, { sn: serials })
  for (const sn of serials) hub.hub.registry.up(sn)
  return serials
}

/** Has a device of a rollout be at a step. */
function step(id: number, sn: string, state: number, reason = 0): void {
  const { rollouts, database, changes } = hub.hub.store
  database.transaction(() => rollouts.setDevice(id, sn, state, reason, state > 0 ? 0 : Date.now()))
  changes.bump('rollout', id)
}

test('files are listed by product with version, hardware, time, size and name; test builds say that they are', async () => {
  await open()
  await says('No fitting firmware: upload a .mwf file.')
  await addFile(other, firmwareFile('encodeAio', '1.4.9'))
  await addFile(other, firmwareFile('encodeAio', '1.5.0', { test: true }))
  const last = firmwareFile('streamSdi', '2.0.1')
  await addFile(other, last)
  await row('Ultra Stream SDI')
  assert.deepEqual(rows(), ['Ultra Encode AIO', 'Ultra Encode AIO', 'Ultra Stream SDI'])
  assert.match(words(all('row')[0]), /^Ultra Encode AIO 1\.5\.0 Test build A .*\d 97\.9 KB/)
  assert.match(words(all('row')[1]), /^Ultra Encode AIO 1\.4\.9 A/)
  assert.match(words(all('row')[2]), new RegExp(`${last.name}$`))
})

test('a file is uploaded with its progress, and is then in the list', async () => {
  const console = await open()
  let held: (() => void) | undefined
  console.instead = (path) => {
    if (!path.includes(sendPiece.path) || held) return undefined
    return new Promise((resolve) => {
      held = () => resolve(undefined)
    })
  }
  await upload(FILE)
  await says('0 %')
  assert.ok(document.querySelector(`progress[aria-label="${FILE.name}"]`))
  await until(() => held !== undefined, 'a piece is on its way')
  await none('button', 'Upload firmware')
  held?.()
  await row('Ultra Encode AIO')
  await says('Operation succeeded')
  await until(() => !document.querySelector('progress'), 'the progress goes')
  await one('button', 'Upload firmware')
  assert.equal((await files()).length, 1)
})

test('an upload goes on by itself after a broken connection', async () => {
  const console = await open()
  console.instead = (path) => {
    if (path.includes(sendPiece.path)) console.cut()
    return undefined
  }
  await upload(FILE)
  await says('Connecting')
  console.instead = () => undefined
  console.mend()
  await row('Ultra Encode AIO')
})

test('an upload can be cancelled, and leaves nothing behind', async () => {
  const console = await open()
  let cancelled = false
  let go: (() => void) | undefined
  console.instead = (path) => {
    cancelled ||= path.includes(cancelUpload.path)
    if (!path.includes(sendPiece.path)) return undefined
    return new Promise((resolve) => {
      go = () => resolve(undefined)
    })
  }
  await upload(FILE)
  await until(() => go !== undefined, 'a piece is on its way')
  await click(await one('button', 'Cancel'))
  go?.()
  await until(() => !document.querySelector('progress') && cancelled, 'the upload is off')
  await until(() => hub.hub.firmware.folder.notes().length === 0, 'the hub has let go of it')
  assert.equal((await files()).length, 0)
})

test('what is no firmware is refused before a byte is sent; a damaged one, and one for which there is no room, with the reason', async () => {
  const console = await open()
  const asked: string[] = []
  console.instead = (path) => {
    asked.push(path)
    return undefined
  }
  await upload({ name: 'notes.txt', bytes: Buffer.from('hello') })
  await says('Invalid file')
  assert.ok(!asked.some((path) => path.includes(sendPiece.path)))
  await click(await one('button', 'Dismiss'))

  const bytes = Buffer.from(FILE.bytes)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await upload({ name: FILE.name, bytes })
  await says('Verification failed')
  await click(await one('button', 'Dismiss'))

  const message = 'Less than 50 MB of space\nFree some space first.'
  const space = { result: 29, 'free-size': 10 << 20, 'need-size': 100_000, 'keep-size': 50 << 20, message }
  console.instead = (path) => (path.includes('upload/start') ? Response.json(space) : undefined)
  await upload(FILE)
  await says('Less than 50 MB of space')
  console.instead = () => undefined
  await upload(FILE)
  await row('Ultra Encode AIO')
})

test('the same version again asks whether it takes the place of the one that is there', async () => {
  const id = await addFile(other, FILE)
  await open()
  await row('Ultra Encode AIO')
  const question = `Replace the version that is here by ${FILE.name}?`
  await upload(FILE)
  await click(await one('button', 'Cancel', await one('dialog', question)))
  await until(() => !document.querySelector('progress'), 'it is over')
  assert.equal((await files())[0]?.id, id)

  await upload(FILE)
  await click(await one('button', 'Upload firmware', await one('dialog', question)))
  await says('Operation succeeded')
  const [now, ...more] = await files()
  assert.notEqual(now?.id, id)
  assert.equal(more.length, 0)
})

test('a file that a rollout needs asks once more before it is deleted', async () => {
  const [sn = ''] = await online(1)
  const id = await addFile(other, FILE)
  await other.send(startRollout, { sn: [sn], 'firmware-id': id })
  await open()
  await click(await one('button', 'Delete: Ultra Encode AIO A 1.5.0'))
  await click(
    await one('button', 'Delete Ultra Encode AIO A 1.5.0', await one('dialog', 'Delete Ultra Encode AIO A 1.5.0?'))
  )
  await click(await one('button', 'Proceed anyway', await one('dialog', 'Occupied')))
  await says('No fitting firmware: upload a .mwf file.')
})

/** Opens the dialog for devices that are online, by the menu of the list in which a file's devices are chosen. */
async function upgrade(file: string, ...names: string[]): Promise<HTMLElement> {
  await click(await one('button', `Choose devices: ${file}`))
  for (const name of names) await click(await one('checkbox', `Select ${name}`))
  await click(await one('button', 'More'))
  await click(await one('menuitem', 'Update firmware'))
  return one('dialog', 'Update firmware')
}
const start = async (dialog: HTMLElement) => click(await one('button', 'Update firmware', dialog))
const rollouts = async () => (await other.send(listRollouts, {})).list

test('devices that a file is for are chosen, and a rollout of several leads to where it is followed', async () => {
  const [first = '', second = ''] = await online(3)
  await addFile(other, FILE)
  const newer = await addFile(other, firmwareFile('encodeAio', '1.6.0'))
  const console = await open()
  const dialog = await upgrade('Ultra Encode AIO A 1.5.0', 'Hall 1', 'Hall 2', 'Hall 3')
  const version = await one<HTMLSelectElement>('combobox', 'Firmware', dialog)
  assert.deepEqual(all('option', undefined, version).map(nameOf), [
    'Ultra Encode AIO A 1.6.0',
    'Ultra Encode AIO A 1.5.0'
  ])
  assert.equal(version.selectedOptions[0]?.textContent, 'Ultra Encode AIO A 1.5.0')
  await choose(version, 'Ultra Encode AIO A 1.6.0')
  const wave = await one('textbox', 'Devices at a time, after the first one', dialog)
  await fill(wave, '0')
  await start(dialog)
  await saysOf(wave, 'Must be between 1 and 1000')
  await fill(wave, '2')
  await start(dialog)
  await says('Operation succeeded')
  assert.equal(console.place(), link('firmware', { tab: 'rollouts' }))
  const [rollout] = await rollouts()
  assert.deepEqual([rollout?.first, rollout?.wave, rollout?.['stop-after'], rollout?.total], [1, 2, 1, 3])
  assert.equal(rollout?.['firmware-id'], newer)

  // Each device says where it is, and what the hub says is shown.
  const line = await row('Ultra Encode AIO A 1.6.0')
  assert.match(words(line), /Under way 0 of 3 done, 0 not Admin/)
  await click(await one('button', 'Details: Ultra Encode AIO A 1.6.0'))
  await says('Hall 1 Waiting 1.2.345')
  const { id } = rollout
  step(id, first, UPDATE.installing)
  await says(/Hall 1 Installing: \d+ %/)
  step(id, first, UPDATE.restarting)
  await says('Hall 1 Restarting')
  step(id, first, UPDATE.idle)
  await says('Hall 1 Updated')
  step(id, second, UPDATE.failed, 12)
  await says('Hall 2 Failed: The device is offline')
  await says('1 of 3 done, 1 not')
  // What failed stands first.
  await until(() => nameOf(all('link', /^Hall /)[0] as HTMLElement) === 'Hall 2', 'the failed one is the first')
})

test('from the devices that a file is for there is a way back to all of them', async () => {
  await online(2)
  const id = await addFile(other, FILE)
  const elsewhere = helloOf(3, { 'product-id': 1, 'module-name': 'Other' })
  hub.hub.registry.hello(elsewhere, '192.0.2.10')
  await other.send(acceptDevices, { sn: [elsewhere.sn] })
  await open(link('allDevices', { firmware: String(id) }))
  await row('Hall 2')
  assert.deepEqual(rows(), ['Hall 1', 'Hall 2'])
  await click(await one('button', 'Remove filter'))
  await until(() => rows().length === 3, 'all of them')
})

test('a test build is rolled out only by who has agreed to its disclaimer', async () => {
  await online(1)
  await addFile(other, firmwareFile('encodeAio', '1.5.0'))
  await addFile(other, firmwareFile('encodeAio', '1.6.0', { test: true }))
  await addFile(other, firmwareFile('encodeAio', '1.7.0', { test: true }))
  await open()
  const dialog = await upgrade('Ultra Encode AIO A 1.6.0', 'Hall 1')
  await says('This is a test build', dialog)
  await start(dialog)
  await says('Required', dialog)
  assert.equal((await rollouts()).length, 0)
  const agree = () => one<HTMLInputElement>('checkbox', 'I have read this and agree', dialog)
  await click(await agree())
  // Another file was not what was agreed to.
  const version = await one('combobox', 'Firmware', dialog)
  await choose(version, 'Ultra Encode AIO A 1.5.0')
  assert.equal(all('checkbox', undefined, dialog).length, 0)
  await choose(version, 'Ultra Encode AIO A 1.7.0')
  assert.equal((await agree()).checked, false)
  await click(await agree())
  await start(dialog)
  await none('dialog', 'Update firmware')
  assert.equal((await rollouts())[0]?.test, 1)
})

test('a lower version asks, and warns that data and settings may be lost', async () => {
  await online(2)
  await addFile(other, firmwareFile('encodeAio', '1.1.0'))
  await open()
  const dialog = await upgrade('Ultra Encode AIO A 1.1.0', 'Hall 1')
  await says('Version 1.1.0 is lower than the installed 1.2.345. Data and settings may be lost. Install it?', dialog)
  await start(dialog)
  await says('Required', dialog)
  assert.equal((await rollouts()).length, 0)
  await click(await one('checkbox', 'I have read this and agree', dialog))
  await start(dialog)
  await none('dialog')
  assert.equal((await rollouts())[0]?.total, 1)
})

test('devices that are left out are named with the reason, and can be tried again', async () => {
  const [, second = ''] = await online(2)
  await addFile(other, FILE)
  await open()
  const dialog = await upgrade('Ultra Encode AIO A 1.5.0', 'Hall 1', 'Hall 2')
  hub.hub.registry.down(second, 'gone')
  await start(dialog)
  await says('1 of 2 done, 1 not')
  await says('Hall 2 The device is offline')
  assert.equal((await rollouts())[0]?.total, 1)
  hub.hub.registry.up(second)
  await click(await one('button', 'Retry failed'))
  await none('dialog')
  assert.equal((await rollouts()).length, 2)
})

test('there is no update without firmware that fits', async () => {
  await online(1)
  await addFile(other, firmwareFile('streamSdi', '2.0.1'))
  await open(PLACES.allDevices)
  await click(await one('button', 'Actions: Hall 1'))
  await click(await one('menuitem', 'Update firmware'))
  const dialog = await one('dialog', 'Update firmware')
  const version = await one('combobox', 'Firmware', dialog)
  await saysOf(version, 'No fitting firmware: upload a .mwf file.')
  await start(dialog)
  await saysOf(version, 'Required')
  assert.equal((await rollouts()).length, 0)
})

test('a rollout is paused, gone on with, cancelled, what failed is tried again, and it is deleted', async () => {
  const serials = await online(4)
  const [first = '', second = ''] = serials
  const file = await addFile(other, FILE)
  const { id } = await other.send(startRollout, { sn: serials, 'firmware-id': file, 'stop-after': 0 })
  step(id, first, UPDATE.failed, 2)
  await open(link('firmware', { tab: 'rollouts' }))
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
  await says('Under way 0 of 4 done, 1 not')
  assert.deepEqual(await offered(), ['Pause rollout', 'Retry failed', 'Cancel the rest'])
  await steer('Pause rollout')
  await says('Paused 0 of 4')
  assert.deepEqual(await offered(), ['Resume rollout', 'Retry failed', 'Cancel the rest'])
  await steer('Resume rollout')
  await says('Under way 0 of 4')
  await steer('Retry failed')
  await says('0 of 4 done, 0 not')
  step(id, second, UPDATE.updating)
  await steer('Cancel the rest')
  await says('0 of 4 done, 3 not')
  await click(await one('button', `Details: ${name}`))
  await says('Hall 1 Cancelled')
  step(id, second, UPDATE.idle)
  hub.hub.store.database.transaction(() => hub.hub.store.rollouts.setState(id, 'done', Date.now()))
  hub.hub.store.changes.bump('rollout', id)
  await says('Done 1 of 4 done, 3 not')
  step(id, second, UPDATE.failed)
  await says('Ended with failures 0 of 4 done, 4 not')
  await steer('Delete')
  await click(await one('button', `Delete ${name}`, await one('dialog', `Delete ${name}?`)))
  await says('No rollout yet')
})

test('who may only look can neither upload, delete nor update; who may do nothing sees nothing', async () => {
  await addFile(other, FILE)
  join(hub, 'looker', FIRMWARE_VIEW | DEVICE_VIEW)
  join(hub, 'nobody', DEVICE_VIEW | DEVICE_CONTROL)
  await openConsole(hub, { user: 'looker', at: PLACES.firmware })
  await row('Ultra Encode AIO')
  for (const name of [
    'Upload firmware',
    'Delete: Ultra Encode AIO A 1.5.0',
    'Choose devices: Ultra Encode AIO A 1.5.0'
  ])
    assert.equal((await one('button', name)).getAttribute('data-tip'), 'You do not have operation permission', name)
  await closeConsole()
  await openConsole(hub, { user: 'nobody', at: PLACES.firmware })
  await says('You do not have access permission')
  await none('link', 'Device Firmware')
})

test('on the cloud variant there is no such place', async () => {
  const console = await open(PLACES.dashboard)
  await one('link', 'Device Firmware')
  setDoor({ hub: 'B123' })
  location.hash = `#${PLACES.firmware}`
  await says("Sorry, the page doesn't exist.")
  assert.equal(console.place(), PLACES.firmware)
})

test.run()
