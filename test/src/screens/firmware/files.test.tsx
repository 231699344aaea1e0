import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_CONTROL, DEVICE_VIEW, FIRMWARE_VIEW } from '../../../../contract/access/permissions.ts'
import { NO_SPACE } from '../../../../contract/codes.ts'
import { cancelUpload, finishUpload, startUpload, uploadChunk } from '../../../../contract/firmware.ts'
import { startRollout } from '../../../../contract/rollout.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import {
  addOnlineDevices,
  FILE,
  openFirmwareScreen,
  selectFile,
  storedFiles
} from '../../../kit/console/firmware-screen.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { readMenu } from '../../../kit/console/menu.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { findRow, rowNames } from '../../../kit/console/table-rows.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('firmware files')

hubForEach(test)

test.before.each(() => {
  // Stubs the transfer of firmware to devices, which other tests cover: the test sets the state of each device.
  hub.parts.firmware.rollouts.resumeRollout = (id) => hub.parts.store.changes.markChanged('rollout', id)
})

test('files are listed by product with version, hardware, time, size and name; test builds are marked', async () => {
  await openFirmwareScreen()
  await waitForText('No firmware yet: upload a .mwf file.')
  await uploadFile(other, firmwareFile('encodeAio', '1.4.9'))
  await uploadFile(other, firmwareFile('encodeAio', '1.5.0', { test: true }))
  const last = firmwareFile('streamSdi', '2.0.1')
  await uploadFile(other, last)
  await findRow('Ultra Stream SDI')
  assert.deepEqual(rowNames(), ['Ultra Encode AIO', 'Ultra Encode AIO', 'Ultra Stream SDI'])
  assert.match(visibleText(queryAllByRole('row')[0]), /^Ultra Encode AIO 1\.5\.0 Test build A .*\d 97\.9 KB/)
  assert.match(visibleText(queryAllByRole('row')[1]), /^Ultra Encode AIO 1\.4\.9 A/)
  assert.match(visibleText(queryAllByRole('row')[2]), new RegExp(`${last.name} Choose devices$`))
})

test('a file is uploaded with its progress, and is then in the list', async () => {
  const console = await openFirmwareScreen()
  let releaseChunk: (() => void) | undefined
  let releaseCheck: (() => void) | undefined
  console.intercept = (path) =>
    new Promise((resolve) => {
      const release = () => resolve(undefined)
      if (path.includes(uploadChunk.path) && !releaseChunk) releaseChunk = release
      else if (path.includes(finishUpload.path)) releaseCheck = release
      else release()
    })
  await selectFile(FILE)
  await waitForText('0 %')
  assert.ok(document.querySelector(`progress[aria-label="${FILE.name}"]`))
  await until(() => releaseChunk !== undefined, 'a chunk in transit')
  await waitForNone('button', 'Upload firmware')
  assert.ok(!visibleText().includes('Verifying'))
  releaseChunk?.()
  await waitForText('Verifying')
  await until(() => releaseCheck !== undefined, 'the hub shall check the file')
  releaseCheck?.()
  await findRow('Ultra Encode AIO')
  await waitForText(`${FILE.name} added Open`)
  await until(() => !document.querySelector('progress'), 'the progress bar is removed')
  await findByRole('button', 'Upload firmware')
  assert.equal((await storedFiles()).length, 1)
})

test('an upload resumes after a broken connection', async () => {
  const console = await openFirmwareScreen()
  console.intercept = (path) => {
    if (path.includes(uploadChunk.path)) console.disconnect()
    return undefined
  }
  await selectFile(FILE)
  await waitForText('Connecting')
  console.intercept = () => undefined
  console.reconnect()
  await findRow('Ultra Encode AIO')
})

test('an upload can be cancelled, and its file is deleted', async () => {
  const console = await openFirmwareScreen()
  let cancelled = false
  let go: (() => void) | undefined
  console.intercept = (path) => {
    cancelled ||= path.includes(cancelUpload.path)
    if (!path.includes(uploadChunk.path)) return undefined
    return new Promise((resolve) => {
      go = () => resolve(undefined)
    })
  }
  await selectFile(FILE)
  await until(() => go !== undefined, 'a chunk in transit')
  await click(await findByRole('button', 'Cancel'))
  go?.()
  await until(() => !document.querySelector('progress') && cancelled, 'the upload is canceled')
  await until(() => hub.parts.firmware.folder.listUploads().length === 0, 'the hub has released the upload')
  assert.equal((await storedFiles()).length, 0)
  // The same file can be uploaded again.
  console.intercept = () => undefined
  await selectFile(FILE)
  await findRow('Ultra Encode AIO')
})

test('a file that is no firmware is refused before a byte is sent; a damaged or too large one is refused with the reason', async () => {
  const console = await openFirmwareScreen()
  const requests: string[] = []
  console.intercept = (path) => {
    requests.push(path)
    return undefined
  }
  await selectFile({ name: 'notes.txt', bytes: Buffer.from('hello') })
  await waitForText('Invalid file')
  const uploads = [startUpload.path, uploadChunk.path]
  assert.ok(!requests.some((path) => uploads.some((upload) => path.includes(upload))))
  await click(await findByRole('button', 'Dismiss'))

  const bytes = Buffer.from(FILE.bytes)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await selectFile({ name: FILE.name, bytes })
  await waitForText('Verification failed')
  await click(await findByRole('button', 'Dismiss'))

  const message = 'Less than 50 MB free\nFree some space first.'
  const space = { result: NO_SPACE, 'free-size': 10 << 20, 'need-size': 100_000, 'keep-size': 50 << 20, message }
  console.intercept = (path) => (path.includes('upload/start') ? Response.json(space) : undefined)
  await selectFile(FILE)
  await waitForText('Less than 50 MB free')
  console.intercept = () => undefined
  await selectFile(FILE)
  await findRow('Ultra Encode AIO')
})

test('uploading the same version again asks whether to replace the stored one', async () => {
  const id = await uploadFile(other, FILE)
  await openFirmwareScreen()
  await findRow('Ultra Encode AIO')
  const question = `Replace the stored version with ${FILE.name}?`
  await selectFile(FILE)
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', question)))
  await until(() => !document.querySelector('progress'), 'the action has ended')
  assert.equal((await storedFiles())[0]?.id, id)

  await selectFile(FILE)
  await click(await findByRole('button', 'Upload firmware', await findByRole('dialog', question)))
  await waitForText(`${FILE.name} added Open`)
  const [now, ...more] = await storedFiles()
  assert.notEqual(now?.id, id)
  assert.equal(more.length, 0)
})

test('deleting a file that a rollout needs asks for a second confirmation', async () => {
  const [sn = ''] = await addOnlineDevices(1)
  const id = await uploadFile(other, FILE)
  await other.send(startRollout, { sn: [sn], 'firmware-id': id })
  await openFirmwareScreen()
  await click(await findByRole('button', 'Delete: Ultra Encode AIO A 1.5.0'))
  await click(
    await findByRole(
      'button',
      'Delete Ultra Encode AIO A 1.5.0',
      await findByRole('dialog', 'Delete Ultra Encode AIO A 1.5.0?')
    )
  )
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog', 'Occupied')))
  await waitForText('No firmware yet: upload a .mwf file.')
})

test('a user who may only view cannot upload, delete or update; a user without permission sees nothing', async () => {
  await uploadFile(other, FILE)
  addSignedInUser(hub, 'looker', FIRMWARE_VIEW | DEVICE_VIEW)
  addSignedInUser(hub, 'nobody', DEVICE_VIEW | DEVICE_CONTROL)
  await openConsole(hub, { user: 'looker', at: ROUTES.firmware })
  await findRow('Ultra Encode AIO')
  for (const name of ['Upload firmware', 'Delete: Ultra Encode AIO A 1.5.0', 'Choose devices'])
    await waitForNone('button', name)
  await closeConsole()
  await openConsole(hub, { user: 'nobody', at: ROUTES.firmware })
  await waitForText('You do not have access permission')
  assert.ok(!(await readMenu()).Settings?.includes('Device firmware'))
})

test.run()
