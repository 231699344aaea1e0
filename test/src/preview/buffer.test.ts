import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { noise } from '../../kit/preview/multipart.ts'

const test = suite('preview buffer')
const KIB = 1024

test('the capacity starts at 1 MiB and ends at 16 MiB', () => {
  const buffer = new PartBuffer()
  assert.equal(buffer.bytes.length, 1 << 20)
  assert.equal(buffer.max, 16 << 20)
})

test('the buffer doubles when its content does not fit, and keeps the content', () => {
  const buffer = new PartBuffer(KIB, 8 * KIB)
  const bytes = noise(3 * KIB)
  for (let offset = 0; offset < bytes.length; ) offset += buffer.append(bytes.subarray(offset, offset + 500))
  assert.equal(buffer.bytes.length, 4 * KIB)
  assert.deepEqual(buffer.bytes.subarray(buffer.start, buffer.end), bytes)
})

test('consumed bytes free space without growing', () => {
  const buffer = new PartBuffer(KIB, 8 * KIB)
  const first = buffer.bytes
  for (let round = 0; round < 100; round++) {
    assert.equal(buffer.append(noise(700, round)), 700)
    buffer.consume(300)
    assert.deepEqual(buffer.bytes.subarray(buffer.start, buffer.end), noise(700, round).subarray(300))
    buffer.consume(400)
  }
  assert.equal(buffer.bytes, first)
})

test('the buffer never grows beyond its maximum', () => {
  const buffer = new PartBuffer(KIB, 4 * KIB)
  assert.equal(buffer.reserve(4 * KIB + 1), false)
  assert.equal(buffer.bytes.length, KIB)
  for (let round = 0; round < 20; round++) buffer.append(noise(KIB))
  assert.equal(buffer.size, 4 * KIB)
  assert.equal(buffer.freeSpace().length, 0)
})

test('reserving moves the content to the front before it grows the buffer', () => {
  const buffer = new PartBuffer(KIB, 4 * KIB)
  buffer.append(noise(1000))
  buffer.consume(900)
  assert.equal(buffer.reserve(KIB), true)
  assert.equal(buffer.bytes.length, KIB)
  assert.deepEqual(buffer.bytes.subarray(buffer.start, buffer.end), noise(1000).subarray(900))
})

test('memory that a read has detached is replaced', () => {
  const buffer = new PartBuffer(KIB, 4 * KIB)
  structuredClone(buffer.bytes.buffer, { transfer: [buffer.bytes.buffer] })
  assert.equal(buffer.bytes.length, 0)
  buffer.reset()
  assert.equal(buffer.bytes.length, KIB)
})

test.run()
