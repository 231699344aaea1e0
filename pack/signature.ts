// Ed25519 signatures over the bytes of a JSON file that names its key.
import { type KeyObject, verify } from 'node:crypto'
import { DEVELOPMENT_FINGERPRINT, DEVELOPMENT_KEY, fingerprint } from './keys.ts'

/** Private key for signing. */
export interface Signer {
  key: KeyObject
  development: boolean
}

/** Members with which a signed file names its key. */
export interface SignedBy {
  /** Signed with the development key. */
  development?: true
  /** Fingerprint of the signing key. */
  key: string
}

/** The members of a file that is signed with a key. */
export const signedBy = ({ key, development }: Signer): SignedBy => ({
  ...(development && { development }),
  key: fingerprint(key)
})

/** Why a signature is refused. */
export interface SignatureFault {
  fault: 'wrong-key' | 'development' | 'tampered'
  /** With `wrong-key`: fingerprint of the key that the file names. It is not verified, and serves messages only. */
  key?: string
}

/**
 * Parses a file that is signed with one of the `trusted` keys. It is parsed only after its signature was found valid.
 * @param text bytes of the file
 * @returns its unchecked content, undefined if it is not JSON; or why its signature is refused
 */
export function openSigned(
  text: Buffer,
  signature: Buffer,
  trusted: readonly KeyObject[]
): { content: unknown } | SignatureFault {
  const signer = trusted.find((key) => verify(undefined, text, key, signature))
  if (!signer) return explainInvalidSignature(text, signature, trusted)
  const content = parseJson(text)
  const isMarked = (content as Partial<SignedBy> | undefined)?.development
  return !isMarked && fingerprint(signer) === DEVELOPMENT_FINGERPRINT ? { fault: 'tampered' } : { content }
}

function explainInvalidSignature(text: Buffer, signature: Buffer, trusted: readonly KeyObject[]): SignatureFault {
  if (verify(undefined, text, DEVELOPMENT_KEY, signature)) return { fault: 'development' }
  const { key } = (parseJson(text) ?? {}) as Partial<SignedBy>
  const isKnown = !key || key === DEVELOPMENT_FINGERPRINT || trusted.map(fingerprint).includes(key)
  return isKnown ? { fault: 'tampered' } : { fault: 'wrong-key', key }
}

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
