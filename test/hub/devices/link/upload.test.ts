import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerHttp2Stream } from 'node:http2'
import { performServerHandshake } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { REGISTRATION } from '../../../../contract/device/device.ts'
import { boundaryOf, createMultipart } from '../../../../contract/multipart.ts'
import { createDeviceLinks } from '../../../../hub/devices/link/links.ts'
import type { UploadOptions } from '../../../../hub/devices/link/upload.ts'
import { helloOf } from '../../../kit/device.ts'
import { helloHeader, knock } from '../../../kit/link-device.ts'
import { until } from '../../../kit/until.ts'

const test = suite('upload over a link')
const { sn } = helloOf(1)
const SIZE = 3_000_000

let folder: string
let file: string
let links: ReturnType<typeof createDeviceLinks>
/** What the device does with the upload. */
let take: (stream: ServerHttp2Stream, contentType: string) => void
let cut: () => void

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upload-'))
  file = join(folder, 'file')
  writeFileSync(file, Buffer.alloc(SIZE, 'firmware'))
  links = createDeviceLinks({ hello: () => ({ state: REGISTRATION.accepted }), up() {}, down() {} })
  const port = await links.listen(0, '127.0.0.1')
  const opened = await knock(port, { header: helloHeader(helloOf(1)) })
  assert.ok('socket' in opened)
  const session = performServerHandshake(opened.socket)
  session.on('error', () => {})
  session.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    take(stream, headers['content-type'] ?? '')
  })
  cut = () => opened.socket.destroy()
  await until(() => links.online(sn), 'the link is up')
})
test.after.each(async () => {
  cut()
  await links.close()
  rmSync(folder, { recursive: true })
})

function send(options: Partial<UploadOptions> = {}) {
  const all = { stall: 300, answer: 300, sent: () => {}, ...options }
  return links.upload(sn, { path: '/up', file, size: SIZE, name: 'a_rev_a_1_0_0.mwf' }, all)
}

const answer = (stream: ServerHttp2Stream, body: object) => {
  stream.respond({ ':status': 200 })
  stream.end(JSON.stringify(body))
}

test('the file arrives whole, in a form, and the sender hears how far it is', async () => {
  take = async (stream, contentType) => {
    const sum = createHash('sha256')
    const form = createMultipart(boundaryOf(contentType) ?? '', {
      part() {},
      data: (bytes) => sum.update(bytes),
      end() {}
    })
    for await (const chunk of stream) form.push(chunk)
    answer(stream, { sum: sum.digest('hex'), complete: form.complete })
  }
  const steps: number[] = []
  const { status, body } = await send({ sent: (bytes) => steps.push(bytes) })
  assert.equal(status, 200)
  const sum = createHash('sha256').update(Buffer.alloc(SIZE, 'firmware')).digest('hex')
  assert.deepEqual(JSON.parse(body.toString()), { sum, complete: true })
  assert.ok(steps.length > 10)
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b)
  )
  assert.equal(steps.at(-1), SIZE)
})

test('a device that answers before it has all is heard', async () => {
  take = (stream) => {
    stream.once('data', () => answer(stream, { result: -16 }))
  }
  assert.equal(JSON.parse((await send()).body.toString()).result, -16)
})

test('one that takes nothing, and one that never answers, is given up', async () => {
  take = () => {}
  await assert.rejects(send(), { code: 10004, message: /nothing taken/ })
  take = (stream) => stream.resume()
  await assert.rejects(send(), { code: 10004, message: /no answer/ })
})

test('a link that goes in the middle, and one that is not there, is said to be', async () => {
  take = (stream) => stream.once('data', () => cut())
  await assert.rejects(send(), { code: 10007 })
  await until(() => !links.online(sn), 'the link is gone')
  await assert.rejects(send(), { code: 10007 })
})

test('a device that breaks off, or answers without end, gave no answer', async () => {
  take = (stream) => stream.once('data', () => stream.close(2))
  await assert.rejects(send(), { code: 10004 })
  take = (stream) => {
    stream.respond({ ':status': 200 })
    stream.end(Buffer.alloc(1 << 20))
    stream.resume()
  }
  await assert.rejects(send(), { code: 10004 })
})

test('a file that is not there, or has another size, is no fault of the device', async () => {
  take = (stream) => stream.resume()
  writeFileSync(file, 'short')
  await assert.rejects(send(), /5 bytes instead/)
  rmSync(file)
  await assert.rejects(send(), { code: 'ENOENT' })
})

test('told to stop it stops', async () => {
  take = () => {}
  const stopped = new AbortController()
  const sending = send({ signal: stopped.signal, stall: 60_000 })
  stopped.abort()
  await assert.rejects(sending)
})

test.run()
