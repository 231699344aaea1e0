import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { suite } from 'uvu'
import { createFeed } from '../../../engine/mpegts/packet-queue.ts'

const test = suite('feed')

const TABLES = Buffer.from('TABLES ')

/** A pipe that takes something only when told to. */
function slowPipe() {
  const written: string[] = []
  let release: (() => void) | undefined
  const pipe = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      release = done
    }
  })
  return {
    pipe,
    written,
    /** Takes everything that waits. */
    async drain() {
      while (pipe.writableLength > 0) {
        release?.()
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }
}

test('nothing passes before it is sought, then from the first key frame on with the tables before it', async () => {
  const { pipe, written, drain } = slowPipe()
  const feed = createFeed(pipe, () => 0)
  feed.take(Buffer.from('early key'), [0], TABLES)
  feed.seek()
  feed.take(Buffer.from('no start'), [], TABLES)
  feed.take(Buffer.from('tail|key frame'), [5], TABLES)
  feed.take(Buffer.from('more'), [], TABLES)
  await drain()
  assert.deepEqual(written, ['TABLES ', 'key frame', 'more'])
})

test('a slow output loses a part, and goes on at a key frame when it has caught up', async () => {
  const { pipe, written, drain } = slowPipe()
  const feed = createFeed(pipe, () => 0)
  feed.seek()
  feed.take(Buffer.alloc(200 << 10, 'a'), [0], TABLES)
  feed.take(Buffer.alloc(200 << 10, 'b'), [0], TABLES)
  feed.take(Buffer.alloc(10, 'c'), [0], TABLES)
  assert.equal(feed.dropped(), (200 << 10) + 10)
  assert.ok(feed.queued() <= 256 << 10)
  await drain()
  feed.take(Buffer.from('d'), [], TABLES)
  feed.take(Buffer.from('key'), [0], TABLES)
  await drain()
  assert.deepEqual(
    written.map((text) => text.slice(0, 7)),
    ['TABLES ', 'aaaaaaa', 'TABLES ', 'key']
  )
})

test('the queue holds two seconds, at most 4 MiB', () => {
  for (const [kbps, kibibytes] of [
    [0, 256],
    [4000, 976],
    [100_000, 4096]
  ] as const) {
    const { pipe } = slowPipe()
    const feed = createFeed(pipe, () => kbps)
    feed.seek()
    for (let round = 0; round < 10_000; round++) feed.take(Buffer.alloc(1024), [0], Buffer.alloc(0))
    assert.ok(Math.abs(feed.queued() / 1024 - kibibytes) < 2, `${feed.queued() / 1024} KiB at ${kbps} kbps`)
  }
})

test('seeking in the middle of a stream waits for the next key frame', async () => {
  const { pipe, written, drain } = slowPipe()
  const feed = createFeed(pipe, () => 0)
  feed.seek()
  feed.take(Buffer.from('one'), [0], TABLES)
  feed.seek()
  feed.take(Buffer.from('old'), [], TABLES)
  feed.take(Buffer.from('two'), [0], TABLES)
  await drain()
  assert.deepEqual(written, ['TABLES ', 'one', 'TABLES ', 'two'])
})

test('padding is counted, and never queues behind itself', async () => {
  const { pipe, drain } = slowPipe()
  const feed = createFeed(pipe, () => 0)
  feed.pad()
  feed.pad()
  assert.equal(feed.padded(), 1316)
  await drain()
  feed.pad()
  assert.equal(feed.padded(), 2632)
})

test('a pipe that is gone is left alone', () => {
  const { pipe } = slowPipe()
  const feed = createFeed(pipe, () => 0)
  feed.seek()
  pipe.destroy()
  feed.take(Buffer.from('key'), [0], TABLES)
  feed.pad()
  assert.equal(feed.queued(), 0)
})

test.run()
