import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { qrCode } from '../../../src/ui/qr-modules.ts'
import { readQr } from '../../kit/qr.ts'

const test = suite('QR modules')

/** What is read of it, and how many modules it has to a side. */
function read(text: string): { read: string; size: number } {
  const code = qrCode(text)
  assert.ok(code)
  return { read: readQr(code.path, code.size), size: code.size }
}

const textOf = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * at * 7 + at * 13) % 94))).join('')

test('a URL with a key is read as it was', () => {
  const url = 'srt://192.0.2.10:8000?streamid=publish.srt/live/PUSH-3F2504E0-4F89-11D3-9A0C-0305E82C3301'
  assert.deepEqual(read(url), { read: url, size: 37 })
})

test('every length is read as it was, in the smallest of the three sizes that holds it', () => {
  // What the standard says versions 5, 9 and 13 hold of bytes, at level L.
  const capacities = [106, 230, 425]
  for (const [index, capacity] of capacities.entries()) {
    const least = (capacities[index - 1] ?? 0) + 1
    for (const length of [least, least + 31, (least + capacity) >> 1, capacity - 3, capacity]) {
      const text = textOf(length)
      assert.deepEqual(read(text), { read: text, size: 37 + index * 16 }, `${length} bytes`)
    }
  }
})

test('a text in another script is read as it was', () => {
  const text = 'rtmp://hub/live/演播室'
  assert.equal(read(text).read, text)
})

test('a text that no code holds has none', () => {
  assert.equal(qrCode(textOf(426)), undefined)
})

test.run()
