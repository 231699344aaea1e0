// Signing keys of packs.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'

/** Fingerprint of a key: SHA-256 of the public key (SPKI, DER) in hex. Takes a private or public key. */
export function fingerprint(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/**
 * Public key of the development key pair (`firmware-pack/development/`). Its private key is public, so its signatures
 * prove nothing.
 */
export const DEVELOPMENT_KEY: KeyObject = createPublicKey(`-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAn4Yov6lQc+jl00T7fHzkMAPFBY6iZ4W5coslRzMXFxk=
-----END PUBLIC KEY-----
`)

export const DEVELOPMENT_FINGERPRINT = fingerprint(DEVELOPMENT_KEY)
