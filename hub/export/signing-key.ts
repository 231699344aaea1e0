// The key with which this hub signs its exports: Ed25519, in the data folder.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../data-files/fsync.ts'

/** A backup of the data folder contains it, so a restored hub recognizes its own exports. */
const KEY_FILE = 'export-key.pem'

export class SigningKey {
  readonly #key: KeyObject

  /**
   * @param data the data folder; `:memory:` for a key that is not stored. @throws if the file is there and has no key
   */
  constructor(data: string) {
    this.#key = data === ':memory:' ? generateKeyPairSync('ed25519').privateKey : readOrCreate(join(data, KEY_FILE))
  }

  sign(bytes: Buffer): Buffer {
    return sign(null, bytes, this.#key)
  }

  /** SPKI, DER. */
  get publicKey(): Buffer {
    return createPublicKey(this.#key).export({ type: 'spki', format: 'der' })
  }
}

function readOrCreate(path: string): KeyObject {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    replaceFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  }
  return createPrivateKey(readFileSync(path))
}

/** SHA-256 of a public key (SPKI, DER) in hex. */
export const fingerprintOf = (publicKey: Buffer) => createHash('sha256').update(publicKey).digest('hex')
