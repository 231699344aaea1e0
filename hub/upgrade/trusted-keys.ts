// The keys whose packs the hub takes.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { DEVELOPMENT_FINGERPRINT, DEVELOPMENT_KEY, fingerprint } from '../../pack/keys.ts'

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g

/**
 * Reads public keys of Ed25519 from PEM files, each of which may hold several.
 * @param paths with a colon between them; none = the development key, by which everybody can sign
 * @param production the development key is not trusted, wherever it is named
 * @throws when a file is not there or holds no such key
 */
export function readTrusted(paths: string | undefined, production: boolean): KeyObject[] {
  const keys = (paths ?? '')
    .split(':')
    .filter(Boolean)
    .flatMap((path) => {
      if (!existsSync(path)) throw new Error(`PUBLIC_KEY: there is no file ${path}`)
      const found = readFileSync(path, 'latin1').match(PEM) ?? []
      if (found.length === 0) throw new Error(`PUBLIC_KEY: ${path} holds no public key in PEM`)
      return found.map((pem) => {
        const key = createPublicKey(pem)
        if (key.asymmetricKeyType !== 'ed25519')
          throw new Error(`PUBLIC_KEY: ${path} holds a key of ${key.asymmetricKeyType}, not of Ed25519`)
        return key
      })
    })
  if (!production) return keys.length > 0 ? keys : [DEVELOPMENT_KEY]
  return keys.filter((key) => fingerprint(key) !== DEVELOPMENT_FINGERPRINT)
}
