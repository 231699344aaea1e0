import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { readPartHead, readStreamHead } from '../../../src/preview/headers.ts'
import { bytesOf } from '../../kit/preview/multipart.ts'

const test = suite('preview heads')
const head = (type: string, more = {}) => readStreamHead(new Headers({ 'content-type': type, ...more }))

test('boundary and handle are read from the content type, quoted or not, in any order and case', () => {
  const want = { boundary: 'b-1', handle: 'h_2' }
  assert.deepEqual(head('multipart/x-mixed-replace; boundary=b-1; handle-id=h_2'), want)
  assert.deepEqual(head('multipart/octet-stream;Handle-Id="h_2";BOUNDARY="b-1"'), want)
  assert.deepEqual(head('application/octet-stream ; boundary = b-1 ;handle-id= h_2'), want)
})

test('a quoted value may contain separators', () => {
  assert.deepEqual(head('multipart/x; boundary="a;b\\"c"; handle-id=1'), { boundary: 'a;b"c', handle: '1' })
})

test('the handle may be in its own header; the content type has priority', () => {
  assert.deepEqual(head('multipart/x; boundary=b', { 'handle-id': 'own' }), { boundary: 'b', handle: 'own' })
  assert.equal(head('multipart/x; boundary=b; handle-id=h', { 'handle-id': 'own' })?.handle, 'h')
})

test('a response without boundary or handle is not a preview stream', () => {
  assert.equal(head('application/json'), undefined)
  assert.equal(head('multipart/x; boundary=b'), undefined)
  assert.equal(head('multipart/x; handle-id=h'), undefined)
  assert.equal(head('multipart/x; boundary=; handle-id=h'), undefined)
  assert.equal(head(`multipart/x; boundary=${'b'.repeat(201)}; handle-id=h`), undefined)
  assert.equal(readStreamHead(new Headers()), undefined)
})

test('part headers are read in any case and order, and malformed lines are ignored', () => {
  const text =
    'Content-Length: 12\r\nnonsense\r\n: empty\r\nIMAGE-ID:DEV-1:2\r\nx: y\r\ncontent-type: image/png \r\n' +
    'Image-Age: 40\r\nimage-interval:3000\r\n'
  const head = { id: 'DEV-1:2', type: 'image/png', length: 12, age: 40, interval: 3000 }
  assert.deepEqual(readPartHead(bytesOf(text)), head)
})

test('an invalid length counts as missing', () => {
  for (const length of ['-1', '1.5', '0x10', '1e3', '', '99999999999999999999', 'NaN'])
    assert.equal(readPartHead(bytesOf(`content-length: ${length}\n`)).length, undefined)
  assert.equal(readPartHead(bytesOf('content-length: 0\n')).length, 0)
})

test('of repeated headers the first counts', () => {
  assert.equal(readPartHead(bytesOf('image-id: 1\nimage-id: 2\n')).id, '1')
})

test.run()
