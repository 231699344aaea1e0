import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, TARGET_TIMEOUT } from '../../../../contract/codes.ts'
import { listGenerations } from '../../../../hub/devices/address/logins.ts'
import { createSession } from '../../../../hub/devices/address/session.ts'
import type { FileUpload } from '../../../../hub/devices/link/upload.ts'
import { type HttpDevice, startHttpDevice } from '../../../kit/fleet/http-device.ts'
import { firmwareFile } from '../../../kit/hub/firmware-upload.ts'

const test = suite('file upload to devices at addresses')
let folder: string
let box: HttpDevice
test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'send-'))
  box = await startHttpDevice('encodeAio')
})
test.after.each(async () => {
  await box.close()
  rmSync(folder, { recursive: true })
})

function session() {
  const [generation] = listGenerations()
  assert.ok(generation)
  const { user, password, port } = box
  const resolveEndpoint = async () => ({ ip: '127.0.0.1', name: 'localhost', port, https: false, cert: '' })
  return createSession({ generation, user, password, sn: '', resolveEndpoint, timeout: 5000 })
}

/** A firmware file of `size` bytes for the model of the device. */
function fileOf(size: number): FileUpload {
  const { name, bytes } = firmwareFile('encodeAio', '1.4.300', { size })
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return { path: '/usapi?method=upload-update-file', file, size: bytes.length, name }
}

const TIMEOUTS = { stallTimeout: 5000, responseTimeout: 5000 }

test('a file arrives complete, within a session, and progress is reported', async () => {
  const call = fileOf(3_000_000)
  const progress: number[] = []
  const { status, body } = await session().upload(call, { ...TIMEOUTS, onProgress: (bytes) => progress.push(bytes) })
  assert.equal(status, 200)
  assert.equal(JSON.parse(body.toString()).result, 0)
  assert.equal(box.appliance.upgrader.file?.version, '1.4.300')
  assert.equal(progress.at(-1), call.size)
  assert.ok(progress.length > 10)
})

test('if the device has dropped the session, the file is sent again', async () => {
  const deviceSession = session()
  await deviceSession.request({ method: 'GET', path: '/usapi?method=get-info' }, 1000)
  box.signOut()
  const { body } = await deviceSession.upload(fileOf(100_000), { ...TIMEOUTS, onProgress() {} })
  assert.equal(JSON.parse(body.toString()).result, 0)
})

test('an upload fails if the device does not respond, and if it is aborted', async () => {
  box.override = (path) => (path.includes('upload') ? 'silence' : undefined)
  const small = fileOf(100_000)
  const timeouts = { stallTimeout: 300, responseTimeout: 150, onProgress() {} }
  await assert.rejects(session().upload(small, timeouts), { code: TARGET_TIMEOUT })
  const abort = new AbortController()
  const waiting = session().upload(small, { ...TIMEOUTS, onProgress: () => abort.abort(), signal: abort.signal })
  await assert.rejects(waiting, { code: CLIENT_OFFLINE })
  await box.close()
  await assert.rejects(session().upload(small, { ...TIMEOUTS, onProgress() {} }))
})

test.run()
