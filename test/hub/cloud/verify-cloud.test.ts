// Whom a hub takes for the cloud: attacks with other certificates, replayed identities and foreign signing keys.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import { formatInvitation, parseInvitation } from '../../../contract/cloud/link.ts'
import type { CloudFault, CloudSettingsRequest } from '../../../contract/cloud-registration.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import {
  askIdentity,
  chainOf,
  type FakeCloud,
  type FakeKey,
  identityOf,
  makeKey,
  startFakeCloud
} from '../../kit/cloud/fake-cloud.ts'
import { registrationOf, set, untilOnline, untilState, withBoth } from '../../kit/cloud/registered-hub.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { makePair } from '../../kit/tls/certificates.ts'
import { until } from '../../kit/until.ts'

const test = suite('recognition of the cloud')

const { accepted, pending } = REGISTRATION_STATE

const authority = makePair({ name: 'authority', isAuthority: true })
const trusted = makePair({ name: 'localhost', issuer: authority })
const unknown = makePair({ name: 'localhost' })

const fingerprintOf = ({ key }: FakeKey) => createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64url')

const invitationFor = (key?: FakeKey) =>
  formatInvitation({ organisation: 'headend', code: 'AAAA', fingerprint: key && fingerprintOf(key) })

const untilFault = (admin: Client, fault: CloudFault) =>
  until(async () => (await registrationOf(admin))?.fault === fault, `fault ${fault}`)

async function withHub(run: (hub: TestHub, admin: Client) => Promise<void>): Promise<void> {
  const hub = await startHub({ web: { authorities: [authority.cert] } })
  try {
    await run(hub, hub.clientAs())
  } finally {
    await hub.close()
  }
}

/** Points a hub at a server, which must not get its hello. */
async function assertRefused(
  admin: Client,
  cloud: FakeCloud,
  request: Partial<CloudSettingsRequest>,
  fault: CloudFault
): Promise<void> {
  try {
    await set(admin, { port: cloud.port, ...request })
    await untilFault(admin, fault)
    assert.deepEqual(cloud.hellos, [])
  } finally {
    cloud.close()
  }
}

test('somebody in the middle with a certificate of its own gets no hello, whatever it passes on', () =>
  withBoth(async ({ port, invitation, admin }) => {
    const { organisation, code, fingerprint } = parseInvitation(invitation) ?? {}
    assert.ok(organisation && code && fingerprint)
    const replayed = await askIdentity(port, 'n'.repeat(20))
    const attacks = [
      // It passes the question on, and the answer is for the certificate of the cloud.
      (nonce: string) => askIdentity(port, nonce),
      // It says that the answer was for its own certificate.
      async (nonce: string, pin: string) => ({ ...(await askIdentity(port, nonce)), pin }),
      // It replays an answer to another question.
      (_nonce: string, pin: string) => ({ ...replayed, pin }),
      () => replayed,
      // It has a signing key of its own, alone or as a successor that the cloud has not signed.
      (nonce: string, pin: string) => identityOf([makeKey()], nonce, pin),
      (nonce: string, pin: string) => {
        const own = makeKey()
        const { signature } = identityOf([own], nonce, pin)
        const [forged] = chainOf([own, own]).slice(1)
        return { ...replayed, keys: [...replayed.keys, forged ?? { key: own.key, signature: '' }], pin, signature }
      }
    ]
    for (const identity of attacks)
      await assertRefused(admin, await startFakeCloud({ pair: unknown, identity }), { invitation }, 'other-key')
    await set(admin, { port, invitation })
    await untilState(admin, pending)
  }))

test('an invitation with the fingerprint of another cloud is refused', () =>
  withBoth(async ({ port, admin }) => {
    await set(admin, { port, invitation: invitationFor(makeKey()) })
    await untilFault(admin, 'other-key')
  }))

test('without a fingerprint the certificate must be of an authority, for the name of the cloud', () =>
  withHub(async (_hub, admin) => {
    const key = makeKey()
    const identity = (nonce: string, pin: string) => identityOf([key], nonce, pin)
    const invitation = invitationFor()
    await assertRefused(admin, await startFakeCloud({ pair: unknown, identity }), { invitation }, 'unverified')
    // The name is not that of the certificate.
    await assertRefused(admin, await startFakeCloud({ pair: trusted, identity }), { invitation }, 'unverified')
    const cloud = await startFakeCloud({ pair: trusted, identity })
    try {
      await set(admin, { host: 'localhost', port: cloud.port, invitation })
      await untilOnline(admin)
    } finally {
      cloud.close()
    }
  }))

test('behind a proxy with a certificate of an authority the cloud is recognized by its signing key', () =>
  withHub(async (_hub, admin) => {
    const key = makeKey()
    // The node behind the proxy signs no certificate.
    const cloud = await startFakeCloud({ pair: trusted, identity: (nonce) => identityOf([key], nonce, '') })
    try {
      await set(admin, { host: 'localhost', port: cloud.port, invitation: invitationFor(key) })
      await untilOnline(admin)
    } finally {
      cloud.close()
    }
    const other = await startFakeCloud({ pair: trusted, identity: (nonce) => identityOf([makeKey()], nonce, '') })
    await assertRefused(admin, other, { host: 'localhost', invitation: invitationFor(key) }, 'other-key')
  }))

test('the signing key is pinned when the hub is accepted, and only its successors are accepted then', () =>
  withHub(async (hub, admin) => {
    const [first, second, third, foreign] = [makeKey(), makeKey(), makeKey(), makeKey()]
    let keys = chainOf([first])
    let current = first
    const cloud = await startFakeCloud({
      pair: trusted,
      identity: (nonce, pin) => ({ ...identityOf([current], nonce, pin), keys })
    })
    const pinned = () => hub.parts.cloudLink.settings.stored['signing-key']
    const connectWith = async (chain: typeof keys, signer: FakeKey) => {
      keys = chain
      current = signer
      cloud.hellos.length = 0
      await set(admin, { host: 'localhost', port: cloud.port })
    }
    try {
      // No fingerprint: the certificate of an authority is enough the first time, and not afterwards.
      await set(admin, { host: 'localhost', port: cloud.port, invitation: invitationFor() })
      await untilOnline(admin)
      assert.equal(pinned(), first.key)
      await connectWith(chainOf([first, second, third]), third)
      await untilOnline(admin)
      assert.equal(pinned(), third.key)
      const refused: [typeof keys, FakeKey][] = [
        [chainOf([first]), first],
        [chainOf([foreign]), foreign],
        [chainOf([first, second, third, foreign], foreign), foreign],
        [[...chainOf([first, second, third]), { key: foreign.key, signature: '' }], foreign],
        // The chain is right, and the server does not have the key.
        [chainOf([first, second, third]), foreign]
      ]
      for (const [chain, signer] of refused) {
        await connectWith(chain, signer)
        await untilFault(admin, 'other-key')
        assert.deepEqual(cloud.hellos, [])
      }
      assert.equal(pinned(), third.key)
      // A user who enters an invitation says which key to trust.
      await set(admin, { host: 'localhost', port: cloud.port, invitation: invitationFor(foreign) })
      keys = chainOf([foreign])
      await untilOnline(admin)
      assert.equal(pinned(), foreign.key)
    } finally {
      cloud.close()
    }
  }))

test('a pending hub pins no key', () =>
  withHub(async (hub, admin) => {
    const key = makeKey()
    const cloud = await startFakeCloud({
      ...{ pair: unknown, state: pending },
      identity: (nonce, pin) => identityOf([key], nonce, pin)
    })
    try {
      await set(admin, { port: cloud.port, invitation: invitationFor(key) })
      await untilState(admin, pending)
      assert.equal(hub.parts.cloudLink.settings.stored['signing-key'], '')
    } finally {
      cloud.close()
    }
  }))

test('a server without TLS gets no hello of a hub with SSL, and is reached by one without', () =>
  withHub(async (_hub, admin) => {
    const key = makeKey()
    const start = () => startFakeCloud({ identity: (nonce, pin) => identityOf([key], nonce, pin) })
    const invitation = invitationFor(key)
    await assertRefused(admin, await start(), { invitation }, 'no-ssl')
    const other = await startFakeCloud({ identity: (nonce, pin) => identityOf([makeKey()], nonce, pin) })
    await assertRefused(admin, other, { invitation, ssl: false }, 'other-key')
    const cloud = await start()
    try {
      await set(admin, { port: cloud.port, invitation, ssl: false })
      await untilState(admin, accepted)
    } finally {
      cloud.close()
    }
  }))

test.run()
