// Encrypts stored secrets with AES-256-GCM. The key is in a separate file, so that the database alone does not reveal
// them.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from './fsync.ts'

/** Bytes. */
const KEY_SIZE = 32
const NONCE_SIZE = 12
const AUTH_TAG_SIZE = 16

export interface Encryption {
  /**
   * @param owner the object that has the text, as associated data: it can be decrypted for this owner only, and not be
   * moved to another row
   */
  encrypt(text: string, owner: string): string
  /** @returns undefined if the data was altered, belongs to another owner, or was encrypted with another key */
  decrypt(encrypted: string, owner: string): string | undefined
}

export interface KeyFile {
  path: string
  /** What to do if the file does not contain a key, for the message of the error. */
  remedy: string
}

/**
 * Reads the key file. It is created at the first start, readable for its owner only. The mode of a file that belongs to
 * somebody else, as that of a secret of a container, is not this program's.
 */
function readKey({ path, remedy }: KeyFile): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, randomBytes(KEY_SIZE).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
    syncPath(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const { uid, mode } = statSync(path)
    if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(path, 0o600)
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url')
  if (key.length !== KEY_SIZE) throw new Error(`${path} does not contain a key: ${remedy}`)
  return key
}

/**
 * @param file undefined: the key is not stored
 * @throws when the key cannot be read or written
 */
export function openEncryption(file: KeyFile | undefined): Encryption {
  const key = file ? readKey(file) : randomBytes(KEY_SIZE)
  return {
    encrypt(text, owner) {
      const nonce = randomBytes(NONCE_SIZE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(encrypted, owner) {
      const bytes = Buffer.from(encrypted, 'base64url')
      const head = NONCE_SIZE + AUTH_TAG_SIZE
      if (bytes.length < head) return undefined
      const nonce = bytes.subarray(0, NONCE_SIZE)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: AUTH_TAG_SIZE })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE_SIZE, head))
      try {
        return decipher.update(bytes.subarray(head), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    }
  }
}
