// The keys that sign and verify a pack.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPMENT_FINGERPRINT, fingerprint } from '../pack/keys.ts'
import { PackError } from '../pack/pack-error.ts'
import type { Signer } from '../pack/signature.ts'

const DEVELOPMENT_FOLDER = join(import.meta.dirname, 'development')

/**
 * The development key. It is public, so its signature proves nothing. A pack signed with it is marked, and a hub in
 * production refuses it.
 */
export const DEVELOPMENT_KEY = join(DEVELOPMENT_FOLDER, 'signing-key.pem')

/** RSA development key and certificate for swupdate and RAUC, which do not support Ed25519. Also public. */
export const DEVELOPMENT_SWU_KEY = join(DEVELOPMENT_FOLDER, 'swu-key.pem')

/** @param variable that names the file @throws PackError when the file is missing or contains no certificate */
export function assertHasCertificate(variable: string, path: string): void {
  if (!existsSync(path)) throw new PackError(`${variable}: there is no file ${path}.`)
  if (!/BEGIN CERTIFICATE/.test(readFileSync(path, 'latin1')))
    throw new PackError(`${variable}: ${path} contains no certificate.`)
}

function readKey(variable: string, path: string, create: (pem: Buffer) => KeyObject): KeyObject {
  if (!existsSync(path)) throw new PackError(`${variable}: there is no file ${path}.`)
  const pem = readFileSync(path)
  let key: KeyObject
  try {
    key = create(pem)
  } catch {
    throw new PackError(
      `${variable}: ${path} is not a PEM key without a passphrase. Create one: openssl genpkey -algorithm ed25519`
    )
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new PackError(`${variable}: ${path} is a key of type ${key.asymmetricKeyType}, not Ed25519.`)
  return key
}

/**
 * Reads the signing key at `path`, by default the development key. @throws PackError when it is not an Ed25519 key in
 * PEM
 */
export function readSigner(path: string | undefined): Signer {
  const key = readKey('SIGNING_KEY', path || DEVELOPMENT_KEY, createPrivateKey)
  return { key, development: fingerprint(key) === DEVELOPMENT_FINGERPRINT }
}

/**
 * Reads the trusted public key from a public or private key at `path`, by default the development key. @throws
 * PackError as above
 */
export function readTrustedKey(path: string | undefined): KeyObject {
  return readKey('PUBLIC_KEY', path || DEVELOPMENT_KEY, createPublicKey)
}

/** Returns the public key in PEM, for the configuration of a hub. */
export function exportPublicKey(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }))
}
