import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCloud } from '../../../cloud/cloud.ts'
import { SigningKeys } from '../../../cloud/signing/signing-key.ts'
import { openStore, type Store } from '../../../cloud/store/store.ts'
import { successorText } from '../../../contract/cloud/signing.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('signing key of the cloud')

let folder: string
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'signing-'))
})
test.after.each(() => rmSync(folder, { recursive: true }))

const keyFile = (name = 'cloud.key') => join(folder, name)
const openKeys = (store: Store, file = keyFile()) =>
  SigningKeys.open({ store, data: folder, keyFile: file, now: Date.now })

function isSignedBy(publicKey: Buffer, text: string, signature: Buffer): boolean {
  const key = createPublicKey({ key: publicKey, type: 'spki', format: 'der' })
  return verify(null, Buffer.from(text), key, signature)
}

const rowsOf = (store: Store) =>
  store.withinCloud((transaction) => transaction.selectFrom('signing_keys').selectAll().execute())

function testKeys({ test, open }: Stores): void {
  test('the key is made once, and is the same for every node with the key file', async () => {
    const store = await open()
    const first = await openKeys(store)
    const second = await openKeys(store)
    assert.equal(first.current.fingerprint.length, 43)
    assert.equal(second.current.fingerprint, first.current.fingerprint)
    assert.ok(isSignedBy(first.current.publicKey, 'text', second.current.sign(Buffer.from('text'))))
    assert.deepEqual(first.chain, [{ key: first.current.publicKey.toString('base64'), signature: '' }])
  })

  test('of nodes that start at the same time, all have the same key', async () => {
    const store = await open()
    const nodes = await Promise.all(Array.from({ length: 5 }, () => openKeys(store)))
    assert.equal(new Set(nodes.map(({ current }) => current.fingerprint)).size, 1)
    assert.equal((await rowsOf(store)).length, 1)
  })

  test('the database does not reveal the private key', async () => {
    const store = await open()
    const { current } = await openKeys(store)
    const [row] = await rowsOf(store)
    const bytes = Buffer.from(row?.private_key ?? '', 'base64url')
    // The beginning of every private key of Ed25519 in PKCS #8 (RFC 8410, 10.3).
    const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
    assert.ok(!bytes.includes(prefix) && !bytes.toString().includes(prefix.toString('base64').slice(0, 20)))
    assert.equal(row?.public_key, current.publicKey.toString('base64'))
  })

  test('a node without the key file, or with another one, does not start, and changes nothing', async () => {
    const store = await open()
    const { current } = await openKeys(store)
    await assert.rejects(
      openKeys(store, keyFile('absent.key')),
      /absent\.key .* is missing: .* copy that of another node/
    )
    writeFileSync(keyFile('other.key'), Buffer.alloc(32, 7).toString('base64url'))
    await assert.rejects(openKeys(store, keyFile('other.key')), /does not fit the database/)
    assert.equal((await openKeys(store)).current.fingerprint, current.fingerprint)
  })

  test('a successor is signed by its predecessor, and another node takes it over', async () => {
    const store = await open()
    const [node, other] = [await openKeys(store), await openKeys(store)]
    const first = node.current
    const second = await node.replace()
    const third = await node.replace()
    assert.equal(other.current.fingerprint, first.fingerprint)
    await other.refresh()
    assert.equal(other.current.fingerprint, third.fingerprint)
    assert.deepEqual(other.chain, node.chain)
    const keys = [first, second, third]
    for (const [index, { key, signature }] of other.chain.entries()) {
      assert.equal(key, keys[index]?.publicKey.toString('base64'))
      const predecessor = keys[index - 1]
      if (!predecessor) continue
      assert.ok(isSignedBy(predecessor.publicKey, successorText(key), Buffer.from(signature, 'base64')))
    }
    assert.equal(other.find(first.fingerprint)?.fingerprint, first.fingerprint)
    assert.equal(other.find('unknown'), undefined)
  })

  test('of two successors at the same time, one is stored', async () => {
    const store = await open()
    const [node, other] = [await openKeys(store), await openKeys(store)]
    const results = await Promise.allSettled([node.replace(), other.replace()])
    const stored = (await rowsOf(store)).length - 1
    assert.equal(stored, results.filter(({ status }) => status === 'fulfilled').length)
    assert.ok(stored >= 1)
  })
}

for (const stores of bothDatabases(test)) testKeys(stores)

test('the command replaces the key of a cloud that is stopped', async () => {
  const options = { data: folder, keyFile: keyFile(), host: '127.0.0.1', organisation: 'headend' }
  const cloud = await createCloud(options)
  const { fingerprint } = cloud.signingKeys.current
  const run = () =>
    execFileSync(process.execPath, ['cloud/replace-signing-key.ts'], {
      env: { ...process.env, CLOUD_DATA: folder, KEY_FILE: keyFile(), DATABASE_URL: '' },
      encoding: 'utf8',
      stdio: 'pipe'
    })
  assert.throws(run, /another node uses/)
  await cloud.close()
  const [, printed] = /fingerprint ([\w-]{43})$/.exec(run().trim()) ?? []
  const store = await openStore({ data: folder })
  const keys = await openKeys(store)
  await store.close()
  assert.equal(keys.current.fingerprint, printed)
  assert.ok(keys.find(fingerprint))
})

test.run()
