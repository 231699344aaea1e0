import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../contract/device.ts'
import {
  cancelUpload,
  listFirmware,
  listRollouts,
  sendPiece,
  startRollout,
  UPDATE
} from '../../../contract/firmware.ts'
import { DEVICE_CONTROL, DEVICE_VIEW, FIRMWARE_VIEW } from '../../../contract/permissions.ts'
import { setDoor } from '../../../src/link/exchange.ts'
import { forgetUpload } from '../../../src/link/upload.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { register } from '../../kit/device.ts'
import { addFile, firmwareFile, type TestFile } from '../../kit/firmware.ts'
import { type Client, join, startHub, type TestHub } from '../../kit/hub.ts'
import { all, click, drawn, fill, nameOf, none, one, says, saysOf, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('firmware')

let hub: TestHub
/** Another administrator, elsewhere. */
let other: Client

const FILE = firmwareFile('encodeAio', '1.5.0')

test.before.each(async () => {
  hub = await startHub()
  other = hub.enter()
  // How devices take firmware is tested elsewhere: here they stay as the test says.
  hub.hub.firmware.rollouts.advance = () => {}
})
test.after.each(async () => {
  forgetUpload()
  await closeConsole()
  await hub.close()
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

test('files are listed by product with version, hardware, size and time; test builds say that they are', async () => {
  await addFile(other, firmwareFile('encodeAio', '1.4.9'))
  await addFile(other, firmwareFile('encodeAio', '1.5.0', { test: true }))
  await addFile(other, firmwareFile('streamSdi', '2.0.1'))
  await open()
  await row('Ultra Stream SDI')
  assert.deepEqual(rows(), ['Ultra Encode AIO', 'Ultra Encode AIO', 'Ultra Stream SDI'])
  assert.match(words(all('row')[0]), /^.*Ultra Encode AIO 1\.5\.0 Test build A 97\.9 KB/)
  assert.match(words(all('row')[1]), /Ultra Encode AIO 1\.4\.9 A/)
  await fill(await one('textbox', 'Search product or version'), '2.0')
  await until(() => rows().length === 1, 'the one that fits')
  await fill(await one('textbox', 'Search product or version'), 'nothing')
  await click(await one('button', 'Show all'))
  await until(() => rows().length === 3, 'all of them')
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
  await says('Uploading 0 B of')
  assert.ok(document.querySelector(`progress[aria-label="Upload of ${FILE.name}"]`))
  await until(() => held !== undefined, 'a piece is on its way')
  assert.equal((await one('button', 'Upload firmware')).getAttribute('data-tip'), 'One upload at a time')
  held?.()
  await row('Ultra Encode AIO')
  await says('Operation succeeded')
  await until(() => !document.querySelector('progress'), 'the progress goes')
  assert.equal((await files()).length, 1)
})

test('an upload goes on by itself after a broken connection', async () => {
  const console = await open()
  console.instead = (path) => {
    if (path.includes(sendPiece.path)) console.cut()
    return undefined
  }
  await upload(FILE)
  await says('The connection is broken. The upload goes on when it is back.')
  console.instead = () => undefined
  console.mend()
  await row('Ultra Encode AIO')
})

test('an upload can be cancelled, and leaves nothing behind', async () => {
  const console = await open()
  let cancelled = false
  let held = false
  console.instead = (path) => {
    cancelled ||= path.includes(cancelUpload.path)
    held ||= path.includes(sendPiece.path)
    return path.includes(sendPiece.path) ? new Promise(() => {}) : undefined
  }
  await upload(FILE)
  await until(() => held, 'a piece is on its way')
  await click(await one('button', 'Cancel'))
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
  await says('The name ends with .mwf')
  assert.ok(!asked.some((path) => path.includes('upload')))
  await click(await one('button', 'Dismiss'))

  const bytes = Buffer.from(FILE.bytes)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await upload({ name: FILE.name, bytes })
  await says('The file is damaged: its checksum does not fit.')
  await click(await one('button', 'Dismiss'))

  const space = { result: 29, 'free-size': 10 << 20, 'need-size': 100_000, 'keep-size': 50 << 20 }
  console.instead = (path) => (path.includes('upload/start') ? Response.json(space) : undefined)
  await upload(FILE)
  await says('Less than 50 MB of space')
  await says('10 MB are free, 97.7 KB are needed, and 50 MB must stay free.')
  console.instead = () => undefined
  await click(await one('button', 'Retry'))
  await row('Ultra Encode AIO')
})

test('the same version again asks whether it takes the place of the one that is there', async () => {
  const id = await addFile(other, FILE)
  await open()
  await row('Ultra Encode AIO')
  await upload(FILE)
  const first = await one('dialog', `Replace ${FILE.name}?`)
  await click(await one('button', 'Cancel', first))
  await until(() => !document.querySelector('progress'), 'it is over')
  assert.equal((await files())[0]?.id, id)

  await upload(FILE)
  await click(await one('button', 'Replace', await one('dialog', `Replace ${FILE.name}?`)))
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
  await click(await one('button', 'Delete: Ultra Encode AIO 1.5.0'))
  await click(await one('button', 'Delete', await one('dialog', 'Delete Ultra Encode AIO 1.5.0?')))
  await click(await one('button', 'Proceed anyway', await one('dialog', 'Occupied')))
  await says('No firmware yet')
})

test('devices that a file is for are chosen, and a rollout of several leads to its page', async () => {
  const [first = ''] = await online(3)
  await addFile(other, FILE)
  const console = await open()
  await click(await one('button', 'Update devices: Ultra Encode AIO 1.5.0'))
  await row('Hall 3')
  assert.deepEqual(rows(), ['Hall 1', 'Hall 2', 'Hall 3'])
  await click(await one('checkbox', 'Select all'))
  await click(await one('button', 'Update 3 devices'))
  const dialog = await one('dialog', 'Update 3 devices')
  await says('Firmware: Ultra Encode AIO 1.5.0', dialog)
  const wave = await one('textbox', 'Devices of each further wave', dialog)
  await fill(wave, '0')
  await click(await one('button', 'Update', dialog))
  await saysOf(wave, 'Must be between 1 and 1,000'.replace(',', ''))
  await fill(wave, '2')
  await click(await one('button', 'Update', dialog))
  await says('First 1, then 2 at a time; stops once 1 failed.')
  const [rollout] = (await other.send(listRollouts, {})).list
  assert.equal(console.place(), link('firmware', { tab: 'rollouts', rollout: String(rollout?.id) }))
  assert.deepEqual([rollout?.first, rollout?.wave, rollout?.['stop-after'], rollout?.total], [1, 2, 1, 3])
  assert.deepEqual(rows(), ['Hall 1', 'Hall 2', 'Hall 3'])

  // Each device says where it is, and what the hub says is shown.
  step(rollout?.id ?? 0, first, UPDATE.installing)
  await says(/Hall 1 Installing: \d+ %/)
  step(rollout?.id ?? 0, first, UPDATE.restarting)
  await says('Hall 1 Restarting')
  step(rollout?.id ?? 0, first, UPDATE.idle)
  await says('Hall 1 Updated')
  await says('1 of 3 updated')
})

test('a test build is rolled out only by who has agreed to its disclaimer', async () => {
  await online(1)
  await addFile(other, firmwareFile('encodeAio', '1.6.0', { test: true }))
  await open()
  await click(await one('button', 'Update devices: Ultra Encode AIO 1.6.0'))
  await click(await one('button', 'Update: Hall 1'))
  const dialog = await one('dialog', 'Update Hall 1')
  await says('This is a test build.', dialog)
  await click(await one('button', 'Update', dialog))
  await says('Required', dialog)
  assert.equal((await other.send(listRollouts, {})).total, 0)
  await click(await one('checkbox', 'I have read this and want to use it', dialog))
  await click(await one('button', 'Update', dialog))
  await none('dialog', 'Update Hall 1')
  assert.equal((await other.send(listRollouts, {})).total, 1)
})

test('a lower version asks, and warns that data and settings may be lost', async () => {
  await online(2)
  await addFile(other, firmwareFile('encodeAio', '1.1.0'))
  await open()
  await click(await one('button', 'Update devices: Ultra Encode AIO 1.1.0'))
  await click(await one('button', 'Update: Hall 1'))
  await click(await one('button', 'Update', await one('dialog', 'Update Hall 1')))
  const question = await one('dialog', 'Install a lower version?')
  await says('Version 1.1.0 is lower than the installed 1.2.345. Data and settings may be lost. Install it?', question)
  await click(await one('button', 'Cancel', question))
  await none('dialog', 'Install a lower version?')
  assert.equal((await other.send(listRollouts, {})).total, 0)
  await click(await one('button', 'Update', await one('dialog', 'Update Hall 1')))
  await click(await one('button', 'Install', await one('dialog', 'Install a lower version?')))
  await none('dialog')
  assert.equal((await other.send(listRollouts, {})).list[0]?.total, 1)
})

test('devices that are left out are named with the reason', async () => {
  const [, second = ''] = await online(2)
  await addFile(other, FILE)
  await open()
  await click(await one('button', 'Update devices: Ultra Encode AIO 1.5.0'))
  await row('Hall 2')
  await click(await one('checkbox', 'Select all'))
  hub.hub.registry.down(second, 'gone')
  await click(await one('button', 'Update 2 devices'))
  await click(await one('button', 'Update', await one('dialog', 'Update 2 devices')))
  await says('Not updated')
  await says('Hall 2: The device is offline')
  const [rollout] = (await other.send(listRollouts, {})).list
  assert.equal(rollout?.total, 1)
  await says('Hall 1 Waiting')
})

test('a rollout is paused, gone on with, cancelled, and what failed tried again', async () => {
  const serials = await online(4)
  const [first = '', second = ''] = serials
  const file = await addFile(other, FILE)
  const { id } = await other.send(startRollout, { sn: serials, 'firmware-id': file, 'stop-after': 0 })
  step(id, first, UPDATE.failed, 2)
  await open(link('firmware', { tab: 'rollouts' }))
  await says('0 of 4 updated, 1 failed')
  await click(await one('link', 'Ultra Encode AIO 1.5.0'))
  await says('3 waiting, 0 under way, 0 updated, 1 failed, 0 cancelled')
  await says('Hall 1 Update failed')
  await click(await one('button', 'Pause'))
  await says('Paused')
  await click(await one('button', 'Go on'))
  await none('button', 'Go on')
  await click(await one('button', 'Retry: Hall 1'))
  await says('4 waiting, 0 under way, 0 updated, 0 failed, 0 cancelled')
  step(id, second, UPDATE.updating)
  await click(await one('button', 'Cancel the rest'))
  await click(await one('button', 'Cancel the rest', await one('dialog', 'Cancel what has not started?')))
  await says('0 waiting, 1 under way, 0 updated, 0 failed, 3 cancelled')
  await says('Hall 1 Cancelled')
  await click(await one('button', 'Retry failed'))
  await says('3 waiting, 1 under way, 0 updated, 0 failed, 0 cancelled')
})

test('a rollout that is no more says so', async () => {
  await open(link('firmware', { tab: 'rollouts', rollout: '99' }))
  await says('This rollout is no more')
  await click(await one('link', 'All rollouts'))
  await says('No rollout yet')
})

test('what is for one device is listed alone, on request', async () => {
  const [sn = ''] = await online(1)
  await addFile(other, FILE)
  await addFile(other, firmwareFile('streamSdi', '2.0.1'))
  await open(link('firmware', { sn }))
  await says(`For device ${sn}`)
  await until(() => rows().join() === 'Ultra Encode AIO', 'what is for it')
  await click(await one('button', 'Show all'))
  await until(() => rows().length === 2, 'all of them')
})

test('who may only look can neither upload, delete nor update; who may do nothing sees nothing', async () => {
  await addFile(other, FILE)
  join(hub, 'looker', FIRMWARE_VIEW | DEVICE_VIEW)
  join(hub, 'nobody', DEVICE_VIEW | DEVICE_CONTROL)
  await openConsole(hub, { user: 'looker', at: PLACES.firmware })
  await row('Ultra Encode AIO')
  for (const name of ['Upload firmware', 'Delete: Ultra Encode AIO 1.5.0', 'Update devices: Ultra Encode AIO 1.5.0'])
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
