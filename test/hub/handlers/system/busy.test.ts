// Restart, shutdown and reset of a hub that is at work: refused while firmware is written to a device or an update is
// on trial, and asked about while uploads are incomplete. The machine itself is not restarted
// (test/hub/machine/logind.test.ts).
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { Envelope } from '../../../../contract/call.ts'
import { DATA_LOSS, DEVICE_BUSY, SUCCESS } from '../../../../contract/codes.ts'
import { finishUpload, startUpload } from '../../../../contract/firmware.ts'
import { getPower, rebootHub, rebootSystem, resetSettings, shutDownSystem } from '../../../../contract/machine/power.ts'
import { upgradeDevices } from '../../../../contract/rollout.ts'
import { confirmUpdate, startUpdate, type UploadedUpdate } from '../../../../contract/update.ts'
import { DEVELOPMENT_KEY } from '../../../../pack/keys.ts'
import { createUpdateFixture, TIMING, type UpdateFixture } from '../../../kit/fleet/update-fixture.ts'
import { createTestUpdate, createUpdateForm, writeConsole } from '../../../kit/hub/console-update.ts'
import { firmwareFile, sendChunk, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { md5 } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('restart of a hub at work')

const folder = mkdtempSync(join(tmpdir(), 'headend-busy-'))
const data = join(folder, 'data')
const dist = join(folder, 'dist')
writeConsole('0', dist)
test.after(() => rmSync(folder, { recursive: true, force: true }))

let restarts = 0
/** What logind was asked for. */
let begun: string[]

hubForEach(test, {
  data,
  dist,
  consoleUpdater: { trusted: [DEVELOPMENT_KEY] },
  firmware: { timing: TIMING },
  restart: () => void restarts++
})
test.before.each(async () => {
  begun = []
  // A reset checks the ports of the hub.
  await hub.listen(0, 0)
  // As with a logind that lets the hub do it.
  Object.assign(hub.parts.machine.power, {
    requirePossible: async () => {},
    begin: (action: string) => begun.push(action) > 0
  })
})
test.after.each(() => rmSync(data, { recursive: true, force: true }))

const RESET = { name: hostname(), pass: md5('Admin') }

/** Sends each of the calls. @returns their responses */
async function tryAll(force = true): Promise<Envelope[]> {
  const responses: Envelope[] = []
  for (const call of [rebootSystem, rebootHub, shutDownSystem]) responses.push(await admin.send(call, { force }))
  return [...responses, await admin.send(resetSettings, { ...RESET, force })]
}

async function requireRefused(sentence: string): Promise<void> {
  for (const { result, message } of await tryAll())
    assert.deepEqual([result, message], [DEVICE_BUSY, `Reboot busy\n${sentence}`])
  assert.equal((await admin.send(getPower, {})).busy, sentence)
  assert.deepEqual([begun, restarts], [[], 0])
}

test('while firmware is written to a device, a restart, a shutdown and a reset are refused', async () => {
  const fleet: UpdateFixture = await createUpdateFixture()
  const [sn = ''] = await fleet.start('encodeAio', 1, { reboot: 100, install: 6000 })
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  await until(async () => (await admin.send(getPower, {})).busy !== undefined, 'the update runs')
  await requireRefused('Firmware is being written to devices. Try again when the updates have ended, or cancel them.')
  await fleet.waitForEnd(id, 'done')
  assert.equal((await admin.send(rebootSystem, {})).result, SUCCESS)
  assert.deepEqual(begun, ['reboot'])
  fleet.close()
})

test('while a console update is on trial they are refused; one that is only uploaded does not matter', async () => {
  const form = createUpdateForm(createTestUpdate('1'))
  const uploaded = (await (await admin.post('/api/update/upload', form)).json()) as Envelope & UploadedUpdate
  assert.equal((await admin.send(getPower, {})).busy, undefined)
  assert.equal((await admin.send(startUpdate, { id: uploaded.id, force: true })).result, SUCCESS)
  await requireRefused('The hub is being updated. Try again when the update has ended.')
  assert.equal((await admin.send(confirmUpdate, { script: 'app-11111111.js' })).result, SUCCESS)
  assert.equal((await admin.send(shutDownSystem, {})).result, SUCCESS)
  assert.deepEqual(begun, ['shutdown'])
})

test('incomplete uploads are named in the question before a restart and a reset, until they are complete', async () => {
  const { name, bytes } = firmwareFile('encodeAio', '1.5.0')
  const { upload } = await admin.send(startUpload, { name, size: bytes.length })
  await sendChunk(admin, upload, 0, bytes.subarray(0, 1000))
  assert.deepEqual((await admin.send(getPower, {})).uploads, [name])
  for (const { result, ...response } of await tryAll(false))
    assert.deepEqual([result, response['owner-i']], [DATA_LOSS, [name]])
  assert.deepEqual([begun, restarts], [[], 0])
  await sendChunk(admin, upload, 1000, bytes.subarray(1000))
  assert.equal((await admin.send(finishUpload, { upload, add: true, force: false })).result, SUCCESS)
  assert.deepEqual((await admin.send(getPower, {})).uploads, [])
  assert.equal((await admin.send(rebootHub, {})).result, SUCCESS)
  assert.deepEqual(begun, ['reboot'])
})

test('a user who accepts the loss of incomplete uploads can restart and reset', async () => {
  const { name, bytes } = firmwareFile('encodeAio', '1.5.0')
  await admin.send(startUpload, { name, size: bytes.length })
  assert.equal((await admin.send(rebootSystem, { force: true })).result, SUCCESS)
  assert.equal((await admin.send(resetSettings, { ...RESET, force: true })).result, SUCCESS)
  await until(() => restarts === 1, 'the hub is restarted for the reset')
  assert.deepEqual(begun, ['reboot'])
})

test.run()
