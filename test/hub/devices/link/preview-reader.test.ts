import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PREVIEW_IMAGE_MAX } from '../../../../contract/device/link.ts'
import { createPreviewReader } from '../../../../hub/devices/link/preview-reader.ts'

const test = suite('preview reader')

function encodeStream(...images: Uint8Array[]): Buffer {
  return Buffer.concat(
    images.flatMap((image) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(image.length)
      return [length, image]
    })
  )
}

const bytes = (length: number, seed = 1) => Uint8Array.from({ length }, (_, index) => (index * 31 + seed) & 255)

test('a stream split at any byte offset gives the same images', () => {
  const images = [bytes(1), bytes(300, 2), bytes(4, 3), bytes(257, 4)]
  const stream = encodeStream(...images)
  for (let cut = 0; cut <= stream.length; cut++) {
    const received: Uint8Array[] = []
    const readChunk = createPreviewReader((jpeg) => received.push(jpeg))
    assert.ok(readChunk(stream.subarray(0, cut)) && readChunk(stream.subarray(cut)))
    assert.deepEqual(received, images, `cut at ${cut}`)
  }
})

test('a stream gives the same images byte by byte and all at once', () => {
  const images = Array.from({ length: 20 }, (_, index) => bytes(index * 7 + 1, index))
  const stream = encodeStream(...images)
  for (const step of [1, 3, stream.length]) {
    const received: Uint8Array[] = []
    const readChunk = createPreviewReader((jpeg) => received.push(jpeg))
    for (let offset = 0; offset < stream.length; offset += step)
      assert.ok(readChunk(stream.subarray(offset, offset + step)))
    assert.deepEqual(received, images)
  }
})

test('an empty image is skipped', () => {
  const received: Uint8Array[] = []
  assert.ok(
    createPreviewReader((jpeg) => received.push(jpeg))(encodeStream(bytes(0), bytes(5), bytes(0), bytes(0), bytes(6)))
  )
  assert.deepEqual(received, [bytes(5), bytes(6)])
})

test('an image does not change when the network buffer is reused', () => {
  const received: Uint8Array[] = []
  const chunk = encodeStream(bytes(50))
  createPreviewReader((jpeg) => received.push(jpeg))(chunk)
  chunk.fill(0)
  assert.deepEqual(received, [bytes(50)])
  assert.equal(received[0]?.buffer.byteLength, 50)
})

test('an image of the maximum size is read, a larger one is refused as soon as its length is known', () => {
  let received = 0
  const readChunk = createPreviewReader((jpeg) => {
    received = jpeg.length
  })
  assert.ok(readChunk(encodeStream(new Uint8Array(PREVIEW_IMAGE_MAX))))
  assert.equal(received, PREVIEW_IMAGE_MAX)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(PREVIEW_IMAGE_MAX + 1)
  assert.equal(readChunk(length.subarray(0, 3)), true)
  assert.equal(readChunk(length.subarray(3)), false)
  assert.equal(createPreviewReader(() => {})(Buffer.alloc(4, 0xff)), false)
})

test.run()
