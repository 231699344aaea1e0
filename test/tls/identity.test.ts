import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CertificateError, checkIdentity, readChain, readKey } from '../../tls/identity.ts'
import { encryptKey, makePair } from '../kit/tls/certificates.ts'

const test = suite('identity')

const root = makePair({ name: 'Root', isAuthority: true })
const middle = makePair({ name: 'Intermediate', isAuthority: true, issuer: root })
const leaf = makePair({ name: 'hub.test', names: 'DNS:hub.test,IP:192.0.2.1,IP:2001:db8::1', issuer: middle })
/** Later than the beginning of every certificate that the tests make. */
const NOW = Date.now() + 60_000

/** The fault with which a function refuses a certificate or a key. */
function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof CertificateError, String(error))
    return `${error.of}: ${error.fault}`
  }
  return 'none'
}

test('a chain is put into order, however the file has it', () => {
  for (const certs of [
    [leaf, middle, root],
    [root, leaf, middle],
    [middle, leaf, leaf]
  ]) {
    const { cert } = checkIdentity(certs.map((pair) => pair.cert).join(''), leaf.key, NOW)
    assert.ok(cert.startsWith(leaf.cert.trim().slice(0, 200)), 'the certificate comes first')
    assert.equal(readChain(cert).length, new Set(certs).size)
  }
})

test('text around the certificates is left out', () => {
  const { cert } = checkIdentity(`subject=hub\n${leaf.cert}\nissuer=Intermediate\n${middle.cert}`, leaf.key, NOW)
  assert.ok(!cert.includes('subject='))
})

test('each bad certificate and each bad key has its own fault', () => {
  const other = makePair()
  const nameless = makePair({ names: '' })
  const weak = makePair({ key: ['RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] })
  const check = (cert: string, key: string) => faultOf(() => checkIdentity(cert, key, NOW))
  assert.equal(check(leaf.cert, leaf.key), 'none')
  assert.equal(check(leaf.cert, other.key), 'key: mismatch')
  assert.equal(
    faultOf(() => checkIdentity(leaf.cert, leaf.key, NOW + 91 * 86_400_000)),
    'certificate: expired'
  )
  assert.equal(check(nameless.cert, nameless.key), 'certificate: no-name')
  assert.equal(check(weak.cert, weak.key), 'certificate: refused')
  assert.equal(check(leaf.cert + other.cert, leaf.key), 'certificate: chain')
  assert.equal(
    faultOf(() => checkIdentity(leaf.cert, leaf.key, NOW - 86_400_000)),
    'certificate: not-yet-valid'
  )
  assert.equal(
    faultOf(() => readChain(leaf.key)),
    'certificate: key-instead'
  )
  assert.equal(
    faultOf(() => readChain(leaf.cert + leaf.key)),
    'certificate: key-instead'
  )
  assert.equal(
    faultOf(() => readChain('hello')),
    'certificate: certificate'
  )
  assert.equal(
    faultOf(() => readChain(leaf.cert.replace(/^MII/m, 'AAA'))),
    'certificate: unreadable'
  )
  assert.equal(
    faultOf(() => readKey(leaf.cert)),
    'key: certificate-instead'
  )
  assert.equal(
    faultOf(() => readKey(encryptKey(leaf.key))),
    'key: encrypted'
  )
  assert.equal(
    faultOf(() => readKey(leaf.key.replace(/^MI/m, 'AA'))),
    'key: unreadable'
  )
  assert.equal(
    faultOf(() => readKey('hello')),
    'key: private-key'
  )
  assert.equal(
    faultOf(() => readKey(`${leaf.key}${'A'.repeat(70_000)}`)),
    'key: private-key'
  )
})

test.run()
