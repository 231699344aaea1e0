import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CERTIFICATE_WARNING_DAYS } from '../../contract/web/certificate.ts'
import { Certificates, type StoredPairs } from '../../tls/certificates.ts'
import { VALID_DAYS } from '../../tls/self-signed.ts'
import { makePair } from '../kit/tls/certificates.ts'

const test = suite('certificates')

const DAY = 86_400_000

let data: string
let clock: number
let stored: StoredPairs
let events: string[]
let names: string[]
let opened: Certificates[]
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-certificates-'))
  clock = Date.now() + 60_000
  stored = { current: undefined, former: undefined }
  events = []
  names = ['hub', '192.0.2.1', '[2001:db8::1]']
  opened = []
})
test.after.each(() => {
  for (const each of opened) each.close()
  rmSync(data, { recursive: true })
})

async function open(authorities?: string[]): Promise<Certificates> {
  const certificates = new Certificates({
    data,
    stored: () => stored,
    names: () => names,
    onChange() {},
    onEvent: (event) => events.push(event),
    now: () => clock,
    authorities
  })
  opened.push(certificates)
  await certificates.start()
  return certificates
}

const file = (name: string) => join(data, 'tls', name)

test('the first start makes a certificate for the names of the hub, and only the hub can read its key', async () => {
  const certificates = await open()
  const info = certificates.describe()
  assert.deepEqual(info?.names, ['hub', '192.0.2.1', '2001:DB8:0:0:0:0:0:1'])
  assert.equal(info?.['self-signed'], true)
  assert.equal(info?.trusted, false)
  const { publicKey, ca } = new X509Certificate(readFileSync(file('own.crt')))
  assert.equal(publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  assert.equal(ca, false)
  assert.equal(statSync(file('own.key')).mode & 0o777, 0o600)
  assert.equal(statSync(join(data, 'tls')).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(join(data, 'tls')).sort(), ['own.crt', 'own.key'])
})

test('a restart keeps the certificate, and a new name of the hub replaces it', async () => {
  const first = (await open()).describe()?.fingerprint
  assert.equal((await open()).describe()?.fingerprint, first)
  names = [...names, '192.0.2.2']
  assert.notEqual((await open()).describe()?.fingerprint, first)
  assert.deepEqual(events, ['created', 'created'])
})

test('the certificate of the hub is renewed before it ends', async () => {
  const certificates = await open()
  const first = certificates.describe()?.fingerprint
  clock += (VALID_DAYS - CERTIFICATE_WARNING_DAYS - 1) * DAY
  await certificates.check()
  assert.equal(certificates.describe()?.fingerprint, first)
  const replaced: string[] = []
  certificates.onReplaced(({ cert }) => replaced.push(cert))
  clock += 2 * DAY
  await certificates.check()
  assert.notEqual(certificates.describe()?.fingerprint, first)
  assert.equal(replaced.length, 1)
})

test('a check replaces the certificate when the hub has a new name, once for checks at the same time, with the key kept', async () => {
  const certificates = await open()
  const { fingerprint, 'key-pin': pin } = certificates.describe() ?? {}
  await certificates.check()
  assert.equal(certificates.describe()?.fingerprint, fingerprint)
  names = [...names, 'new.test', '192.0.2.2']
  await Promise.all([certificates.check(), certificates.check(), certificates.check()])
  assert.deepEqual(certificates.describe()?.names.slice(-2), ['new.test', '192.0.2.2'])
  assert.equal(certificates.describe()?.['key-pin'], pin)
  assert.deepEqual(events, ['created', 'created'])
  // A name that the hub has lost does no harm.
  names = names.slice(0, 2)
  await certificates.check()
  assert.deepEqual(events, ['created', 'created'])
})

test('a hub without HTTPS makes no certificate when its names change', async () => {
  const options = { data, stored: () => stored, names: () => names, onChange() {}, onEvent() {} }
  const certificates = new Certificates(options)
  opened.push(certificates)
  await certificates.check()
  assert.equal(certificates.identity(), undefined)
})

test('a damaged own certificate is replaced at the start', async () => {
  const first = (await open()).describe()?.fingerprint
  writeFileSync(file('own.crt'), readFileSync(file('own.crt'), 'utf8').slice(0, 200))
  assert.notEqual((await open()).describe()?.fingerprint, first)
})

test('an uploaded pair is used, trusted if its authority is, and reported before its end', async () => {
  const root = makePair({ name: 'Root', isAuthority: true })
  const leaf = makePair({ issuer: root })
  const certificates = await open([root.cert])
  const pair = { cert: certificates.addUpload('cert', leaf.cert), key: certificates.addUpload('key', leaf.key) }
  certificates.checkPair(pair)
  stored = { current: pair, former: undefined }
  await certificates.settingChanged()
  const info = certificates.describe()
  assert.deepEqual([info?.['self-signed'], info?.trusted, info?.names], [false, true, ['hub.test']])
  assert.equal(await certificates.isTrustedFor('hub.test'), true)
  assert.equal(await certificates.isTrustedFor('other.test'), false)
  assert.equal((await open([])).describe()?.trusted, false)
})

test('a damaged file of the chosen pair never ends HTTPS: the pair before it is used, else the own certificate', async () => {
  const [first, second] = [makePair({ name: 'first.test' }), makePair({ name: 'second.test' })]
  const certificates = await open([])
  const add = ({ cert, key }: typeof first) => ({
    cert: certificates.addUpload('cert', cert),
    key: certificates.addUpload('key', key)
  })
  stored = { former: add(first), current: add(second) }
  await certificates.settingChanged()
  assert.deepEqual(certificates.describe()?.names, ['second.test'])
  writeFileSync(file(stored.current?.key ?? ''), 'damaged')
  const restarted = await open([])
  assert.deepEqual([restarted.describe()?.names, restarted.isDamaged()], [['first.test'], true])
  writeFileSync(file(stored.former?.cert ?? ''), '')
  assert.equal((await open([])).describe()?.['self-signed'], true)
  assert.deepEqual(events, ['created', 'damaged', 'damaged'])
})

test('a certificate that has ended stays in use', async () => {
  const certificates = await open([])
  const { cert, key } = makePair({ days: 10 })
  stored = {
    former: undefined,
    current: { cert: certificates.addUpload('cert', cert), key: certificates.addUpload('key', key) }
  }
  clock += 20 * DAY
  const restarted = await open([])
  assert.deepEqual(restarted.describe()?.names, ['hub.test'])
  assert.ok((restarted.remaining() ?? 0) < 0)
})

test('uploads that are not used are removed, those in use stay', async () => {
  const certificates = await open([])
  const { cert } = makePair()
  const used = certificates.addUpload('cert', cert)
  stored = { former: undefined, current: { cert: used, key: 'key-none.pem' } }
  for (let count = 0; count < 10; count++) certificates.addUpload('cert', cert)
  const files = readdirSync(join(data, 'tls')).filter((name) => name.startsWith('cert-'))
  assert.equal(files.length, 5)
  assert.ok(files.includes(used))
})

test('a file name that is no upload is not read', async () => {
  const certificates = await open()
  for (const cert of ['own.crt', '../hub.lock', 'cert-../../x.pem', ''])
    assert.throws(() => certificates.checkPair({ cert, key: 'own.key' }), /certificate/)
})

test.run()
