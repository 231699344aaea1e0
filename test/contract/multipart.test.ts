import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { boundaryOf, createMultipart } from '../../contract/multipart.ts'

const test = suite('multipart')

interface Part {
  name: string
  filename: string | undefined
  body: string
  ended: boolean
}

/** Reads a body that comes in these pieces. */
function read(pieces: readonly Uint8Array[], boundary = 'x'): { parts: Part[]; complete: boolean } {
  const parts: Part[] = []
  const form = createMultipart(boundary, {
    part: (name, filename) => parts.push({ name, filename, body: '', ended: false }),
    data(bytes) {
      const part = parts.at(-1)
      if (part) part.body += Buffer.from(bytes).toString('latin1')
    },
    end() {
      const part = parts.at(-1)
      if (part) part.ended = true
    }
  })
  for (const piece of pieces) form.push(piece)
  return { parts, complete: form.complete }
}

const tricky = '\r\n--\r\n--y\r\r\n--\r\n'
const BODY = Buffer.from(
  `preamble\r\n--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x\r\n` +
    `Content-Type: application/octet-stream\r\nContent-Disposition: form-data; name="file"; filename="a.mwf"\r\n\r\n${tricky}` +
    `\r\n--x--\r\nepilogue`
)
const PARTS: Part[] = [
  { name: 'note', filename: undefined, body: 'hello', ended: true },
  { name: 'file', filename: 'a.mwf', body: tricky, ended: true }
]

test('a body cut at any byte, or into single bytes, is read the same', () => {
  for (let at = 0; at <= BODY.length; at++)
    assert.deepEqual(read([BODY.subarray(0, at), BODY.subarray(at)]), { parts: PARTS, complete: true }, `${at}`)
  const single = [...BODY].map((byte) => Uint8Array.of(byte))
  assert.deepEqual(read(single), { parts: PARTS, complete: true })
})

test('one that ends early is not complete', () => {
  const { parts, complete } = read([BODY.subarray(0, BODY.indexOf('--x--'))])
  assert.equal(complete, false)
  assert.equal(parts[1]?.ended, false)
})

test('what is no form is refused, and never held', () => {
  assert.throws(() => read([Buffer.alloc(100_000, 0x61)]))
  assert.throws(() => read([Buffer.from('--x\r\nContent-Type: text/plain\r\n\r\nno name')]))
  assert.throws(() => read([Buffer.from('--xyz')]))
  assert.throws(() => read([Buffer.concat([Buffer.from('--x\r\nA: '), Buffer.alloc(100_000, 0x61)])]))
})

test('names are read as browsers write them', () => {
  const head = 'Content-Disposition: form-data; name="file"; filename="größe.mwf"'
  const { parts } = read([Buffer.from(`--x\r\n${head}\r\n\r\n\r\n--x--`)])
  assert.deepEqual(parts, [{ name: 'file', filename: 'größe.mwf', body: '', ended: true }])
})

test('the form of the platform is read', async () => {
  const form = new FormData()
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index * 7)
  form.append('file', new Blob([bytes]), 'b.mwf')
  const response = new Response(form)
  const boundary = boundaryOf(response.headers.get('content-type'))
  const { parts, complete } = read([await response.bytes()], boundary)
  assert.ok(complete)
  assert.equal(parts[0]?.filename, 'b.mwf')
  assert.equal(parts[0]?.body, Buffer.from(bytes).toString('latin1'))
})

test('a boundary is found in its header, quoted or not', () => {
  assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc')
  assert.equal(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"'), 'a b')
  for (const header of [
    null,
    undefined,
    '',
    'text/plain; boundary=abc',
    'multipart/form-data',
    'multipart/mixed; boundary=a'
  ])
    assert.equal(boundaryOf(header), undefined, String(header))
})

test.run()
