import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { suite } from 'uvu'
import { CA_KEY_ERROR, CA_LICENSE_ERROR, INVALID_ARG, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { PEM_MAX } from '../../../../contract/limits.ts'
import { listLog } from '../../../../contract/log.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { uploadCertificate, uploadCertificateKey } from '../../../../contract/web/certificate.ts'
import type { WebRequest, WebSettings } from '../../../../contract/web/settings.ts'
import { HSTS_MAX_AGE } from '../../../../hub/http/secure/transport-policy.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { freeTcpPort } from '../../../kit/net/free-port.ts'
import { encryptKey, makePair, type Pair } from '../../../kit/tls/certificates.ts'
import { until } from '../../../kit/until.ts'

const test = suite('certificate')

const root = makePair({ name: 'Root', isAuthority: true })
const leaf = makePair({ name: 'hub.test', issuer: root })

let clock: number
let hub: TestHub
let admin: Client
let ports: { port: number; httpsPort?: number | undefined }
test.before.each(async () => {
  clock = Date.now() + 60_000
  hub = await startHub({ web: { now: () => clock, authorities: [root.cert] }, hosts: ['hub.test'] })
  admin = hub.clientAs()
  hub.parts.store.database.run('UPDATE user SET is_default_password = 0')
  ports = await hub.listen(0, 0, { https: 0 })
})
test.after.each(() => hub.close())

async function upload(kind: 'cert' | 'key', text: string) {
  const form = new FormData()
  form.append('file', new Blob([text]), 'file.pem')
  const { path } = kind === 'cert' ? uploadCertificate : uploadCertificateKey
  const response = await admin.post(`/api${path}`, form)
  return (await response.json()) as { result: number; filename: string; fault?: string; message?: string }
}

async function uploadPair({ cert, key }: Pair): Promise<WebRequest> {
  const [first, second] = [await upload('cert', cert), await upload('key', key)]
  return { 'cert-filename': first.filename, 'cert-key-filename': second.filename }
}

const setWeb = (web: WebRequest, client = admin) => client.send(setSettings, { web })
const web = async (): Promise<Partial<WebSettings>> => (await admin.send(getSettings, {})).settings.web ?? {}

/** The names in the certificate that a new connection gets. */
async function servedNames(): Promise<string | undefined> {
  const socket = connect({ port: ports.httpsPort ?? 0, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const names = socket.getPeerCertificate().subjectaltname
  socket.destroy()
  return names
}

interface Reply {
  result?: number
  fault?: string
  field?: string
  message?: string
  settings?: { web?: WebSettings }
}

/** Sends a request over HTTPS under a name. */
async function overHttps(path: string, body?: object, name = 'hub.test', more: Record<string, string> = {}) {
  const headers = {
    ...more,
    cookie: admin.cookie,
    'content-type': 'application/json',
    host: `${name}:${ports.httpsPort}`
  }
  const options = { port: ports.httpsPort, host: '127.0.0.1', path, headers, rejectUnauthorized: false, agent: false }
  const [response] = await once(
    request({ ...options, method: body ? 'POST' : 'GET' }).end(body && JSON.stringify(body)),
    'response'
  )
  let text = ''
  for await (const chunk of response) text += chunk
  return { headers: response.headers, ...(JSON.parse(text || '{}') as Reply) }
}

const setOverHttps = (change: WebRequest, name?: string) => overHttps('/api/settings/set', { web: change }, name)

test('an uploaded pair serves new connections, and the settings describe it', async () => {
  assert.equal((await web())['https-state'], 'self-signed')
  const files = await uploadPair({ cert: leaf.cert + root.cert, key: leaf.key })
  assert.equal((await setWeb(files)).result, SUCCESS)
  assert.equal(await servedNames(), 'DNS:hub.test')
  const { certificate, ...settings } = await web()
  assert.equal(settings['https-state'], 'enabled')
  assert.deepEqual(
    [certificate?.names, certificate?.trusted, certificate?.['self-signed']],
    [['hub.test'], true, false]
  )
  assert.deepEqual(
    certificate?.chain.map(({ subject }) => subject),
    ['CN=Root']
  )
  assert.equal(settings['cert-path'], files['cert-filename'])
})

test('wrong, mismatched, encrypted, expired, huge and swapped files are refused with their reason, and change nothing', async () => {
  const own = await servedNames()
  const huge = `${leaf.cert}${'A'.repeat(PEM_MAX)}`
  for (const [kind, text, result, fault] of [
    ['cert', 'hello', CA_LICENSE_ERROR, 'certificate'],
    ['cert', leaf.key, CA_LICENSE_ERROR, 'key-instead'],
    ['cert', huge, CA_LICENSE_ERROR, 'certificate'],
    ['key', leaf.cert, CA_KEY_ERROR, 'certificate-instead'],
    ['key', encryptKey(leaf.key), CA_KEY_ERROR, 'encrypted'],
    ['key', `${leaf.key}${'A'.repeat(PEM_MAX)}`, CA_KEY_ERROR, 'private-key']
  ] as const) {
    const response = await upload(kind, text)
    assert.deepEqual([response.result, response.fault], [result, fault])
    assert.match(response.message ?? '', /\n/, 'says why and what to do')
  }
  const other = await upload('key', makePair().key)
  const files = await uploadPair(leaf)
  const mismatch = await setWeb({ ...files, 'cert-key-filename': other.filename })
  assert.deepEqual(
    [mismatch.result, mismatch.fault, mismatch.field],
    [CA_KEY_ERROR, 'mismatch', 'web.cert-key-filename']
  )
  const unknown = await setWeb({ 'cert-filename': 'own.crt', 'cert-key-filename': 'own.key' })
  assert.deepEqual([unknown.result, unknown.fault], [CA_LICENSE_ERROR, 'certificate'])
  assert.equal((await setWeb({ 'cert-filename': files['cert-filename'] })).result, INVALID_ARG)
  clock += 91 * 86_400_000
  assert.equal((await setWeb(files)).fault, 'expired')
  assert.equal(await servedNames(), own)
  assert.equal((await web())['cert-path'], undefined)
})

test('the certificate of the hub has a name as soon as the settings do', async () => {
  assert.doesNotMatch((await servedNames()) ?? '', /new\.test/)
  assert.equal((await admin.send(setSettings, { hosts: { names: ['new.test'] } })).result, SUCCESS)
  assert.match((await servedNames()) ?? '', /DNS:new\.test/)
})

test('an upload of many megabytes is refused before it arrives whole', async () => {
  const { result } = await upload('cert', 'A'.repeat(20 << 20))
  assert.equal(result, CA_LICENSE_ERROR)
})

test('the state says when the certificate comes to its end, and when it has ended', async () => {
  await setWeb(await uploadPair(leaf))
  clock += 61 * 86_400_000
  assert.equal((await web())['https-state'], 'expiring')
  clock += 30 * 86_400_000
  const settings = await web()
  assert.deepEqual([settings['https-state'], settings['is-cert-valid']], ['expired', false])
})

test('no response and no log has a private key', async () => {
  await setWeb(await uploadPair(leaf))
  const secret = leaf.key.split('\n')[1] ?? ''
  const texts = [
    await admin.send(getSettings, {}),
    await admin.send(listLog, { type: 'operation', start: 0, count: 50 })
  ]
  assert.ok(!JSON.stringify(texts).includes(secret))
})

test('the hub returns to its own certificate when both names are empty', async () => {
  const own = await servedNames()
  await setWeb(await uploadPair(leaf))
  assert.equal((await setWeb({ 'cert-filename': '', 'cert-key-filename': '' })).result, SUCCESS)
  assert.equal(await servedNames(), own)
})

test('the redirect is switched on over HTTPS only, and this machine is not redirected', async () => {
  const refused = await setWeb({ 'redirect-http': true })
  assert.deepEqual([refused.result, refused.fault], [WRONG_STATE, 'not-over-https'])
  assert.equal((await setOverHttps({ 'redirect-http': true })).result, SUCCESS)
  const get = (path: string, address: string) =>
    fetch(`http://127.0.0.1:${ports.port}${path}`, { redirect: 'manual', headers: { 'x-forwarded-for': address } })
  const far = await get('/page?a=1', '192.0.2.9')
  assert.equal(far.status, 307)
  assert.equal(far.headers.get('location'), `https://127.0.0.1:${ports.httpsPort}/page?a=1`)
  assert.equal(far.headers.get('cache-control'), 'no-store')
  for (const path of ['/healthz', '/healthz/live', '/healthz/ready'])
    assert.equal((await get(path, '192.0.2.9')).status, 200, path)
  // A program that calls the API over HTTP works as before.
  assert.equal((await get('/api/session', '192.0.2.9')).status, 200)
  assert.notEqual((await get('/page', '127.0.0.1')).status, 307)
  // Switching HTTPS off ends the redirect, so the console is never at a port that is closed.
  assert.equal((await setOverHttps({ 'enable-https': false })).result, SUCCESS)
  assert.notEqual((await get('/page', '192.0.2.9')).status, 307)
})

/** The status of a page over HTTP, as another machine gets it. */
async function pageStatus(name = 'hub.test', port = ports.port): Promise<number | undefined> {
  const headers = { host: `${name}:${port}`, 'x-forwarded-for': '192.0.2.9' }
  const [response] = await once(plainRequest({ port, host: '127.0.0.1', path: '/page', headers }).end(), 'response')
  response.resume()
  return response.statusCode
}

/** Reads the session over HTTPS, as another machine does. */
const signedInFromAfar = (name?: string) =>
  overHttps('/api/session', undefined, name, { 'x-forwarded-for': '192.0.2.9' })

test('pages are redirected by default once another machine has signed in over HTTPS with a trusted certificate', async () => {
  await signedInFromAfar()
  assert.notEqual(await pageStatus(), 307, 'the certificate of the hub itself is not trusted')
  await setWeb(await uploadPair(leaf))
  assert.notEqual(await pageStatus(), 307, 'nobody has reached HTTPS yet')
  await overHttps('/api/session')
  assert.notEqual(await pageStatus(), 307, 'this machine shows nothing about the network')
  await signedInFromAfar('127.0.0.1')
  assert.notEqual(await pageStatus(), 307, 'the certificate is not valid for this name')
  assert.equal((await web())['redirect-http'], false)
  await signedInFromAfar()
  assert.equal(await pageStatus(), 307)
  assert.notEqual(await pageStatus('127.0.0.1'), 307, 'browsers would refuse the certificate under the address')
  assert.equal((await web())['redirect-http'], true)
  assert.equal((await setWeb({ 'redirect-http': true })).result, SUCCESS, 'what get returns, set takes')
})

test('the default redirect ends with the certificate, with HTTPS, and when it is switched off', async () => {
  await setWeb(await uploadPair(leaf))
  await signedInFromAfar()
  assert.equal(await pageStatus(), 307)
  await setWeb(await uploadPair(makePair({ name: 'hub.test' })))
  assert.notEqual(await pageStatus(), 307, 'an untrusted certificate')
  await setWeb(await uploadPair(leaf))
  assert.equal(await pageStatus(), 307, 'it was reached with this one before')
  clock += 400 * 86_400_000
  assert.notEqual(await pageStatus(), 307, 'an expired certificate')
  clock -= 400 * 86_400_000
  assert.equal((await setOverHttps({ 'redirect-http': false })).result, SUCCESS)
  assert.notEqual(await pageStatus(), 307)
  await signedInFromAfar()
  assert.notEqual(await pageStatus(), 307, 'it stays off')
  assert.equal((await setOverHttps({ 'redirect-http': true })).result, SUCCESS)
  assert.equal(await pageStatus(), 307)
  assert.equal((await setOverHttps({ 'enable-https': false })).result, SUCCESS)
  await until(async () => (await pageStatus()) !== 307, 'HTTPS is closed')
})

test('a port on trial answers pages itself, so that the trial can be confirmed', async () => {
  await setWeb(await uploadPair(leaf))
  await signedInFromAfar()
  const port = await freeTcpPort()
  assert.equal((await setWeb({ 'http-port': port })).result, SUCCESS)
  assert.deepEqual([await pageStatus(), (await pageStatus('hub.test', port)) === 307], [307, false])
})

test('HSTS needs a chain that verifies for the name of the request, and can be taken back', async () => {
  assert.equal((await setOverHttps({ hsts: true })).fault, 'not-trusted')
  await setWeb(await uploadPair(leaf))
  assert.equal((await setWeb({ hsts: true })).fault, 'not-over-https')
  assert.equal((await setOverHttps({ hsts: true }, '127.0.0.1')).fault, 'not-trusted')
  assert.equal((await overHttps('/api/session')).headers['strict-transport-security'], undefined)
  assert.equal((await setOverHttps({ hsts: true })).result, SUCCESS)
  assert.equal((await overHttps('/api/session')).headers['strict-transport-security'], `max-age=${HSTS_MAX_AGE}`)
  // What browsers would refuse while they use HTTPS only.
  assert.equal((await setOverHttps({ 'enable-https': false })).fault, 'hsts-on')
  assert.equal((await setOverHttps({ 'cert-filename': '', 'cert-key-filename': '' })).fault, 'hsts-on')
  assert.equal((await setWeb(await uploadPair(makePair()))).fault, 'not-trusted')
  assert.equal((await setOverHttps({ hsts: false })).result, SUCCESS)
  assert.equal((await overHttps('/api/session')).headers['strict-transport-security'], 'max-age=0')
})

test('while HSTS is on, a certificate must be valid for the name for which browsers have it', async () => {
  await setWeb(await uploadPair(leaf))
  assert.equal((await setOverHttps({ hsts: true })).result, SUCCESS)
  const header = async (name: string) => (await overHttps('/api/session', undefined, name)).headers
  assert.equal((await header('127.0.0.1'))['strict-transport-security'], undefined, 'no other name has it')
  const elsewhere = await uploadPair(makePair({ name: 'other.test', issuer: root }))
  const refused = await setWeb(elsewhere)
  assert.deepEqual([refused.fault, refused.field], ['not-trusted', 'web.cert-filename'])
  assert.equal(await servedNames(), 'DNS:hub.test')
  const both = await uploadPair(makePair({ names: 'DNS:other.test,DNS:hub.test', issuer: root }))
  assert.equal((await setWeb(both)).result, SUCCESS)
  assert.equal((await setOverHttps({ hsts: false })).result, SUCCESS)
  assert.equal((await header('127.0.0.1'))['strict-transport-security'], 'max-age=0')
  // Both in one request: the new certificate counts.
  assert.equal((await setOverHttps({ ...elsewhere, hsts: true })).fault, 'not-trusted')
  assert.equal((await setWeb(elsewhere)).result, SUCCESS)
})

test('HSTS can be switched on only under a name for which the certificate is trusted, and the settings say so', async () => {
  const canHsts = async (name: string) => {
    const { settings } = await overHttps('/api/settings/get', undefined, name)
    return settings?.web?.['can-hsts']
  }
  assert.equal(await canHsts('hub.test'), false)
  await setWeb(await uploadPair(makePair({ names: 'DNS:other.test', issuer: root })))
  assert.deepEqual([(await web()).certificate?.trusted, await canHsts('hub.test')], [true, false])
  await setWeb(await uploadPair(leaf))
  assert.deepEqual([await canHsts('hub.test'), await canHsts('127.0.0.1')], [true, false])
  await setWeb(await uploadPair(makePair()))
  assert.equal(await canHsts('hub.test'), false)
})

test('under a name with HSTS, a port without TLS cannot be changed, because browsers cannot open it', async () => {
  await setWeb(await uploadPair(leaf))
  assert.equal((await setOverHttps({ hsts: true })).result, SUCCESS)
  for (const name of ['http', 'link', 'files'] as const) {
    const refused = await setOverHttps({ [`${name}-port`]: await freeTcpPort() })
    assert.deepEqual([refused.fault, refused.field], ['hsts-port', `web.${name}-port`])
    assert.match(refused.message ?? '', /\n/, 'says what to do')
  }
  assert.equal(hub.parts.webPorts.isTrying(), false)
  for (const [change, name] of [
    [{ 'https-port': await freeTcpPort() }, 'hub.test'],
    [{ 'files-port': await freeTcpPort() }, '127.0.0.1']
  ] as const) {
    assert.equal((await setOverHttps(change, name)).result, SUCCESS)
    await hub.parts.webPorts.cancel()
  }
})

test.run()
