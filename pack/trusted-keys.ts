// The public keys whose console packs and licences the hub accepts. They are read from files only, and no call changes
// them: who can add a key can run scripts in the browser of every administrator.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPMENT_FINGERPRINT, DEVELOPMENT_KEY, fingerprint } from './keys.ts'

/** File in the data folder that is read if no other file is named. */
export const TRUSTED_KEYS_FILE = 'trusted-keys.pem'

/**
 * Folder of the machine's own files, which the update service reads. It has more rights than the hub, so it reads no
 * key from the data folder of the hub.
 */
export const MACHINE_KEYS_FOLDER = '/etc/headend'

/**
 * What keys are for: the environment variable that names their files, and the file in the data folder that is read
 * without it.
 */
export interface KeyPurpose {
  variable: string
  file: string
}

const CONSOLE_UPDATES: KeyPurpose = { variable: 'TRUSTED_KEYS', file: TRUSTED_KEYS_FILE }
export const LICENSES: KeyPurpose = { variable: 'LICENSE_KEYS', file: 'license-keys.pem' }

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g
/** Mode bit of a file that every user of the machine may write. */
const WRITABLE_BY_OTHERS = 0o002

interface TrustedKeysOptions {
  /**
   * Colon-separated PEM files, each of which may contain several keys; none = the file of the purpose in the first of
   * the folders that has one.
   */
  paths: string | undefined
  /** Folders that may have the file of the purpose: the hub's data folder, and the folder of the machine. */
  folders: readonly string[]
  /**
   * Also trusts the development key. Otherwise it is not trusted even if a file contains it, because everybody has its
   * private key.
   */
  isDevelopment: boolean
  /** Default: console updates. */
  purpose?: KeyPurpose
}

/**
 * Reads Ed25519 public keys from PEM files.
 * @throws when a file does not exist, contains no such key, or may be written by every user of the machine
 */
export function readTrustedKeys({
  paths,
  folders,
  isDevelopment,
  purpose: { variable, file } = CONSOLE_UPDATES
}: TrustedKeysOptions): KeyObject[] {
  const named = (paths ?? '').split(':').filter(Boolean)
  const found = folders.map((folder) => join(folder, file)).find((path) => existsSync(path))
  const files = named.length === 0 && found ? [found] : named
  const keys = files
    .flatMap((path) => readKeys(variable, path))
    .filter((key) => fingerprint(key) !== DEVELOPMENT_FINGERPRINT)
  return isDevelopment ? [...keys, DEVELOPMENT_KEY] : keys
}

function readKeys(variable: string, path: string): KeyObject[] {
  if (!existsSync(path)) throw new Error(`${variable}: the file ${path} does not exist`)
  if (statSync(path).mode & WRITABLE_BY_OTHERS)
    throw new Error(`${variable}: every user of this machine may write ${path}: chmod o-w ${path}`)
  const pems = readFileSync(path, 'latin1').match(PEM) ?? []
  if (pems.length === 0) throw new Error(`${variable}: ${path} contains no public key in PEM format`)
  return pems.map((pem) => {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType !== 'ed25519')
      throw new Error(`${variable}: ${path} contains a key of type ${key.asymmetricKeyType}; Ed25519 is required`)
    return key
  })
}
