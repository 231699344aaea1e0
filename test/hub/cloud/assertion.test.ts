import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { ASSERTION_PURPOSE, type Assertion, CHALLENGE_SECONDS } from '../../../contract/cloud/relay.ts'
import { signMessage } from '../../../device-link/signed-message.ts'
import { Challenges } from '../../../hub/cloud-relay/challenges.ts'
import { readAssertion } from '../../../hub/cloud-relay/read-assertion.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('assertions')

const SN = 'HUB-0A1B2C3D4E5F'
const keys = generateKeyPairSync('ed25519')

interface Fixture {
  challenge: string
  clock: { now: number }
  /** Reads an assertion with some fields changed. */
  read(change?: Partial<Assertion>, signer?: { key?: typeof keys; purpose?: string }): ReturnType<typeof readAssertion>
}

function prepare(): Fixture {
  const clock = { now: 1000 }
  const challenges = new Challenges(() => clock.now)
  const challenge = challenges.make()
  let count = 0
  return {
    challenge,
    clock,
    read(change, { key = keys, purpose = ASSERTION_PURPOSE } = {}) {
      const assertion: Assertion = {
        ...{ sn: SN, challenge, id: String(++count).padStart(22, '0'), method: 'GET', target: '/api/session' },
        user: { name: 'anna', organisation: 'headend', permission: 4, type: 2 },
        ...{ session: 'a'.repeat(64), 'authenticated-s': 3, address: '192.0.2.1' },
        ...change
      }
      const text = signMessage(purpose, assertion, (data) => sign(null, data, key.privateKey))
      const expected = { publicKey: keys.publicKey, challenges, sn: SN, organisation: 'headend' }
      return readAssertion(text, { ...expected, method: 'GET', target: '/api/session' })
    }
  }
}

test('an assertion of the cloud for this request is accepted', () => {
  const read = prepare().read()
  assert.equal(typeof read === 'object' && read.user.name, 'anna')
})

test('an assertion is refused a second time', () => {
  const { read } = prepare()
  const id = 'x'.repeat(22)
  assert.equal(typeof read({ id }), 'object')
  assert.equal(read({ id }), 'used')
})

test('an assertion for another hub, organisation, method, path or query is refused', () => {
  const { read } = prepare()
  const user = { name: 'anna', organisation: 'other', permission: 4, type: 2 }
  const others: Partial<Assertion>[] = [
    { sn: 'HUB-OTHER' },
    { user },
    { method: 'POST' },
    { target: '/api/sessions' },
    { target: '/api/session?a=1' }
  ]
  for (const change of others) assert.equal(read(change), 'invalid', JSON.stringify(change))
})

test('an assertion that another key or for another purpose signed is refused', () => {
  const { read } = prepare()
  assert.equal(read({}, { key: generateKeyPairSync('ed25519') }), 'invalid')
  assert.equal(read({}, { purpose: 'headend-successor/1' }), 'invalid')
})

test('a challenge is valid for a minute of the clock of the hub, whatever that of the cloud says', () => {
  const { read, clock } = prepare()
  clock.now += CHALLENGE_SECONDS * 1000
  assert.equal(typeof read(), 'object')
  clock.now += 1
  assert.equal(read(), 'expired')
  assert.equal(read({ challenge: 'made up' }), 'expired')
})

test('malformed assertions are refused', () => {
  const { publicKey } = keys
  const challenges = new Challenges()
  const expected = { publicKey, challenges, sn: SN, organisation: 'headend', method: 'GET', target: '/' }
  for (const text of [undefined, '', '.', 'a.b', 'a.b.c', 'x'.repeat(9000)])
    assert.equal(readAssertion(text, expected), 'invalid')
  const { read } = prepare()
  const wrong = [{ address: 'host' }, { session: '' }, { id: 'short' }, { 'authenticated-s': -1 }]
  for (const change of wrong) assert.equal(read(change), 'invalid', JSON.stringify(change))
  assert.equal(readAssertion('a.b', { ...expected, publicKey: undefined }), 'invalid')
})

test('only so many challenges are kept', () => {
  const challenges = new Challenges()
  const first = challenges.make()
  for (let count = 0; count < 8; count++) challenges.make()
  assert.equal(challenges.use(first, 'id'), 'expired')
})

test.run()
