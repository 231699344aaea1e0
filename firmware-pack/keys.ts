// The keys a pack is signed with and checked by.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPMENT_FINGERPRINT, fingerprint } from '../pack/keys.ts'
import { PackError } from '../pack/pack-error.ts'
import type { Signer } from '../pack/update.ts'

const DEVELOPMENT_FOLDER = join(import.meta.dirname, 'development')

/**
 * The key without which nobody could try anything. Everybody has it, so it proves nothing: what it signs says so, and a hub in
 * production refuses it.
 */
export const DEVELOPMENT_KEY = join(DEVELOPMENT_FOLDER, 'signing-key.pem')

/** RSA key and certificate for swupdate, as public as the other one: swupdate takes no Ed25519. */
export const DEVELOPMENT_SWU_KEY = join(DEVELOPMENT_FOLDER, 'swu-key.pem')

function readKey(what: string, path: string, make: (pem: Buffer) => KeyObject): KeyObject {
  if (!existsSync(path)) throw new PackError(`${what}: there is no file ${path}.`)
  const pem = readFileSync(path)
  let key: KeyObject
  try {
    key = make(pem)
  } catch {
    throw new PackError(
      `${what}: ${path} is no key in PEM without a passphrase. Make one: openssl genpkey -algorithm ed25519`
    )
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new PackError(`${what}: ${path} is a key of ${key.asymmetricKeyType}, not of Ed25519.`)
  return key
}

/** The key to sign with: that at `path`, else the development key. */
export function readSigner(path: string | undefined): Signer {
  const key = readKey('SIGNING_KEY', path || DEVELOPMENT_KEY, createPrivateKey)
  return { key, development: fingerprint(key) === DEVELOPMENT_FINGERPRINT }
}

/** The key to trust: the public or private one at `path`, else that of the development key. */
export function readTrustedKey(path: string | undefined): KeyObject {
  return readKey('PUBLIC_KEY', path || DEVELOPMENT_KEY, createPublicKey)
}

/** The public half, to be put into a hub. */
export function exportPublicKey(key: KeyObject): Buffer {
  const open = key.type === 'private' ? createPublicKey(key) : key
  return Buffer.from(open.export({ type: 'spki', format: 'pem' }))
}
