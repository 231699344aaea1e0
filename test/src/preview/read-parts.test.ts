import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { readParts } from '../../../src/preview/read-parts.ts'
import { BOUNDARY, bytesOf, noise, partOf, summary } from '../../kit/preview/multipart.ts'

const test = suite('preview reading')

type Bytes = Uint8Array<ArrayBuffer>
const STREAM = bytesOf(partOf('A', noise(300)), partOf('B', noise(200_000), { length: false }), partOf('C', 'c'))
const PARTS = [summary('A', noise(300)), summary('B', noise(200_000)), summary('C', 'c')]

/** A body in chunks, like that of Chromium and Firefox (`bytes`: can be read into a given buffer) or of WebKit. */
function bodyOf(pieces: Iterable<Bytes>, type?: 'bytes'): ReadableStream<Bytes> {
  const rest = pieces[Symbol.iterator]()
  const pull = (controller: { enqueue(piece: Bytes): void; close(): void }) => {
    const { done, value } = rest.next()
    if (!done) return controller.enqueue(value.slice())
    controller.close()
    if (controller instanceof ReadableByteStreamController) controller.byobRequest?.respond(0)
  }
  return type ? new ReadableStream({ type, pull }) : new ReadableStream<Bytes>({ pull })
}

function* cut(stream: Bytes, size: number): Generator<Bytes> {
  for (let offset = 0; offset < stream.length; offset += size) yield stream.subarray(offset, offset + size)
}

async function read(body: ReadableStream<Bytes>, buffer = new PartBuffer(), signal = new AbortController().signal) {
  const parts: string[] = []
  const ending = await readParts(
    body,
    BOUNDARY,
    buffer,
    ({ id, type, bytes }) => parts.push(summary(id, bytes, type)),
    signal
  )
  return { parts, ending }
}

for (const type of ['bytes', undefined] as const) {
  const reader = type ? 'a BYOB reader' : 'a default reader'

  test(`all parts come through ${reader}, whatever the pieces`, async () => {
    for (const size of [97, 65_536, STREAM.length])
      assert.deepEqual(await read(bodyOf(cut(STREAM, size), type)), { parts: PARTS, ending: 'ended' })
  })

  test(`pieces larger than the buffer come through ${reader}`, async () => {
    const buffer = new PartBuffer(1000, 1 << 20)
    assert.deepEqual((await read(bodyOf([STREAM], type), buffer)).parts, PARTS)
    assert.equal(buffer.bytes.length, 256_000)
  })

  test(`with ${reader} the buffer is used again for the next stream`, async () => {
    const buffer = new PartBuffer(4096)
    for (let round = 0; round < 3; round++) {
      assert.deepEqual((await read(bodyOf(cut(STREAM, 5000), type), buffer)).parts, PARTS)
      assert.equal(buffer.bytes.length, 262_144)
    }
  })

  test(`the closing boundary and a missing one end the reading of ${reader} and cancel the body`, async () => {
    for (const [text, ending] of [
      [`--${BOUNDARY}--`, 'closed'],
      ['no boundary in sight '.repeat(5), 'lost']
    ] as const) {
      let cancelled = false
      const start = (controller: { enqueue(piece: Bytes): void }) => controller.enqueue(bytesOf(text))
      const cancel = () => {
        cancelled = true
      }
      const body = type ? new ReadableStream({ type, start, cancel }) : new ReadableStream<Bytes>({ start, cancel })
      assert.equal((await read(body)).ending, ending)
      assert.ok(cancelled)
    }
  })

  test(`an abort ends a silent stream through ${reader} and leaves the buffer to the next one`, async () => {
    const abort = new AbortController()
    const buffer = new PartBuffer()
    const start = (controller: { enqueue(piece: Bytes): void }) => controller.enqueue(STREAM.slice(0, 1000))
    // Called when everything before has been read.
    const { promise: isSilent, resolve } = Promise.withResolvers<void>()
    const pull = () => resolve()
    const body = type ? new ReadableStream({ type, start, pull }) : new ReadableStream<Bytes>({ start, pull })
    const ended = read(body, buffer, abort.signal)
    await isSilent
    await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    // The second call starts before the first has ended.
    const next = read(bodyOf(cut(STREAM, 5000), type), buffer)
    assert.deepEqual(await ended, { parts: PARTS.slice(0, 1), ending: 'aborted' })
    assert.deepEqual(await next, { parts: PARTS, ending: 'ended' })
  })

  test(`a line that breaks is thrown by ${reader}, and the next stream is read`, async () => {
    const buffer = new PartBuffer()
    const pull = (controller: { error(reason: Error): void }) => controller.error(new Error('reset'))
    const broken = type ? new ReadableStream({ type, pull }) : new ReadableStream<Bytes>({ pull })
    await assert.rejects(read(broken, buffer), /reset/)
    assert.deepEqual((await read(bodyOf(cut(STREAM, 5000), type), buffer)).parts, PARTS)
  })
}

test.run()
