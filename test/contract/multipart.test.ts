import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createMultipartParser, parseBoundary } from '../../contract/multipart.ts'

const test = suite('multipart')

interface Part {
  name: string
  filename: string | undefined
  body: string
  ended: boolean
}

/** Parses a body that arrives in these chunks. */
function parse(chunks: readonly Uint8Array[], boundary = 'x'): { parts: Part[]; complete: boolean } {
  const parts: Part[] = []
  const parser = createMultipartParser(boundary, {
    onPart: (name, filename) => parts.push({ name, filename, body: '', ended: false }),
    onData(bytes) {
      const part = parts.at(-1)
      if (part) part.body += Buffer.from(bytes).toString('latin1')
    },
    onEnd() {
      const part = parts.at(-1)
      if (part) part.ended = true
    }
  })
  for (const chunk of chunks) parser.push(chunk)
  return { parts, complete: parser.complete }
}

const DELIMITER_LIKE = '\r\n--\r\n--y\r\r\n--\r\n'
const BODY = Buffer.from(
  `preamble\r\n--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x\r\n` +
    `Content-Type: application/octet-stream\r\nContent-Disposition: form-data; name="file"; filename="a.mwf"\r\n\r\n${DELIMITER_LIKE}` +
    `\r\n--x--\r\nepilogue`
)
const PARTS: Part[] = [
  { name: 'note', filename: undefined, body: 'hello', ended: true },
  { name: 'file', filename: 'a.mwf', body: DELIMITER_LIKE, ended: true }
]

test('a body is parsed the same when it is split at any byte or into single bytes', () => {
  for (let offset = 0; offset <= BODY.length; offset++)
    assert.deepEqual(
      parse([BODY.subarray(0, offset), BODY.subarray(offset)]),
      { parts: PARTS, complete: true },
      `${offset}`
    )
  const single = [...BODY].map((byte) => Uint8Array.of(byte))
  assert.deepEqual(parse(single), { parts: PARTS, complete: true })
})

test('a body that ends early is not complete', () => {
  const { parts, complete } = parse([BODY.subarray(0, BODY.indexOf('--x--'))])
  assert.equal(complete, false)
  assert.equal(parts[1]?.ended, false)
})

test('an invalid body is refused without buffering it', () => {
  assert.throws(() => parse([Buffer.alloc(100_000, 0x61)]))
  assert.throws(() => parse([Buffer.from('--x\r\nContent-Type: text/plain\r\n\r\nno name')]))
  assert.throws(() => parse([Buffer.from('--xyz')]))
  assert.throws(() => parse([Buffer.concat([Buffer.from('--x\r\nA: '), Buffer.alloc(100_000, 0x61)])]))
})

test('file names are decoded as UTF-8', () => {
  const head = 'Content-Disposition: form-data; name="file"; filename="größe.mwf"'
  const { parts } = parse([Buffer.from(`--x\r\n${head}\r\n\r\n\r\n--x--`)])
  assert.deepEqual(parts, [{ name: 'file', filename: 'größe.mwf', body: '', ended: true }])
})

test('a FormData body of the platform is parsed', async () => {
  const form = new FormData()
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index * 7)
  form.append('file', new Blob([bytes]), 'b.mwf')
  const response = new Response(form)
  const boundary = parseBoundary(response.headers.get('content-type'))
  const { parts, complete } = parse([await response.bytes()], boundary)
  assert.ok(complete)
  assert.equal(parts[0]?.filename, 'b.mwf')
  assert.equal(parts[0]?.body, Buffer.from(bytes).toString('latin1'))
})

test('the boundary is parsed from the Content-Type header, quoted or not', () => {
  assert.equal(parseBoundary('multipart/form-data; boundary=abc'), 'abc')
  assert.equal(parseBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"'), 'a b')
  for (const header of [
    null,
    undefined,
    '',
    'text/plain; boundary=abc',
    'multipart/form-data',
    'multipart/mixed; boundary=a'
  ])
    assert.equal(parseBoundary(header), undefined, String(header))
})

test.run()
