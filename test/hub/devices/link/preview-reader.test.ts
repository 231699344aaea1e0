import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PICTURE_MAX } from '../../../../contract/device/link.ts'
import { createPictureReader } from '../../../../hub/devices/link/preview-reader.ts'

const test = suite('picture-reader')

function framed(...pictures: Uint8Array[]): Buffer {
  return Buffer.concat(
    pictures.flatMap((picture) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(picture.length)
      return [length, picture]
    })
  )
}

const bytes = (length: number, seed = 1) => Uint8Array.from({ length }, (_, index) => (index * 31 + seed) & 255)

test('one stream cut at every byte offset gives the same pictures', () => {
  const pictures = [bytes(1), bytes(300, 2), bytes(4, 3), bytes(257, 4)]
  const stream = framed(...pictures)
  for (let cut = 0; cut <= stream.length; cut++) {
    const got: Uint8Array[] = []
    const read = createPictureReader((jpeg) => got.push(jpeg))
    assert.ok(read(stream.subarray(0, cut)) && read(stream.subarray(cut)))
    assert.deepEqual(got, pictures, `cut at ${cut}`)
  }
})

test('byte by byte, and all at once', () => {
  const pictures = Array.from({ length: 20 }, (_, index) => bytes(index * 7 + 1, index))
  const stream = framed(...pictures)
  for (const step of [1, 3, stream.length]) {
    const got: Uint8Array[] = []
    const read = createPictureReader((jpeg) => got.push(jpeg))
    for (let at = 0; at < stream.length; at += step) assert.ok(read(stream.subarray(at, at + step)))
    assert.deepEqual(got, pictures)
  }
})

test('an empty picture is passed over', () => {
  const got: Uint8Array[] = []
  assert.ok(createPictureReader((jpeg) => got.push(jpeg))(framed(bytes(0), bytes(5), bytes(0), bytes(0), bytes(6))))
  assert.deepEqual(got, [bytes(5), bytes(6)])
})

test('a picture does not change when the network buffer is used again', () => {
  const got: Uint8Array[] = []
  const chunk = framed(bytes(50))
  createPictureReader((jpeg) => got.push(jpeg))(chunk)
  chunk.fill(0)
  assert.deepEqual(got, [bytes(50)])
  assert.equal(got[0]?.buffer.byteLength, 50)
})

test('a picture of the largest size is read, a larger one is refused as soon as its length is known', () => {
  let got = 0
  const read = createPictureReader((jpeg) => {
    got = jpeg.length
  })
  assert.ok(read(framed(new Uint8Array(PICTURE_MAX))))
  assert.equal(got, PICTURE_MAX)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(PICTURE_MAX + 1)
  assert.equal(read(length.subarray(0, 3)), true)
  assert.equal(read(length.subarray(3)), false)
  assert.equal(createPictureReader(() => {})(Buffer.alloc(4, 0xff)), false)
})

test.run()
