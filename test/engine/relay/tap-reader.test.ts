import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TapReader } from '../../../engine/relay/tap-reader.ts'

const test = suite('tap reader')

/** A frame as in engine/native/relay/subscriber.h. */
function createFrame(type: string, body: string, starts: readonly number[] = []): Buffer {
  const head = Buffer.alloc(8 + 4 * starts.length)
  head.write(type)
  head.writeUInt16BE(starts.length, 2)
  head.writeUInt32BE(body.length, 4)
  for (const [index, start] of starts.entries()) head.writeUInt32BE(start, 8 + 4 * index)
  return Buffer.concat([head, Buffer.from(body)])
}

test('frames are read wherever the bytes are split', () => {
  const frames = Buffer.concat([
    createFrame('T', 'first tables'),
    createFrame('M', 'media with two starts', [0, 11]),
    createFrame('M', ''),
    createFrame('E', ''),
    createFrame('T', 'tables'),
    createFrame('M', 'media', [3])
  ])
  const expected = [
    ['media with two starts', [0, 11], 'first tables'],
    ['', [], 'first tables'],
    'end',
    ['media', [3], 'tables']
  ]
  for (let size = 1; size <= frames.length; size++) {
    const received: unknown[] = []
    const reader = new TapReader({
      media: (data, starts, tables) => received.push([String(data), starts, String(tables)]),
      end: () => received.push('end')
    })
    // As the relay's connections do, all reads use the same memory.
    const memory = Buffer.alloc(size)
    for (let offset = 0; offset < frames.length; offset += size)
      reader.push(memory.subarray(0, frames.copy(memory, 0, offset, offset + size)))
    assert.deepEqual(received, expected, `in parts of ${size} bytes`)
  }
})

test.run()
