import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../contract/codes.ts'
import { drawQr, QR_BYTES_MAX } from '../../../contract/qr.ts'
import { readQr } from '../../kit/console/read-qr.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'

const test = suite('QR codes')
let hub: TestHub
let admin: Client
test.before(async () => {
  hub = await startHub()
  admin = await hub.signIn()
})
test.after(() => hub.close())

/** The decoded text, and the number of modules per side. */
async function read(text: string): Promise<{ read: string; size: number }> {
  const { result, path, size } = await admin.send(drawQr, { text })
  assert.equal(result, SUCCESS)
  return { read: readQr(path, size), size }
}

const textOf = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * index * 7 + index * 13) % 94))).join('')

test('a URL with a key is decoded unchanged', async () => {
  const url = 'srt://192.0.2.10:8000?streamid=publish.srt/live/PUSH-3F2504E0-4F89-11D3-9A0C-0305E82C3301'
  assert.deepEqual(await read(url), { read: url, size: 41 })
})

test('a text of any length is decoded unchanged, from the smallest code that fits it', async () => {
  // Capacities in bytes of versions 1, 6, 10, 20 and 40 at level M, from ISO/IEC 18004.
  const capacities = { 1: 14, 6: 106, 10: 213, 20: 666, 40: QR_BYTES_MAX }
  for (const [version, capacity] of Object.entries(capacities))
    for (const length of [capacity - 3, capacity]) {
      const text = textOf(length)
      assert.deepEqual(await read(text), { read: text, size: Number(version) * 4 + 17 }, `${length} bytes`)
    }
})

test('a text in another script is decoded unchanged', async () => {
  const text = 'rtmp://hub/live/演播室'
  assert.equal((await read(text)).read, text)
})

test('a text that is too long for a code is refused, counted in bytes', async () => {
  const fault = { result: INVALID_ARG, field: 'text', fault: 'length', min: 1, max: QR_BYTES_MAX }
  for (const text of [textOf(QR_BYTES_MAX + 1), '演'.repeat(778)]) {
    const { message: _, ...refusal } = await admin.send(drawQr, { text })
    assert.deepEqual(refusal, fault)
  }
  assert.equal((await read('演'.repeat(777))).size, 177)
})

test('the drawn text is in no log, cache or URL', async () => {
  const lines = () => hub.parts.store.database.all('SELECT * FROM operation_log').length
  const before = lines()
  const output = await recordProcessLog(async () => {
    const secret = 'srt://192.0.2.10:8000?passphrase=correct-horse'
    for (const text of [secret, secret.repeat(100)]) {
      const headers = { 'content-type': 'application/json' }
      const response = await admin.raw('POST', '/api/qr/draw', { body: JSON.stringify({ text }), headers })
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.ok(!(await response.text()).includes('horse'))
    }
    // The text is only accepted in the body of a POST, because proxies log URLs.
    assert.equal((await admin.raw('GET', '/api/qr/draw?text=correct-horse')).status, 405)
  })
  assert.deepEqual(output, [])
  assert.equal(lines(), before)
})

test.run()
