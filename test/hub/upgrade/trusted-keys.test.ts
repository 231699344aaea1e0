import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { readSigner } from '../../../firmware-pack/keys.ts'
import { readTrustedKeys } from '../../../hub/upgrade/trusted-keys.ts'
import { DEVELOPMENT_KEY, fingerprint } from '../../../pack/keys.ts'

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

test('without a key file the development key is trusted, but in production no key', () => {
  assert.deepEqual(fingerprints(readTrustedKeys(undefined, false)), fingerprints([DEVELOPMENT_KEY]))
  assert.deepEqual(fingerprints(readTrustedKeys('', false)), fingerprints([DEVELOPMENT_KEY]))
  assert.deepEqual(readTrustedKeys(undefined, true), [])
})

test('all keys in several files are trusted, and no others', () => {
  const paths = [write('a.pem', pem(firstKey), pem(secondKey)), write('b.pem', pem(thirdKey))].join(':')
  assert.deepEqual(fingerprints(readTrustedKeys(paths, false)), fingerprints([firstKey, secondKey, thirdKey]))
})

test('in production the development key is not trusted even if a file contains it', () => {
  const path = write('c.pem', pem(DEVELOPMENT_KEY), pem(firstKey))
  assert.deepEqual(fingerprints(readTrustedKeys(path, true)), fingerprints([firstKey]))
  assert.deepEqual(fingerprints(readTrustedKeys(path, false)), fingerprints([DEVELOPMENT_KEY, firstKey]))
})

test('a missing file, or one without an Ed25519 public key, is reported by name', () => {
  assert.throws(
    () => readTrustedKeys(join(folder, 'nowhere.pem'), true),
    /PUBLIC_KEY: the file .*nowhere\.pem does not exist/
  )
  assert.throws(() => readTrustedKeys(write('garbage.pem', 'x'), true), /garbage\.pem contains no public key/)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  assert.throws(() => readTrustedKeys(write('rsa.pem', pem(rsa.publicKey)), true), /rsa; Ed25519 is required/)
  // A private key is refused.
  const secret = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  assert.throws(() => readTrustedKeys(write('private.pem', secret), true), /contains no public key/)
})

test.run()
