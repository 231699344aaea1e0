import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { readSigner } from '../../../firmware-pack/keys.ts'
import { readTrusted } from '../../../hub/upgrade/trusted-keys.ts'
import { DEVELOPMENT_KEY, fingerprint } from '../../../pack/keys.ts'

const test = suite('trusted keys')

const folder = mkdtempSync(join(tmpdir(), 'headend-trusted-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))
function write(name: string, ...texts: string[]): string {
  writeFileSync(join(folder, name), texts.join('\n'))
  return join(folder, name)
}

const [one, two, three] = [1, 2, 3].map(() => generateKeyPairSync('ed25519').publicKey) as [
  KeyObject,
  KeyObject,
  KeyObject
]
const prints = (keys: readonly KeyObject[]) => keys.map(fingerprint)

test('the development key here is the one that packs are signed with', () => {
  assert.equal(fingerprint(readSigner(undefined).key), fingerprint(DEVELOPMENT_KEY))
})

test('without a key the development key is trusted, in production none is', () => {
  assert.deepEqual(prints(readTrusted(undefined, false)), prints([DEVELOPMENT_KEY]))
  assert.deepEqual(prints(readTrusted('', false)), prints([DEVELOPMENT_KEY]))
  assert.deepEqual(readTrusted(undefined, true), [])
})

test('several files with several keys are read, and nobody else is trusted', () => {
  const paths = [write('a.pem', pem(one), pem(two)), write('b.pem', pem(three))].join(':')
  assert.deepEqual(prints(readTrusted(paths, false)), prints([one, two, three]))
})

test('in production the development key is not trusted even where it is named', () => {
  const path = write('c.pem', pem(DEVELOPMENT_KEY), pem(one))
  assert.deepEqual(prints(readTrusted(path, true)), prints([one]))
  assert.deepEqual(prints(readTrusted(path, false)), prints([DEVELOPMENT_KEY, one]))
})

test('a file that is missing, or holds no such key, is a fault that names it', () => {
  assert.throws(() => readTrusted(join(folder, 'nowhere.pem'), true), /PUBLIC_KEY: there is no file .*nowhere\.pem/)
  assert.throws(() => readTrusted(write('garbage.pem', 'x'), true), /garbage\.pem holds no public key/)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  assert.throws(() => readTrusted(write('rsa.pem', pem(rsa.publicKey)), true), /rsa, not of Ed25519/)
  // The private half is nothing for a hub.
  const secret = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  assert.throws(() => readTrusted(write('private.pem', secret), true), /holds no public key/)
})

test.run()
