// Keys of packs, told apart.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'

/** SHA-256 of the public key (SPKI, DER), by which keys are told apart. */
export function fingerprint(key: KeyObject): string {
  const open = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha256')
    .update(open.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** The public half of the key that everybody has (`firmware-pack/development/`): what it signs is for trying things, and proves nothing. */
export const DEVELOPMENT_KEY: KeyObject = createPublicKey(`-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAn4Yov6lQc+jl00T7fHzkMAPFBY6iZ4W5coslRzMXFxk=
-----END PUBLIC KEY-----
`)

export const DEVELOPMENT_FINGERPRINT = fingerprint(DEVELOPMENT_KEY)
