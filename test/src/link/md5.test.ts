import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import { md5 } from '../../../src/link/md5.ts'

const test = suite('md5')
const reference = (text: string) => createHash('md5').update(text).digest('hex')

test('known digests match', () => {
  assert.equal(md5('Admin'), 'e3afed0047b08059d0fada10f400c1e5')
  assert.equal(md5(''), 'd41d8cd98f00b204e9800998ecf8427e')
})

test('texts of all lengths up to three blocks have the digest of Node.js', () => {
  for (let length = 0; length <= 200; length++) {
    const text = Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7 + length) % 94))).join('')
    assert.equal(md5(text), reference(text), `${length} characters`)
  }
})

test('text outside of ASCII is hashed as UTF-8', () => {
  for (const text of ['密码', 'pässwörd', '🎥 live', 'e\u0301', '\ud800']) assert.equal(md5(text), reference(text))
})

test('a text of one megabyte has the digest of Node.js', () => {
  const text = '0123456789abcdef'.repeat(65_536)
  assert.equal(md5(text), reference(text))
})

test.run()
