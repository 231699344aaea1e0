// The public keys whose console packs the hub accepts.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { DEVELOPMENT_FINGERPRINT, DEVELOPMENT_KEY, fingerprint } from '../../pack/keys.ts'

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g

/**
 * Reads Ed25519 public keys from PEM files, each of which may contain several.
 * @param paths colon-separated; none = the development key, whose private key is public
 * @param isProduction whether the development key is rejected, even if a file contains it
 * @throws when a file does not exist or contains no such key
 */
export function readTrustedKeys(paths: string | undefined, isProduction: boolean): KeyObject[] {
  const keys = (paths ?? '').split(':').filter(Boolean).flatMap(readKeys)
  if (!isProduction) return keys.length > 0 ? keys : [DEVELOPMENT_KEY]
  return keys.filter((key) => fingerprint(key) !== DEVELOPMENT_FINGERPRINT)
}

function readKeys(path: string): KeyObject[] {
  if (!existsSync(path)) throw new Error(`PUBLIC_KEY: the file ${path} does not exist`)
  const pems = readFileSync(path, 'latin1').match(PEM) ?? []
  if (pems.length === 0) throw new Error(`PUBLIC_KEY: ${path} contains no public key in PEM format`)
  return pems.map((pem) => {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType !== 'ed25519')
      throw new Error(`PUBLIC_KEY: ${path} contains a key of type ${key.asymmetricKeyType}; Ed25519 is required`)
    return key
  })
}
