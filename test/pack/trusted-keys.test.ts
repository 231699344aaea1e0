import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { readSigner } from '../../firmware-pack/keys.ts'
import { DEVELOPMENT_KEY, fingerprint } from '../../pack/keys.ts'
import { readTrustedKeys, TRUSTED_KEYS_FILE } from '../../pack/trusted-keys.ts'

const test = suite('trusted keys')

const folder = mkdtempSync(join(tmpdir(), 'headend-trusted-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))
function write(name: string, ...texts: string[]): string {
  writeFileSync(join(folder, name), texts.join('\n'))
  return join(folder, name)
}

const [firstKey, secondKey, thirdKey] = [1, 2, 3].map(() => generateKeyPairSync('ed25519').publicKey) as [
  KeyObject,
  KeyObject,
  KeyObject
]
const fingerprints = (keys: readonly KeyObject[]) => keys.map(fingerprint)

test('the development key is the one with which packs are signed', () => {
  assert.equal(fingerprint(readSigner(undefined).key), fingerprint(DEVELOPMENT_KEY))
})

/** Reads keys without a data folder. */
const readKeys = (paths?: string, isDevelopment = false) =>
  readTrustedKeys({ paths, folders: [join(folder, 'no data')], isDevelopment })

test('without a key file no key is trusted, and in development the development key', () => {
  for (const paths of [undefined, '']) {
    assert.deepEqual(readKeys(paths), [])
    assert.deepEqual(fingerprints(readKeys(paths, true)), fingerprints([DEVELOPMENT_KEY]))
  }
})

test('the file in the data folder is read unless another file is named', () => {
  write(TRUSTED_KEYS_FILE, pem(firstKey))
  const read = (paths?: string) =>
    fingerprints(readTrustedKeys({ paths, folders: [join(folder, 'no data'), folder], isDevelopment: false }))
  assert.deepEqual(read(), fingerprints([firstKey]))
  assert.deepEqual(read(write('other.pem', pem(secondKey))), fingerprints([secondKey]))
})

test('all keys in several files are trusted, and no others', () => {
  const paths = [write('a.pem', pem(firstKey), pem(secondKey)), write('b.pem', pem(thirdKey))].join(':')
  assert.deepEqual(fingerprints(readKeys(paths)), fingerprints([firstKey, secondKey, thirdKey]))
})

test('the development key is not trusted even if a file contains it, except in development', () => {
  const path = write('c.pem', pem(DEVELOPMENT_KEY), pem(firstKey))
  assert.deepEqual(fingerprints(readKeys(path)), fingerprints([firstKey]))
  assert.deepEqual(fingerprints(readKeys(path, true)), fingerprints([firstKey, DEVELOPMENT_KEY]))
})

test('a key file that every user of the machine may write is refused', () => {
  const path = write('open.pem', pem(firstKey))
  chmodSync(path, 0o646)
  assert.throws(() => readKeys(path), /every user of this machine may write .*open\.pem: chmod o-w/)
})

test('a missing file, or one without an Ed25519 public key, is reported by name', () => {
  assert.throws(() => readKeys(join(folder, 'nowhere.pem')), /TRUSTED_KEYS: the file .*nowhere\.pem does not exist/)
  assert.throws(() => readKeys(write('garbage.pem', 'x')), /garbage\.pem contains no public key/)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  assert.throws(() => readKeys(write('rsa.pem', pem(rsa.publicKey))), /rsa; Ed25519 is required/)
  // A private key is refused.
  const secret = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  assert.throws(() => readKeys(write('private.pem', secret)), /contains no public key/)
})

test.run()
