import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import { INVALID_ARG, NEED_MORE_DATA } from '../../../contract/codes.ts'
import { readFormFile } from '../../../hub/firmware/multipart-file.ts'
import { UploadRefused } from '../../../hub/firmware/uploads.ts'

const test = suite('file of a form')

const FORM = 'multipart/form-data; boundary=x'

/** Reads the file of a body that arrives in these chunks. */
async function read(
  chunks: readonly Uint8Array[],
  type: string | null = FORM
): Promise<{ name: string; body: string }> {
  const received: Uint8Array[] = []
  const name = await readFormFile(new Response(Readable.from(chunks) as never).body, type, async (fileName, source) => {
    await source(async (bytes) => void received.push(bytes))
    return fileName
  })
  return { name, body: Buffer.concat(received).toString('latin1') }
}

const refused = (code: number) => (error: unknown) => error instanceof UploadRefused && error.code === code

const file = (name: string, body: string) =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${body}`

const DELIMITER_LIKE = '\r\n--\r\n--y\r\r\n--\r\n'
const BODY = Buffer.from(
  `preamble\r\n--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n` +
    `--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: form-data; name="file"; filename="a.mwf"\r\n\r\n${DELIMITER_LIKE}` +
    `\r\n--x--\r\nepilogue`
)
const FILE = { name: 'a.mwf', body: DELIMITER_LIKE }

test('a file is read the same when the body is split at any byte or into single bytes', async () => {
  for (let offset = 0; offset <= BODY.length; offset++)
    assert.deepEqual(await read([BODY.subarray(0, offset), BODY.subarray(offset)]), FILE, `${offset}`)
  assert.deepEqual(await read([...BODY].map((byte) => Uint8Array.of(byte))), FILE)
})

test('a file that ends early is incomplete', async () => {
  await assert.rejects(read([BODY.subarray(0, BODY.indexOf('\r\n--x--'))]), refused(NEED_MORE_DATA))
})

test('a body without a file is refused without reading all of it', async () => {
  let pieces = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces++
      controller.enqueue(Buffer.alloc(16 << 10, 0x61))
    }
  })
  await assert.rejects(
    readFormFile(endless, FORM, async () => {}),
    refused(INVALID_ARG)
  )
  assert.ok(pieces < 10, `${pieces} pieces`)
  for (const body of [
    '--x\r\nContent-Type: text/plain\r\n\r\nno name\r\n--x--',
    '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nno file\r\n--x--',
    '--x--',
    '--xyz',
    `--x\r\nA: ${'a'.repeat(100_000)}`,
    ''
  ])
    await assert.rejects(read([Buffer.from(body)]), refused(INVALID_ARG), body.slice(0, 80))
})

test('file names are decoded as UTF-8, and keep their folders', async () => {
  for (const name of ['größe.mwf', '../a.mwf'])
    assert.deepEqual(await read([Buffer.from(`${file(name, '')}\r\n--x--`)]), { name, body: '' })
})

test('the first of two files is read', async () => {
  assert.deepEqual(await read([Buffer.from(`${file('a', '1')}\r\n${file('b', '2')}\r\n--x--`)]), {
    name: 'a',
    body: '1'
  })
})

test('a FormData body of the platform is read', async () => {
  const form = new FormData()
  const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => index * 7)
  form.append('file', new Blob([bytes]), 'b.mwf')
  const response = new Response(form)
  const { name, body } = await read([await response.bytes()], response.headers.get('content-type'))
  assert.equal(name, 'b.mwf')
  assert.equal(body, Buffer.from(bytes).toString('latin1'))
})

test('a file is read at the pace of its receiver', async () => {
  let pieces = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(pieces++ === 0 ? Buffer.from(file('a', '')) : Buffer.alloc(64 << 10))
    }
  })
  const stop = new Error('enough')
  const reading = readFormFile(endless, FORM, (_, source) =>
    source(async () => {
      throw stop
    })
  )
  await assert.rejects(reading, stop)
  assert.ok(pieces < 10, `${pieces} pieces`)
})

test('the boundary may be quoted, and a body of another type is refused', async () => {
  const body = Buffer.from(BODY.toString('latin1').replaceAll('--x', '--a b'), 'latin1')
  assert.deepEqual(await read([body], 'Multipart/Form-Data; charset=utf-8; boundary="a b"'), FILE)
  for (const type of [null, '', 'text/plain; boundary=x', 'multipart/form-data', 'multipart/mixed; boundary=x'])
    await assert.rejects(read([BODY], type), refused(INVALID_ARG), String(type))
})

test.run()
