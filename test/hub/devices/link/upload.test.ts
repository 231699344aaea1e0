// Uploads of files to a device over its link.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerHttp2Stream } from 'node:http2'
import { performServerHandshake } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../../../contract/device/device.ts'
import { createDeviceLinks } from '../../../../hub/devices/link/links.ts'
import type { UploadOptions } from '../../../../hub/devices/link/upload.ts'
import { helloHeader, openLink } from '../../../kit/fleet/link-device.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('upload over a link')
const { sn } = helloOf(1)
const SIZE = 3_000_000

let folder: string
let file: string
let links: ReturnType<typeof createDeviceLinks>
/** Handles the upload on the device. */
let handleUpload: (stream: ServerHttp2Stream, contentType: string) => void
/** Breaks the connection of the device. */
let breakConnection: () => void

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upload-'))
  file = join(folder, 'file')
  writeFileSync(file, Buffer.alloc(SIZE, 'firmware'))
  links = createDeviceLinks({ register: () => ({ state: REGISTRATION_STATE.accepted }), onUp() {}, onDown() {} })
  const port = await links.listen(0, '127.0.0.1')
  const openedLink = await openLink(port, { header: helloHeader(helloOf(1)) })
  assert.ok('socket' in openedLink)
  const session = performServerHandshake(openedLink.socket)
  session.on('error', () => {})
  session.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    handleUpload(stream, headers['content-type'] ?? '')
  })
  breakConnection = () => openedLink.socket.destroy()
  await until(() => links.isOnline(sn), 'the link is up')
})
test.after.each(async () => {
  breakConnection()
  await links.close()
  rmSync(folder, { recursive: true })
})

/** Timeouts for a device that does not receive or respond, in milliseconds. */
const SHORT = { stallTimeout: 300, responseTimeout: 300 }

function send(options: Partial<UploadOptions> = {}) {
  const allOptions = { stallTimeout: 10_000, responseTimeout: 10_000, onProgress: () => {}, ...options }
  return links.upload(sn, { path: '/up', file, size: SIZE, name: 'a_rev_a_1_0_0.mwf' }, allOptions)
}

const respond = (stream: ServerHttp2Stream, body: object) => {
  stream.respond({ ':status': 200 })
  stream.end(JSON.stringify(body))
}

test('the file arrives complete, as a form, and progress is reported', async () => {
  handleUpload = async (stream, contentType) => {
    const sum = createHash('sha256')
    const form = busboy({ headers: { 'content-type': contentType } })
    form.on('file', (_, bytes) => bytes.on('data', (chunk) => sum.update(chunk)))
    await pipeline(stream, form)
    respond(stream, { sum: sum.digest('hex') })
  }
  const steps: number[] = []
  const { status, body } = await send({ onProgress: (bytes) => steps.push(bytes) })
  assert.equal(status, 200)
  const sum = createHash('sha256').update(Buffer.alloc(SIZE, 'firmware')).digest('hex')
  assert.deepEqual(JSON.parse(body.toString()), { sum })
  assert.ok(steps.length > 10)
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b)
  )
  assert.equal(steps.at(-1), SIZE)
})

test('a response before the end of the file is returned', async () => {
  handleUpload = (stream) => {
    stream.once('data', () => respond(stream, { result: -16 }))
  }
  assert.equal(JSON.parse((await send()).body.toString()).result, -16)
})

test('an upload fails if the device receives nothing, or does not respond after the last byte', async () => {
  handleUpload = () => {}
  await assert.rejects(send(SHORT), { code: 10004, message: /no progress/ })
  handleUpload = (stream) => stream.resume()
  await assert.rejects(send({ ...SHORT, stallTimeout: 10_000 }), { code: 10004, message: /no response/ })
})

test('an upload fails as offline if the link ends during it, or if there is no link', async () => {
  handleUpload = (stream) => stream.once('data', () => breakConnection())
  await assert.rejects(send(), { code: 10007 })
  await until(() => !links.isOnline(sn), 'the link is down')
  await assert.rejects(send(), { code: 10007 })
})

test('an aborted response, or one that is too large, counts as no response', async () => {
  handleUpload = (stream) => stream.once('data', () => stream.close(2))
  await assert.rejects(send(), { code: 10004 })
  handleUpload = (stream) => {
    stream.respond({ ':status': 200 })
    stream.end(Buffer.alloc(1 << 20))
    stream.resume()
  }
  await assert.rejects(send(), { code: 10004 })
})

test('the error for a missing file, or one of another size, is not a LinkError', async () => {
  handleUpload = (stream) => stream.resume()
  writeFileSync(file, 'short')
  await assert.rejects(send(), /5 bytes instead/)
  rmSync(file)
  await assert.rejects(send(), { code: 'ENOENT' })
})

test('an aborted upload is rejected', async () => {
  handleUpload = () => {}
  const controller = new AbortController()
  const sending = send({ signal: controller.signal, stallTimeout: 60_000 })
  controller.abort()
  await assert.rejects(sending)
})

test.run()
