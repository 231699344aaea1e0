import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { suite } from 'uvu'
import { createPacketQueue } from '../../../engine/mpegts/packet-queue.ts'

const test = suite('packet queue')

const TABLES = Buffer.from('TABLES ')

/** Creates a pipe that writes only when the test drains it. */
function createSlowPipe() {
  const chunks: string[] = []
  let release: (() => void) | undefined
  const pipe = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      release = done
    }
  })
  return {
    pipe,
    written: chunks,
    /** Writes everything that is queued. */
    async drain() {
      while (pipe.writableLength > 0) {
        release?.()
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }
}

test('nothing passes before waitForKeyFrame, then everything from the first key frame, preceded by the tables', async () => {
  const { pipe, written, drain } = createSlowPipe()
  const queue = createPacketQueue(pipe, () => 0)
  queue.push(Buffer.from('early key'), [0], TABLES)
  queue.waitForKeyFrame()
  queue.push(Buffer.from('no start'), [], TABLES)
  queue.push(Buffer.from('tail|key frame'), [5], TABLES)
  queue.push(Buffer.from('more'), [], TABLES)
  await drain()
  assert.deepEqual(written, ['TABLES ', 'key frame', 'more'])
})

test('a slow output loses packets and continues at a key frame once its queue is empty', async () => {
  const { pipe, written, drain } = createSlowPipe()
  const queue = createPacketQueue(pipe, () => 0)
  queue.waitForKeyFrame()
  queue.push(Buffer.alloc(200 << 10, 'a'), [0], TABLES)
  queue.push(Buffer.alloc(200 << 10, 'b'), [0], TABLES)
  queue.push(Buffer.alloc(10, 'c'), [0], TABLES)
  assert.equal(queue.droppedBytes(), (200 << 10) + 10)
  assert.ok(queue.queuedBytes() <= 256 << 10)
  await drain()
  queue.push(Buffer.from('d'), [], TABLES)
  queue.push(Buffer.from('key'), [0], TABLES)
  await drain()
  assert.deepEqual(
    written.map((text) => text.slice(0, 7)),
    ['TABLES ', 'aaaaaaa', 'TABLES ', 'key']
  )
})

test('the queue holds two seconds of the stream, at most 4 MiB', () => {
  for (const [kbps, kibibytes] of [
    [0, 256],
    [4000, 976],
    [100_000, 4096]
  ] as const) {
    const { pipe } = createSlowPipe()
    const queue = createPacketQueue(pipe, () => kbps)
    queue.waitForKeyFrame()
    for (let round = 0; round < 10_000; round++) queue.push(Buffer.alloc(1024), [0], Buffer.alloc(0))
    assert.ok(Math.abs(queue.queuedBytes() / 1024 - kibibytes) < 2, `${queue.queuedBytes() / 1024} KiB at ${kbps} kbps`)
  }
})

test('a queue with room for a group of pictures takes it at the start, and is bounded', async () => {
  const { pipe, drain } = createSlowPipe()
  const queue = createPacketQueue(pipe, () => 0, { groupBytes: 1 << 20 })
  queue.beginWith({ tables: TABLES, chunks: [Buffer.alloc(512 << 10), Buffer.alloc(512 << 10)] })
  queue.push(Buffer.alloc(128 << 10), [], TABLES)
  assert.equal(queue.queuedBytes(), TABLES.length + (1152 << 10))
  for (let round = 0; round < 100; round++) queue.push(Buffer.alloc(64 << 10), [0], TABLES)
  assert.ok(queue.queuedBytes() <= 1280 << 10)
  assert.ok(queue.droppedBytes() > 0)
  await drain()
})

test('waitForKeyFrame in the middle of a stream drops packets until the next key frame', async () => {
  const { pipe, written, drain } = createSlowPipe()
  const queue = createPacketQueue(pipe, () => 0)
  queue.waitForKeyFrame()
  queue.push(Buffer.from('one'), [0], TABLES)
  queue.waitForKeyFrame()
  queue.push(Buffer.from('old'), [], TABLES)
  queue.push(Buffer.from('two'), [0], TABLES)
  await drain()
  assert.deepEqual(written, ['TABLES ', 'one', 'TABLES ', 'two'])
})

test('null packets are counted, and are not queued while others wait', async () => {
  const { pipe, drain } = createSlowPipe()
  const queue = createPacketQueue(pipe, () => 0)
  queue.sendNullPackets()
  queue.sendNullPackets()
  assert.equal(queue.nullPacketBytes(), 1316)
  await drain()
  queue.sendNullPackets()
  assert.equal(queue.nullPacketBytes(), 2632)
})

test('nothing is written to a destroyed pipe', () => {
  const { pipe } = createSlowPipe()
  const queue = createPacketQueue(pipe, () => 0)
  queue.waitForKeyFrame()
  pipe.destroy()
  queue.push(Buffer.from('key'), [0], TABLES)
  queue.sendNullPackets()
  assert.equal(queue.queuedBytes(), 0)
})

test('data for a pipe that copies is copied only while the pipe is busy', async () => {
  const { pipe, written, drain } = createSlowPipe()
  const queue = createPacketQueue(pipe, () => 0, { pipeCopies: true })
  queue.waitForKeyFrame()
  const data = Buffer.from('key ')
  // The tables keep the pipe busy.
  queue.push(data, [0], TABLES)
  data.fill('x')
  await drain()
  const taken: Buffer[] = []
  const idle = new Writable({
    write(chunk, _encoding, done) {
      taken.push(chunk)
      done()
    }
  })
  const copying = createPacketQueue(idle, () => 0, { pipeCopies: true })
  copying.waitForKeyFrame()
  copying.push(data, [0], TABLES)
  await new Promise((resolve) => setImmediate(resolve))
  copying.push(data, [], TABLES)
  assert.deepEqual(written, ['TABLES ', 'key '])
  assert.equal(taken.at(-1)?.buffer, data.buffer)
  assert.equal(taken.at(-1), data)
})

test.run()
