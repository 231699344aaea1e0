import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { openSeal } from '../../../hub/store/encryption.ts'

const test = suite('seal')
let folder: string
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'seal-'))
})
test.after.each(() => rmSync(folder, { recursive: true }))

test('what was closed opens for what it belongs to, and for nothing else', () => {
  const seal = openSeal(folder)
  const sealed = seal.close('S3cret 会', 'device 7')
  assert.ok(!sealed.includes('S3cret'))
  assert.equal(seal.open(sealed, 'device 7'), 'S3cret 会')
  assert.equal(seal.open(sealed, 'device 8'), undefined)
})

test('the same text is closed in another way each time', () => {
  const seal = openSeal(folder)
  assert.equal(new Set(Array.from({ length: 50 }, () => seal.close('x', 'a'))).size, 50)
})

test('every altered byte is noticed, and so is what is too short or no such thing', () => {
  const seal = openSeal(folder)
  const bytes = Buffer.from(seal.close('secret', 'a'), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    assert.equal(seal.open(altered.toString('base64url'), 'a'), undefined, String(at))
  }
  for (const sealed of ['', 'x', bytes.subarray(0, 28).toString('base64url'), '!'.repeat(80)])
    assert.equal(seal.open(sealed, 'a'), undefined, sealed)
})

test('the key is the hub’s own, in a file for its owner alone, and stays over restarts', () => {
  const sealed = openSeal(folder).close('secret', 'a')
  const path = join(folder, 'device.key')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const key = readFileSync(path, 'utf8')
  assert.equal(openSeal(folder).open(sealed, 'a'), 'secret')
  assert.equal(readFileSync(path, 'utf8'), key)
  rmSync(path)
  assert.equal(openSeal(folder).open(sealed, 'a'), undefined, 'another key opens nothing')
  assert.equal(openSeal(':memory:').open(sealed, 'a'), undefined)
})

test('a file that holds no key is said, not replaced', () => {
  const path = join(folder, 'device.key')
  writeFileSync(path, 'short')
  assert.throws(() => openSeal(folder), /device\.key holds no key/)
  assert.equal(readFileSync(path, 'utf8'), 'short')
})

test.run()
