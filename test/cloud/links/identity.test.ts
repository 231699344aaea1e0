// The registration port of the cloud: TLS, and the identity by which hubs recognize the cloud.
import assert from 'node:assert/strict'
import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http'
import { Agent, get, type RequestOptions } from 'node:https'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { CloudOptions } from '../../../cloud/cloud.ts'
import { getInvitation } from '../../../contract/cloud/calls.ts'
import { type CloudIdentity, formatInvitation, parseInvitation } from '../../../contract/cloud/link.ts'
import { identityText } from '../../../contract/cloud/signing.ts'
import { pinOf } from '../../../tls/identity.ts'
import { startCloud, type TestCloud } from '../../kit/cloud/cloud.ts'
import { helloOf, startFakeHub } from '../../kit/cloud/fake-hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { makePair } from '../../kit/tls/certificates.ts'
import { until } from '../../kit/until.ts'

const test = suite('identity of the cloud')

const NONCE = 'abcdefghijklmnop'

async function withCloud(
  options: Partial<CloudOptions>,
  run: (cloud: TestCloud, linkPort: number, port: number) => Promise<void>
): Promise<void> {
  const cloud = await startCloud(options)
  try {
    const { port, linkPort } = await cloud.listen(0, 0)
    await run(cloud, linkPort, port)
  } finally {
    await cloud.close()
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response) text += part
  return text
}

interface Answer {
  status: number | undefined
  text: string
  /** The certificate of the connection. */
  certificate: X509Certificate | undefined
}

async function ask(options: RequestOptions): Promise<Answer> {
  const [response] = await once(get({ host: '127.0.0.1', rejectUnauthorized: false, ...options }), 'response')
  const certificate = (response.socket as TLSSocket).getPeerX509Certificate()
  return { status: response.statusCode, text: await textOf(response), certificate }
}

const identityPath = (nonce = NONCE) => `/link/identity?nonce=${nonce}`

function isSigned(identity: CloudIdentity, nonce: string, pin: string): boolean {
  const key = createPublicKey({
    key: Buffer.from(identity.keys.at(-1)?.key ?? '', 'base64'),
    type: 'spki',
    format: 'der'
  })
  return verify(null, Buffer.from(identityText(nonce, pin)), key, Buffer.from(identity.signature, 'base64'))
}

test('over TLS the cloud signs the nonce and the key of its certificate', () =>
  withCloud({}, async (cloud, port) => {
    const { status, text, certificate } = await ask({ port, path: identityPath() })
    assert.equal(status, 200)
    const identity: CloudIdentity = JSON.parse(text)
    assert.equal(identity.pin, pinOf(certificate as X509Certificate))
    assert.ok(isSigned(identity, NONCE, identity.pin))
    assert.ok(!isSigned(identity, NONCE.replace('a', 'b'), identity.pin))
    assert.ok(!isSigned(identity, NONCE, ''))
    assert.equal(identity.keys.at(-1)?.key, cloud.signingKeys.current.publicKey.toString('base64'))
  }))

test('without TLS the signature is for no certificate', () =>
  withCloud({}, async (_cloud, port) => {
    const [response] = await once(httpGet({ host: '127.0.0.1', port, path: identityPath() }), 'response')
    const identity: CloudIdentity = JSON.parse(await textOf(response))
    assert.equal(identity.pin, '')
    assert.ok(isSigned(identity, NONCE, ''))
  }))

test('a request without a valid nonce, or a second one on a connection, gets no signature', () =>
  withCloud({}, async (_cloud, port) => {
    for (const nonce of ['', 'short', 'x'.repeat(65), 'abcdefghijklmno%0A'])
      assert.equal((await ask({ port, path: identityPath(nonce) })).status, 400, nonce)
    assert.equal((await ask({ port, path: identityPath(), method: 'POST' })).status, 400)
    const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 })
    const statuses: (number | undefined)[] = []
    for (let index = 0; index < 2; index++) {
      const [response] = await once(httpGet({ host: '127.0.0.1', port, path: identityPath(), agent }), 'response')
      statuses.push(response.statusCode)
      await textOf(response)
    }
    agent.destroy()
    assert.deepEqual(statuses, [200, 400])
  }))

test('a given certificate is used at both ports, and one without its key is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-cert-'))
  const certificate = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const pair = makePair({ name: 'cloud.test' })
  writeFileSync(certificate.cert, pair.cert)
  writeFileSync(certificate.key, pair.key)
  try {
    await withCloud({ certificate, https: true }, async (_cloud, linkPort, port) => {
      const { fingerprint256 } = new X509Certificate(pair.cert)
      assert.equal((await ask({ port: linkPort, path: identityPath() })).certificate?.fingerprint256, fingerprint256)
      const browser = await ask({ port, path: '/healthz', agent: new Agent({ maxCachedSessions: 0 }) })
      assert.equal(browser.certificate?.fingerprint256, fingerprint256)
    })
    writeFileSync(certificate.key, makePair({}).key)
    await assert.rejects(
      withCloud({ certificate }, async () => {}),
      /The key cannot be used: mismatch/
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a hub on another machine must use TLS, unless the cloud is behind a proxy that ends it', async () => {
  const addresses = Object.values(networkInterfaces()).flat()
  const own = addresses.find((address) => address && !address.internal && address.family === 'IPv4')?.address
  if (!own) return
  for (const [allowsPlainLinks, isAccepted] of [
    [false, false],
    [true, true]
  ] as const)
    await withCloud({ host: '0.0.0.0', allowsPlainLinks }, async (cloud, port) => {
      const { invitation } = await (await cloud.clientAs()).send(getInvitation, {})
      const errors: (string | undefined)[] = []
      const hub = startFakeHub(port, () => helloOf(invitation, 'HUB1'), {
        chooseAddress: () => ({ host: own, port }),
        onAttemptEnd: (error) => errors.push(error?.code)
      })
      try {
        await until(() => errors.length > 0, 'the attempt has ended')
        assert.equal(errors[0], isAccepted ? undefined : 'tls-required')
      } finally {
        hub.stop()
      }
    })
})

test('the invitation has the fingerprint of the current signing key', () =>
  withCloud({}, async (cloud) => {
    const admin = await cloud.clientAs()
    const { invitation } = await admin.send(getInvitation, {})
    assert.equal(parseInvitation(invitation)?.fingerprint, cloud.signingKeys.current.fingerprint)
    await cloud.signingKeys.replace()
    const { invitation: later } = await admin.send(getInvitation, {})
    assert.equal(parseInvitation(later)?.fingerprint, cloud.signingKeys.current.fingerprint)
    assert.notEqual(later, invitation)
  }))

test('an invitation is read with its fingerprint and without', () => {
  const fingerprint = 'f'.repeat(43)
  for (const invitation of [
    { organisation: 'acme', code: 'AAAA-BBBB' },
    { organisation: 'acme', code: 'AAAA-BBBB', fingerprint }
  ])
    assert.deepEqual(parseInvitation(` ${formatInvitation(invitation)}\n`), invitation)
  for (const text of ['acme', 'acme:A:', `acme:A:${fingerprint}f`, `acme:A:${fingerprint}:x`, `Acme:A:${fingerprint}`])
    assert.equal(parseInvitation(text), undefined, text)
})

test.run()
