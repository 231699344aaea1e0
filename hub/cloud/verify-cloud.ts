// Recognizes a cloud by its signing key, before the hub sends it its own key (contract/cloud/link.ts).
import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto'
import * as z from 'zod'
import { CLOUD_IDENTITY_PATH, type CloudIdentity } from '../../contract/cloud/link.ts'
import { identityText, type SuccessorKey, successorText } from '../../contract/cloud/signing.ts'
import type { CloudFault } from '../../contract/cloud-registration.ts'
import { NO_LINK_ERROR } from '../../device-link/dial.ts'
import type { DialledConnection } from '../../device-link/dialled-connection.ts'

/** Maximum bytes of an identity, and signing keys that a cloud can have had. */
const IDENTITY_MAX = 65_536
const KEYS_MAX = 200

/** What the hub knows of the cloud. Empty: unknown. */
export interface KnownCloud {
  /** Signing key that was pinned: SPKI, DER, in base64. */
  key: string
  /** Fingerprint of a signing key, from the invitation. */
  fingerprint: string
}

/** A cloud that has proved to have its signing key. */
export interface VerifiedCloud {
  /** The signing key: SPKI, DER, in base64. */
  key: string
  /** The node that has answered. */
  node: string
}

/** The server is not the cloud that the hub knows, or cannot prove that it is a cloud. */
export class CloudIdentityError extends Error {
  readonly code: CloudFault

  constructor(code: CloudFault) {
    super(`the cloud was not recognized: ${code}`)
    this.code = code
  }
}

const base64 = z.string().max(256)

export const successorKeys: z.ZodType<SuccessorKey[]> = z
  .array(z.object({ key: base64, signature: base64 }))
  .min(1)
  .max(KEYS_MAX)

const identityShape: z.ZodType<CloudIdentity> = z.object({
  keys: successorKeys,
  node: z.string().max(64),
  pin: base64,
  signature: base64
})

const bytesOf = (text: string) => Buffer.from(text, 'base64')

/** Reads a public key of Ed25519: the format of no other key is accepted. @throws CloudIdentityError */
function readKey(text: string): KeyObject {
  try {
    const key = createPublicKey({ key: bytesOf(text), type: 'spki', format: 'der' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // No key.
  }
  throw new CloudIdentityError('other-key')
}

const isSigned = (key: string, text: string, signature: string) =>
  verify(null, Buffer.from(text), readKey(key), bytesOf(signature))

const fingerprintOf = (key: string) => createHash('sha256').update(bytesOf(key)).digest('base64url')

/**
 * Follows the successors of a known key.
 * @returns the current key
 * @throws CloudIdentityError `other-key` if the known key is not one of them, or has not signed its successors
 */
export function followSuccessors(keys: readonly SuccessorKey[], { key, fingerprint }: KnownCloud): string {
  const isKnown = (each: SuccessorKey) => (key ? each.key === key : fingerprintOf(each.key) === fingerprint)
  const first = keys.findIndex(isKnown)
  if (first < 0) throw new CloudIdentityError('other-key')
  let current = keys[first]?.key ?? ''
  for (const successor of keys.slice(first + 1)) {
    if (!isSigned(current, successorText(successor.key), successor.signature)) throw new CloudIdentityError('other-key')
    current = successor.key
  }
  return current
}

function parseIdentity(body: Buffer): CloudIdentity {
  try {
    return identityShape.parse(JSON.parse(body.toString()))
  } catch {
    throw new CloudIdentityError('no-cloud')
  }
}

/**
 * Asks a cloud who it is. A cloud whose key is unknown is accepted by its certificate, if that leads to an authority.
 * @throws CloudIdentityError; Error if the server does not answer
 */
export async function verifyCloud(
  connection: DialledConnection,
  known: KnownCloud,
  isTls: boolean
): Promise<VerifiedCloud> {
  const nonce = randomBytes(24).toString('base64url')
  const path = `${CLOUD_IDENTITY_PATH}?nonce=${nonce}`
  const { status, body } = await connection.exchange({ path }, IDENTITY_MAX)
  if (status !== 200) throw Object.assign(new Error(`the server answered ${status}`), { code: NO_LINK_ERROR })
  const { keys, node, pin, signature } = parseIdentity(body)
  const isKnown = known.key !== '' || known.fingerprint !== ''
  const current = isKnown ? followSuccessors(keys, known) : (keys.at(-1)?.key ?? '')
  if (!isSigned(current, identityText(nonce, pin), signature)) throw new CloudIdentityError('other-key')
  if (isTls) checkCertificate(connection, pin, isKnown)
  return { key: current, node }
}

/**
 * Without an authority, the certificate of the connection has to be the one that the cloud has signed. With one it may
 * be that of a proxy.
 */
function checkCertificate({ certificate }: DialledConnection, pin: string, isKnown: boolean): void {
  if (certificate?.isTrusted) return
  if (!isKnown) throw new CloudIdentityError('unverified')
  if (certificate?.pin !== pin) throw new CloudIdentityError('other-key')
}
