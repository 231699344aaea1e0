// Licence servers that lie, are slow, or are no licence servers.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { suite } from 'uvu'
import { IN_PROGRESS, SUCCESS, TIMEOUT } from '../../../contract/codes.ts'
import { activateLicense, deactivateLicense, getLicense } from '../../../contract/license/calls.ts'
import { FREE_LIMITS, LICENSE_STATE } from '../../../contract/license/license.ts'
import { listLog } from '../../../contract/log.ts'
import { parseServerAddress, SERVER_TIMEOUT } from '../../../hub/license/license-server.ts'
import type { ServerRequest } from '../../../license/server/serve.ts'
import { LICENSE_FILE_MAX, type LicenseStatement, signStatement } from '../../../license/statement.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const DAY = 24 * 60 * 60 * 1000
const MACHINE = 'a'.repeat(32)
const issuer = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const LICENSE: LicenseStatement = {
  title: 'Diocese',
  sn: 'A1B2C3D4',
  machine: MACHINE,
  permissions: 3,
  limits: { ...FREE_LIMITS, 'max-live-count': 2 },
  issued: Date.now(),
  expires: 0,
  'support-end': 0
}

/** Answers a request. */
type Answer = (response: ServerResponse, request: ServerRequest) => void

const test = suite('untrusted license server')
let answer: Answer
let server: Server
let hub: TestHub
let admin: Client
test.before.each(async () => {
  answer = honest
  server = createServer(async (request, response) => answer(response, (await json(request)) as ServerRequest))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  hub = await startHub({
    license: { trusted: [issuer.publicKey], machine: MACHINE, server: `http://127.0.0.1:${port}` }
  })
  admin = hub.clientAs()
})
test.after.each(async () => {
  await hub.close()
  server.closeAllConnections()
  server.close()
})

/** A signed answer to the request. */
function signAnswer(nonce: string, fields: Partial<LicenseStatement> = {}, key = issuer.privateKey, inner = key) {
  const license = signStatement({ ...LICENSE, ...fields }, inner)
  return signStatement({ nonce, time: Date.now(), state: LICENSE_STATE.valid, license }, key)
}
const honest: Answer = (response, { nonce }) => response.end(JSON.stringify(signAnswer(nonce)))
const activate = () => admin.send(activateLicense, { 'user-name': LICENSE.title, sn: LICENSE.sn })
const state = async () => (await admin.send(getLicense, {}))['license-reg'].status

const { caKeyError, caLicenseError, error } = LICENSE_STATE
const LIES: readonly (readonly [name: string, result: number, answer: Answer])[] = [
  [
    'signs with a key that is not trusted',
    caKeyError,
    (response, { nonce }) => response.end(JSON.stringify(signAnswer(nonce, {}, stranger.privateKey)))
  ],
  [
    'sends a wrong signature',
    caLicenseError,
    (response, { nonce }) =>
      response.end(JSON.stringify({ ...signAnswer(nonce), signature: signAnswer('other').signature }))
  ],
  [
    'sends a licence of another issuer',
    error,
    (response, { nonce }) => response.end(JSON.stringify(signAnswer(nonce, {}, issuer.privateKey, stranger.privateKey)))
  ],
  [
    'sends a licence for another machine',
    error,
    (response, { nonce }) => response.end(JSON.stringify(signAnswer(nonce, { machine: 'b'.repeat(32) })))
  ],
  [
    'sends another serial number',
    error,
    (response, { nonce }) => response.end(JSON.stringify(signAnswer(nonce, { sn: 'FFFF' })))
  ],
  ['repeats an old answer', error, (response) => response.end(JSON.stringify(signAnswer('an old nonce')))],
  [
    'says valid without a licence',
    error,
    (response, { nonce }) =>
      response.end(JSON.stringify(signStatement({ nonce, time: 1, state: 0 }, issuer.privateKey)))
  ],
  [
    'sends limits out of range',
    error,
    (response, { nonce }) =>
      response.end(JSON.stringify(signAnswer(nonce, { limits: { ...FREE_LIMITS, 'max-live-count': 1e12 } })))
  ],
  ['sends no JSON', error, (response) => response.end('<html>')],
  ['answers with null', error, (response) => response.end('null')],
  [
    'sends an endless answer',
    error,
    (response) => {
      const timer = setInterval(() => response.write('x'.repeat(LICENSE_FILE_MAX / 4)), 1)
      response.on('close', () => clearInterval(timer))
    }
  ],
  ['redirects', error, (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/activate' }).end()],
  ['has no such path', error, (response) => response.writeHead(404).end()],
  ['has an error', TIMEOUT, (response) => response.writeHead(503).end()],
  ['closes the connection', TIMEOUT, (response) => response.destroy()]
]

for (const [name, result, lie] of LIES)
  test(`a server that ${name} changes nothing, and is told apart from one that is away`, async () => {
    assert.equal((await activate()).result, SUCCESS)
    const before = hub.parts.store.settings.get('license')
    answer = lie
    const refused = await activate()
    assert.equal(refused.result, result)
    if (result !== TIMEOUT) {
      assert.deepEqual([refused['license-state'], refused['license-reason']], [result, 'untrusted-server'])
      assert.match(refused.message ?? '', /cannot be trusted. Check its address and the trusted keys/)
    }
    assert.deepEqual(hub.parts.store.settings.get('license'), before)
    assert.equal(await state(), LICENSE_STATE.valid)
  })

test('an older licence from the server is refused', async () => {
  assert.equal((await activate()).result, SUCCESS)
  answer = (response, { nonce }) =>
    response.end(JSON.stringify(signAnswer(nonce, { issued: LICENSE.issued - 2 * DAY, limits: FREE_LIMITS })))
  assert.equal((await activate()).result, LICENSE_STATE.error)
  assert.equal(hub.parts.store.settings.get('license-limits')['max-live-count'], 2)
})

test('a slow server is given up after its time limit; meanwhile no second request starts', async () => {
  answer = (response) => {
    const timer = setInterval(() => response.write(' '), 500)
    response.on('close', () => clearInterval(timer))
  }
  const startedAt = performance.now()
  const first = activate()
  await until(() => hub.parts.license.isAsking, 'the request runs')
  const others = await Promise.all([activate(), activate(), activate()])
  assert.deepEqual(
    others.map(({ result }) => result),
    [IN_PROGRESS, IN_PROGRESS, IN_PROGRESS]
  )
  assert.equal((await first).result, TIMEOUT)
  assert.ok(performance.now() - startedAt >= SERVER_TIMEOUT - 50)
  answer = honest
  assert.equal((await activate()).result, SUCCESS)
})

test('a lie at the daily check changes nothing; the truth ends the licence', async () => {
  assert.equal((await activate()).result, SUCCESS)
  const { license, store } = hub.parts
  const stored = store.settings.get('license')
  assert.ok(stored?.server)
  const old = { ...stored, server: { ...stored.server, at: Date.now() - DAY } }
  store.settings.set('license', old)
  answer = (response, { nonce }) =>
    response.end(JSON.stringify(signStatement({ nonce, time: 1, state: LICENSE_STATE.disabled }, stranger.privateKey)))
  license.start()
  await until(() => !license.isAsking, 'the check has ended')
  assert.deepEqual(store.settings.get('license'), old)
  answer = (response, { nonce }) =>
    response.end(
      JSON.stringify(signStatement({ nonce, time: Date.now(), state: LICENSE_STATE.disabled }, issuer.privateKey))
    )
  license.start()
  await until(() => !license.isAsking, 'the check has ended')
  assert.equal(await state(), LICENSE_STATE.disabled)
})

test('the operation log has the serial number of an activation, and nothing of its answer', async () => {
  assert.equal((await activate()).result, SUCCESS)
  assert.equal((await admin.send(deactivateLicense, { 'user-name': LICENSE.title })).result, SUCCESS)
  const log = JSON.stringify((await admin.send(listLog, { type: 'operation' })).list)
  assert.match(log, /A1B2C3D4/)
  for (const secret of [MACHINE, 'signature', 'nonce', 'statement']) assert.doesNotMatch(log, new RegExp(secret))
})

test('the address of the server is checked when the hub starts', () => {
  assert.equal(parseServerAddress('https://licenses.example.com/hub/'), 'https://licenses.example.com/hub')
  for (const text of ['licenses.example.com', 'ftp://a', 'http://me:secret@a', 'http://a/?key=1', 'http://a/#b'])
    assert.throws(() => parseServerAddress(text), /is not an address like/)
})

test.run()
