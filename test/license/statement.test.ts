import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import { FREE_LIMITS } from '../../contract/license/license.ts'
import {
  type LicenseStatement,
  openLicense,
  openServerStatement,
  type SignedStatement,
  signStatement
} from '../../license/statement.ts'

const test = suite('license statement')
const issuer = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const trusted = [issuer.publicKey]
const LICENSE: LicenseStatement = {
  title: 'Diocese of Elsewhere',
  sn: 'A1B2C3D4',
  machine: 'f'.repeat(32),
  permissions: 0,
  limits: FREE_LIMITS,
  issued: 1,
  expires: 0,
  'support-end': 0
}
const signed = signStatement(LICENSE, issuer.privateKey)

test('a statement that was signed with a trusted key is read', () => {
  assert.deepEqual(openLicense(signed, trusted), LICENSE)
  assert.deepEqual(openLicense(JSON.parse(JSON.stringify(signed)), [stranger.publicKey, ...trusted]), LICENSE)
})

test('a statement of another key, or with a changed byte, is refused', () => {
  assert.equal(openLicense(signed, [stranger.publicKey]), 'key-unknown')
  assert.equal(openLicense({ ...signed, key: signStatement(LICENSE, stranger.privateKey).key }, trusted), 'key-unknown')
  const more = { ...LICENSE, limits: { ...FREE_LIMITS, 'max-live-count': 0 } }
  const statement = Buffer.from(JSON.stringify(more)).toString('base64')
  assert.equal(openLicense({ ...signed, statement }, trusted), 'signature')
  assert.equal(openLicense({ ...signed, signature: '' }, trusted), 'signature')
})

test('what is not a licence is damaged', () => {
  for (const value of [undefined, null, 1, 'text', [], {}, { ...signed, format: 2 }, { ...signed, statement: 1 }])
    assert.equal(openLicense(value, trusted), 'damaged', JSON.stringify(value))
  const incomplete = (fields: object) =>
    openLicense(signStatement({ ...LICENSE, ...fields } as LicenseStatement, issuer.privateKey), trusted)
  for (const fields of [
    { title: '' },
    { expires: -1 },
    { expires: 1.5 },
    { limits: null },
    { limits: {} },
    { limits: { ...FREE_LIMITS, 'max-dev-count': -1 } },
    { 'support-end': undefined }
  ])
    assert.equal(incomplete(fields), 'damaged', JSON.stringify(fields))
})

test('the answer of a server is valid for one request', () => {
  const answer = signStatement({ nonce: 'n1', time: 5, state: 0, license: signed }, issuer.privateKey)
  assert.deepEqual(openServerStatement(answer, trusted, 'n1'), { nonce: 'n1', time: 5, state: 0, license: signed })
  assert.equal(openServerStatement(answer, trusted, 'n2'), 'damaged')
  assert.equal(openServerStatement(signed as SignedStatement, trusted, 'n1'), 'damaged')
})

test.run()
