import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { openEncryption } from '../../data-files/encryption.ts'

const test = suite('encryption')
let folder: string
const file = () => ({ path: join(folder, 'device.key'), remedy: 'restore it' })
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'encryption-'))
})
test.after.each(() => rmSync(folder, { recursive: true }))

test('a text is decrypted for its owner only', () => {
  const encryption = openEncryption(file())
  const encrypted = encryption.encrypt('S3cret 会', 'device 7')
  assert.ok(!encrypted.includes('S3cret'))
  assert.equal(encryption.decrypt(encrypted, 'device 7'), 'S3cret 会')
  assert.equal(encryption.decrypt(encrypted, 'device 8'), undefined)
})

test('encrypting the same text twice gives different results', () => {
  const encryption = openEncryption(file())
  assert.equal(new Set(Array.from({ length: 50 }, () => encryption.encrypt('x', 'a'))).size, 50)
})

test('data with any byte altered, too short, or malformed is not decrypted', () => {
  const encryption = openEncryption(file())
  const bytes = Buffer.from(encryption.encrypt('secret', 'a'), 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    assert.equal(encryption.decrypt(altered.toString('base64url'), 'a'), undefined, String(index))
  }
  for (const encrypted of ['', 'x', bytes.subarray(0, 28).toString('base64url'), '!'.repeat(80)])
    assert.equal(encryption.decrypt(encrypted, 'a'), undefined, encrypted)
})

test('the key is random, in a file readable for its owner only, and stays after a restart', () => {
  const encrypted = openEncryption(file()).encrypt('secret', 'a')
  const path = join(folder, 'device.key')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const key = readFileSync(path, 'utf8')
  assert.equal(openEncryption(file()).decrypt(encrypted, 'a'), 'secret')
  assert.equal(readFileSync(path, 'utf8'), key)
  rmSync(path)
  assert.equal(openEncryption(file()).decrypt(encrypted, 'a'), undefined, 'another key decrypts nothing')
  assert.equal(openEncryption(undefined).decrypt(encrypted, 'a'), undefined)
})

test('the mode of a key file is corrected, but not that of a secret that belongs to another user', () => {
  const path = join(folder, 'device.key')
  openEncryption(file())
  chmodSync(path, 0o644)
  openEncryption(file())
  assert.equal(statSync(path).mode & 0o777, 0o600)
  if (process.getuid?.() !== 0) return
  chmodSync(path, 0o440)
  chownSync(path, 65534, 65534)
  openEncryption(file())
  assert.equal(statSync(path).mode & 0o777, 0o440)
})

test('an invalid key file is reported, not replaced', () => {
  const path = join(folder, 'device.key')
  writeFileSync(path, 'short')
  assert.throws(() => openEncryption(file()), /device\.key does not contain a key: restore it/)
  assert.equal(readFileSync(path, 'utf8'), 'short')
})

test.run()
